import { ExternalLink } from "lucide-react";
import type { SetupStep } from "#app/domain/gateway/providers/account-form.ts";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Props = {
  provider: string;
  /** The provider, as in "painel do …". */
  ofProvider: string;
  url: string;
  panelUrl: string;
  steps: SetupStep[];
  secret: string;
  secretLabel: string;
  version: string;
  reply: FormReply | null;
};

/** The steps in the provider's panel, numbered as the advice of a failed test names them. */
export function SetupSteps(props: Props) {
  return (
    <Card title={`No painel ${props.ofProvider}`}>
      <ol className="flex flex-col gap-5">
        {props.steps.map((step, at) => (
          <li key={step.text} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-base-200 font-semibold text-sm tabular-nums"
            >
              {at + 1}
            </span>
            <div className="min-w-0 flex-1 pt-1">
              <p className="text-sm">{step.text}</p>
              <Shown {...props} shows={step.shows} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Shown({ shows, ...props }: Props & { shows: SetupStep["shows"] }) {
  if (shows === "panel")
    return (
      <a
        href={props.panelUrl}
        target="_blank"
        rel="noreferrer"
        className="btn mt-2 min-h-11 border-base-300 bg-base-100"
      >
        Abrir o painel {props.ofProvider}
        <ExternalLink className="size-4" aria-hidden="true" />
        <span className="sr-only">(abre em outra aba)</span>
      </a>
    );
  if (shows === "url")
    return (
      <div className="mt-2 flex flex-wrap items-center gap-x-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 basis-48 select-all break-all py-2 text-xs">{props.url}</code>
        <CopyButton text={props.url} label="Copiar URL" />
      </div>
    );
  return shows === "secret" ? <SecretForm {...props} /> : null;
}

function SecretForm(props: Props) {
  const { values, key, onSaved } = useRestoredForm("webhook-secret", props);
  const { secret, version } = values;
  const shown = String(props.reply?.initialValue?.webhook_secret ?? secret);
  return (
    <RestoredForm
      key={key}
      id="webhook-secret"
      {...{ version, onSaved }}
      intent="webhook-secret"
      reply={props.reply}
      reload={paths.webhookSetup(props.provider)}
      preventScrollReset
      className="mt-3 flex flex-col gap-3"
    >
      <FormErrors errors={props.reply?.error?.[""] ?? undefined} />
      <PasswordField
        field={{
          ...{ id: "webhook_secret", name: "webhook_secret", initialValue: shown },
          ...{ errors: props.reply?.error?.webhook_secret ?? undefined },
          ...{ errorId: "webhook_secret-error", descriptionId: "webhook_secret-help" },
        }}
        label={props.secretLabel}
        help={
          secret === ""
            ? "Guardada com criptografia. Depois de salva, notificações sem ela são recusadas."
            : "Já salva. Deixe como está para manter; cole outra para trocar."
        }
        autoComplete="off"
      />
      <SubmitButton intent="webhook-secret" className="self-start border-base-300">
        Salvar assinatura
      </SubmitButton>
    </RestoredForm>
  );
}
