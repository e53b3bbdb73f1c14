import { getFormProps, useForm } from "@conform-to/react";
import { ChevronDown } from "lucide-react";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Resend's webhook for the events of this seller's mails. `saved`: no webhook has arrived yet with a secret entered by hand. */
export type HookView = {
  address: string;
  state: "connecting" | "saved" | "connected";
  failure: string | null;
};

/** Whether deliveries, bounces and complaints are reported to us; set up manually for keys that may only send. */
export function HookCard({ hook, result }: { hook: HookView; result: FormReply | null }) {
  const { key, onSaved } = useRestoredForm("hook", { version: 0 });
  const form = <SecretForm key={key} result={result} onSaved={onSaved} />;
  return (
    <Card
      title="Avisos de entrega"
      text="O Resend nos conta quando um e-mail é entregue, devolvido ou marcado como spam."
      action={<State hook={hook} />}
    >
      <div className="flex flex-col gap-4">
        {hook.failure && <p className="text-sm">{hook.failure}</p>}
        {!hook.failure && hook.state === "saved" && (
          <p className="text-sm">
            Nenhum aviso do Resend chegou desde que você colou o segredo. Se um e-mail sair e nada mudar aqui,
            confira o endereço e o segredo no painel do Resend.
          </p>
        )}
        <div>
          <p className="font-medium text-sm">Endereço do webhook</p>
          <div className="mt-1 flex items-start justify-between gap-2 rounded-field bg-base-200 pl-3">
            <code className="min-w-0 break-all py-3 text-xs leading-5">{hook.address}</code>
            <CopyButton text={hook.address} label="Copiar endereço do webhook" iconOnly />
          </div>
        </div>
        {hook.failure || hook.state === "connecting" ? (
          form
        ) : (
          <details className="group rounded-box border border-base-300" open={result !== null}>
            <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 px-4 font-medium text-sm [&::-webkit-details-marker]:hidden">
              Trocar o segredo
              <ChevronDown className="size-4 transition-transform group-open:rotate-180" aria-hidden="true" />
            </summary>
            <div className="p-4 pt-2">{form}</div>
          </details>
        )}
      </div>
    </Card>
  );
}

function SecretForm({ result, onSaved }: { result: FormReply | null; onSaved: () => void }) {
  const [form, fields] = useForm<{ hook_secret: string }>({ id: "hook", lastResult: result });
  return (
    <RestoredForm
      {...getFormProps(form)}
      intent="hook-secret"
      reply={result}
      onSaved={onSaved}
      className="flex flex-col gap-4"
    >
      <FormErrors errors={form.errors} />
      <Field
        field={fields.hook_secret}
        label="Segredo do webhook"
        placeholder="whsec_..."
        help="Cadastre o endereço acima em Webhooks no painel do Resend e cole aqui o segredo (Signing Secret)."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <SubmitButton intent="hook-secret" className="btn-outline self-start">
        Salvar segredo
      </SubmitButton>
    </RestoredForm>
  );
}

function State({ hook }: { hook: HookView }) {
  if (hook.failure) return <Badge tone="warning">Não conectado</Badge>;
  if (hook.state === "connected") return <Badge tone="success">Conectado</Badge>;
  if (hook.state === "saved") return <Badge tone="info">Segredo salvo</Badge>;
  return <Badge tone="neutral">Conectando</Badge>;
}
