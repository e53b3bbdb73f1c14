import { Form } from "@remix-run/react";
import { Pause, Play, Send, Trash2 } from "lucide-react";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Controlled = { name: string; stopped: string | null; events: { id: string; label: string }[] };

/** A test, the switch, and the end. */
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
      <div className="mt-5 flex flex-wrap gap-2 border-base-300 border-t pt-4">
        <Form method="post">
          {webhook.stopped ? (
            <SubmitButton intent="resume" pending="Ligando..." className="btn-primary">
              <Play className="size-4" aria-hidden="true" />
              Ligar
            </SubmitButton>
          ) : (
            <SubmitButton intent="pause" pending="Pausando..." className="border-base-300">
              <Pause className="size-4" aria-hidden="true" />
              Pausar
            </SubmitButton>
          )}
        </Form>
        <ConfirmDialog
          trigger={
            <>
              <Trash2 className="size-4" aria-hidden="true" />
              Excluir
            </>
          }
          triggerClassName="btn btn-ghost min-h-11 text-error"
          title={`Excluir o webhook ${webhook.name}?`}
          text="O endereço deixa de ser avisado, e o registro do que foi enviado se perde. Isso não pode ser desfeito."
        >
          <Form method="post">
            <SubmitButton intent="delete" pending="Excluindo..." className="btn-error">
              Excluir webhook
            </SubmitButton>
          </Form>
        </ConfirmDialog>
      </div>
    </Card>
  );
}
