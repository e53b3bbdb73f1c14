import { getFormProps, useForm } from "@conform-to/react";
import { Link } from "@remix-run/react";
import { DOMAIN_STATE_TEXTS, type DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { DomainNameField } from "#app/routes/seller/settings/email/domain-name-field.tsx";
import { HookCard, type HookView } from "#app/routes/seller/settings/email/hook.tsx";
import { ManualDomain } from "#app/routes/seller/settings/email/manual.tsx";
import { RecordList } from "#app/routes/seller/settings/email/records.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { useRecheck } from "#app/ui/seller/use-recheck.ts";

type Props = {
  hasKey: boolean;
  version: string;
  domain: DomainView | null;
  hook: HookView | null;
  resultOf: (intent: string) => FormReply | null;
};

const RECHECK_INTERVAL_MS = 4 * SECOND;

const CREATE = { intent: "create-domain", label: "Criar domínio no Resend", pending: "Criando..." };
const VERIFY = { intent: "verify-domain", label: "Verificar agora", pending: "Verificando..." };

/** What is to be done with the domain, for the screen's header. */
export function domainAction({ hasKey, domain }: Pick<Props, "hasKey" | "domain">) {
  if (!hasKey) return { form: "save-domain", intent: "save-domain", label: "Salvar domínio" };
  if (!domain?.atResend) return { form: "create-domain", ...CREATE };
  return domain.isVerified ? null : { form: "verify-domain", ...VERIFY };
}

/** The sending domain: at Resend if there is a key, else managed manually. */
export function DomainTab({ hasKey, version, domain, hook, resultOf }: Props) {
  // Resend is verifying.
  useRecheck(domain?.status === "pending", RECHECK_INTERVAL_MS);
  return (
    <div className="flex flex-col gap-6">
      {!hasKey && (
        <Alert tone="info" live={false}>
          Sem chave do Resend, os registros ficam guardados aqui à mão e os e-mails saem pela plataforma.{" "}
          <Link to={paths.emailSettings()} className="link">
            Salvar uma chave
          </Link>
        </Alert>
      )}
      {hasKey && domain?.atResend && <AtResend {...{ domain, version, resultOf }} />}
      {hasKey && !domain?.atResend && (
        <CreateDomain {...{ domain, version }} result={resultOf("create-domain")} />
      )}
      {!domain?.atResend && (
        <ManualDomain domain={domain} version={version} folded={hasKey} result={resultOf("save-domain")} />
      )}
      {hook && <HookCard hook={hook} result={resultOf("hook-secret")} />}
    </div>
  );
}

type CreateDomainProps = { domain: DomainView | null; version: string; result: FormReply | null };

function CreateDomain(props: CreateDomainProps) {
  const { values, key, onSaved } = useRestoredForm("create-domain", props);
  return <CreateForm key={key} {...values} result={props.result} onSaved={onSaved} />;
}

function CreateForm({ domain, version, result, onSaved }: CreateDomainProps & { onSaved: () => void }) {
  const [form, fields] = useForm<{ domain_name: string }>({
    id: "create-domain",
    lastResult: result,
    defaultValue: { domain_name: domain?.domainName ?? "" },
  });
  return (
    <Card
      title="Conectar domínio"
      text="Criamos o domínio na sua conta do Resend e mostramos os registros para o DNS."
    >
      <RestoredForm
        {...getFormProps(form)}
        {...{ version, onSaved }}
        intent="create-domain"
        reply={result}
        reload={paths.emailSettings("domain")}
        className="flex flex-col gap-4"
      >
        <FormErrors errors={form.errors} />
        <DomainNameField field={fields.domain_name} />
        <SubmitButton
          intent={CREATE.intent}
          pending={CREATE.pending}
          className="btn-primary self-start lg:hidden"
        >
          {CREATE.label}
        </SubmitButton>
      </RestoredForm>
    </Card>
  );
}

type AtResendProps = Pick<Props, "version" | "resultOf"> & { domain: DomainView };

function AtResend({ domain, version, resultOf }: AtResendProps) {
  const { label, tone, text } = DOMAIN_STATE_TEXTS[domain.status];
  const errors = (resultOf("verify-domain") ?? resultOf("remove-domain"))?.error?.[""];
  return (
    <Card
      title={domain.domainName}
      action={
        <span role="status">
          <Badge tone={tone}>{label}</Badge>
        </span>
      }
    >
      <div className="flex flex-col gap-5">
        <FormErrors errors={errors ?? undefined} />
        {/* The form that was sent is gone from the screen with the state that it was for. */}
        {resultOf("create-domain") && (
          <Alert tone="warning">
            Nada foi criado: este domínio foi conectado em outro lugar depois que você abriu a página.
          </Alert>
        )}
        <p className="text-sm">{text}</p>
        <RecordList domain={domain} />
        <div className="flex flex-wrap items-center gap-3">
          <Form method="post" id={VERIFY.intent}>
            <SubmitButton
              intent={VERIFY.intent}
              pending={VERIFY.pending}
              className={domain.isVerified ? "btn-outline" : "btn-primary lg:hidden"}
            >
              {domain.isVerified ? "Verificar de novo" : VERIFY.label}
            </SubmitButton>
          </Form>
          <ConfirmDialog
            trigger="Remover domínio"
            title={`Remover ${domain.domainName}?`}
            text="Os e-mails voltam a sair pela plataforma. O domínio continua na sua conta do Resend."
          >
            <Form method="post">
              <input type="hidden" name="version" value={version} />
              <SubmitButton intent="remove-domain" pending="Removendo..." className="btn-error">
                Remover
              </SubmitButton>
            </Form>
          </ConfirmDialog>
          {domain.checkedAt && (
            <p className="text-base-content/70 text-xs">Última consulta: {domain.checkedAt}</p>
          )}
        </div>
      </div>
    </Card>
  );
}
