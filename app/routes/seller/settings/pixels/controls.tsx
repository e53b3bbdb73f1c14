import { Form } from "@remix-run/react";
import { Send } from "lucide-react";
import type { PixelKind } from "#app/db/schema/lists.ts";
import { SERVICES } from "#app/routes/seller/settings/pixels/fields.ts";
import { Switch } from "#app/routes/seller/settings/webhooks/switch.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Controlled = {
  kind: PixelKind;
  name: string;
  stopped: string | null;
  testCode: string;
  events: { id: string; label: string }[];
};

const TEXTS: Record<PixelKind, string> = {
  meta: "Envia um evento inventado à aba Eventos de teste do Gerenciador de Eventos. Copie de lá o código.",
  ga4: "Pede à porta de validação do Google que confira um evento inventado. Nada é contado.",
  tiktok: "Envia um evento inventado à aba Eventos de teste do TikTok. Copie de lá o código.",
  kwai: "Envia um evento inventado marcado como teste, com o click id que a ferramenta de teste do Kwai mostra.",
};

const LOSS_WARNING = "O serviço deixa de ser informado, e o registro do que foi enviado se perde.";

/** The test, the switch, and the deletion. */
export function PixelControls({ pixel }: { pixel: Controlled }) {
  const { code } = SERVICES[pixel.kind];
  return (
    <Card title="Testar" text={TEXTS[pixel.kind]}>
      <Form method="post" noValidate className="flex min-w-0 flex-wrap items-end gap-3">
        <label className="min-w-40 flex-1">
          <span className="mb-1.5 block font-medium text-sm">Evento</span>
          <select name="event" className="select h-11 w-full text-base sm:text-sm">
            {pixel.events.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {code && (
          <label className="min-w-40 flex-1">
            <span className="mb-1.5 block font-medium text-sm">{code}</span>
            <input
              name="code"
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={500}
              defaultValue={pixel.testCode}
              className="input h-11 w-full text-base sm:text-sm"
            />
          </label>
        )}
        <SubmitButton intent="test" pending="Enviando..." className="border-base-300">
          <Send className="size-4" aria-hidden="true" />
          Enviar teste
        </SubmitButton>
      </Form>
      <Switch called="pixel" name={pixel.name} stopped={pixel.stopped !== null} lossWarning={LOSS_WARNING} />
    </Card>
  );
}
