import { Form } from "@remix-run/react";
import { Send } from "lucide-react";
import { Switch } from "#app/routes/seller/settings/webhooks/switch.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

const LOSS_WARNING = "O endereço deixa de ser avisado, e o registro do que foi enviado se perde.";

type Controlled = { name: string; stopped: string | null; events: { id: string; label: string }[] };

/** The test, the switch, and the deletion. */
export function WebhookControls({ webhook }: { webhook: Controlled }) {
  return (
    <Card
      title="Testar"
      text="Envia de verdade um aviso com uma venda inventada, assinado como os outros e marcado como teste."
    >
      <div className="flex flex-wrap items-end gap-3">
        <Form method="post" className="flex min-w-0 flex-1 flex-wrap items-end gap-3">
          <label className="min-w-48 flex-1">
            <span className="mb-1.5 block font-medium text-sm">Evento</span>
            <select name="event" className="select h-11 w-full text-base sm:text-sm">
              {webhook.events.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <SubmitButton intent="test" pending="Enviando..." className="border-base-300">
            <Send className="size-4" aria-hidden="true" />
            Enviar teste
          </SubmitButton>
        </Form>
      </div>
      <Switch
        called="webhook"
        name={webhook.name}
        stopped={webhook.stopped !== null}
        lossWarning={LOSS_WARNING}
      />
    </Card>
  );
}
