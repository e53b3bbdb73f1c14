import { Link } from "@remix-run/react";
import { useState } from "react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/** The mail provider's key and a test mail; other e-mail settings have their own screen. */
export function MailCard(props: {
  apiKey: string;
  version: string;
  email: string;
  reply: FormReply | null;
  testReply: FormReply | null;
}) {
  const { values, key, onSaved } = useRestoredForm("resend-key", props);
  const { apiKey, version } = values;
  const configured = apiKey !== "";
  const recipient = String(props.testReply?.initialValue?.test_email ?? props.email);
  const [testTo, setTestTo] = useState(recipient);
  const hydrated = useHydrated();
  return (
    <Card
      title="E-mail"
      text="Com a sua chave do Resend e um domínio verificado, os e-mails aos compradores saem do seu próprio endereço."
      action={
        <Link to={paths.emailSettings()} className="btn min-h-11">
          Configurar e-mail
        </Link>
      }
    >
      <div className="flex flex-col gap-5">
        <Alert
          live={false}
          tone={configured ? "info" : "warning"}
          text={
            configured
              ? "A chave do Resend está salva. Os e-mails saem do seu endereço quando o domínio dele está verificado."
              : "E-mail não configurado: até lá, os e-mails saem pelo remetente da plataforma."
          }
        />
        <RestoredForm
          key={key}
          id="resend-key"
          {...{ version, onSaved }}
          intent="resend-key"
          reply={props.reply}
          reload={paths.settings("gateways")}
          preventScrollReset
          className="flex flex-col gap-3"
        >
          <FormErrors errors={props.reply?.error?.[""] ?? undefined} />
          <PasswordField
            field={fieldOf("resend_api_key", String(props.reply?.initialValue?.resend_api_key ?? apiKey))}
            label="Chave do Resend"
            help="Começa com re_. Conferida com o Resend ao salvar e guardada com criptografia."
            autoComplete="off"
          />
          <SubmitButton intent="resend-key" className="self-start border-base-300">
            Salvar chave
          </SubmitButton>
        </RestoredForm>
        <Form
          method="post"
          noValidate
          preventScrollReset
          className="flex flex-col gap-3 border-base-300 border-t pt-5"
        >
          <Field
            field={fieldOf("test_email", recipient, props.testReply?.error?.test_email)}
            label="E-mail de teste"
            type="email"
            autoComplete="email"
            help={testTo === "" ? "Digite um email para teste" : undefined}
            onChange={(event) => setTestTo(event.currentTarget.value.trim())}
          />
          <SubmitButton
            intent="test-email"
            pending="Enviando..."
            disabled={hydrated && testTo === ""}
            className="self-start border-base-300"
          >
            Enviar e-mail de teste
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

/** Field metadata for a form too small for conform. */
function fieldOf(name: string, initialValue: string, errors?: string[] | null): FieldMeta {
  return {
    id: name,
    name,
    errors: errors ?? undefined,
    errorId: `${name}-error`,
    descriptionId: `${name}-help`,
    initialValue,
  };
}
