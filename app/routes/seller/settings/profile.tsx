import { getFormProps, useForm } from "@conform-to/react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Props = {
  account: {
    name: string;
    email: string;
    company: string | null;
    phone: string | null;
    pendingEmail: string | null;
  };
  version: string;
  lastResult: FormReply | null;
};

const CANCEL_FORM = "cancel-email-change";

type Fields = { name: string; email: string; company: string; phone: string };

export function ProfileTab({ account, version, lastResult }: Props) {
  const { values, key, onSaved } = useRestoredForm("profile", { account, version });
  return (
    <Card title="Perfil" text="Seus dados. O nome da empresa aparece para quem compra, se houver.">
      <ProfileForm key={key} {...values} lastResult={lastResult} onSaved={onSaved} />
      {/* Of its own, so that its button leaves what is typed above as it is. */}
      <Form id={CANCEL_FORM} method="post" noValidate />
    </Card>
  );
}

function ProfileForm({ account, version, lastResult, onSaved }: Props & { onSaved: () => void }) {
  const [form, fields] = useForm<Fields>({
    id: "profile",
    lastResult,
    defaultValue: {
      name: account.name,
      email: account.email,
      company: account.company ?? "",
      phone: account.phone ?? "",
    },
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      {...{ version, onSaved }}
      intent="profile"
      reply={lastResult}
      reload={paths.settings("perfil")}
      className="flex flex-col gap-4"
    >
      <FormErrors errors={form.errors} />
      {account.pendingEmail && (
        <Alert tone="info">
          Esperando a confirmação de <strong>{account.pendingEmail}</strong>. Até lá vale {account.email}.
          <SubmitButton
            form={CANCEL_FORM}
            intent="cancel-email-change"
            pending="Cancelando..."
            className="btn-sm mt-2 flex border-base-300 bg-base-100"
          >
            Cancelar a troca
          </SubmitButton>
        </Alert>
      )}
      <Field field={fields.name} label="Nome" autoComplete="name" maxLength={120} required />
      <Field
        field={fields.email}
        label="E-mail"
        type="email"
        autoComplete="email"
        help="Um novo e-mail vale depois de confirmado pelo link que enviamos."
        required
      />
      <Field field={fields.company} label="Empresa" optional autoComplete="organization" maxLength={120} />
      <Field
        field={fields.phone}
        label="Telefone"
        optional
        type="tel"
        autoComplete="tel"
        placeholder="(11) 98765-4321"
      />
      <SubmitButton intent="profile" className="btn-primary self-start lg:hidden">
        Salvar perfil
      </SubmitButton>
    </RestoredForm>
  );
}
