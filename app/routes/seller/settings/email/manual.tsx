import { getFormProps, useForm } from "@conform-to/react";
import { ChevronDown } from "lucide-react";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { paths } from "#app/kit/paths.ts";
import { DomainNameField } from "#app/routes/seller/settings/email/domain-name-field.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

type Fields = {
  domain_name: string;
  is_verified: boolean;
  spf_record: string;
  dkim_record: string;
  dmarc_record: string;
};

type Props = { domain: DomainView | null; version: string; folded: boolean; result: FormReply | null };

/** The manually managed domain and its records; collapsed if Resend can manage it. */
export function ManualDomain({ folded, ...props }: Props) {
  const { values, key, onSaved } = useRestoredForm("save-domain", props);
  const { result } = props;
  const form = <ManualForm key={key} {...values} result={result} onSaved={onSaved} hasHeadButton={!folded} />;
  if (!folded)
    return (
      <Card title="Domínio" text="Para consultar depois: os valores vêm do painel do seu provedor de e-mail.">
        {form}
      </Card>
    );
  return (
    <details className="group rounded-box border border-base-300 bg-base-100" open={result !== null}>
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 px-5 font-medium text-sm [&::-webkit-details-marker]:hidden">
        Manter os registros à mão
        <ChevronDown className="size-4 transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="p-5 pt-2">
        <p className="mb-4 text-base-content/70 text-sm">
          Para chaves que só podem enviar: verifique o domínio no painel do Resend e marque-o aqui como
          verificado.
        </p>
        {form}
      </div>
    </details>
  );
}

type FormProps = Omit<Props, "folded"> & { onSaved: () => void; hasHeadButton: boolean };

function ManualForm({ domain, version, result, onSaved, hasHeadButton }: FormProps) {
  const [form, fields] = useForm<Fields>({
    id: "save-domain",
    lastResult: result,
    defaultValue: {
      domain_name: domain?.domainName ?? "",
      is_verified: domain?.isVerified ?? false,
      spf_record: domain?.spfRecord ?? "",
      dkim_record: domain?.dkimRecord ?? "",
      dmarc_record: domain?.dmarcRecord ?? "",
    },
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      {...{ version, onSaved }}
      intent="save-domain"
      reply={result}
      reload={paths.emailSettings("domain")}
      className="flex flex-col gap-4"
    >
      <FormErrors errors={form.errors} />
      <DomainNameField field={fields.domain_name} />
      <Toggle field={fields.is_verified} label="Domínio verificado" />
      <Textarea field={fields.spf_record} label="Registro SPF" rows={2} optional />
      <Textarea field={fields.dkim_record} label="Registro DKIM" rows={3} optional />
      <Textarea field={fields.dmarc_record} label="Registro DMARC" rows={2} optional />
      <SubmitButton
        intent="save-domain"
        className={`btn-primary self-start ${hasHeadButton ? "lg:hidden" : ""}`}
      >
        Salvar domínio
      </SubmitButton>
    </RestoredForm>
  );
}
