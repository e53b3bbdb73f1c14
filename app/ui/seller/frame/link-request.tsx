import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

type Reply = { sent: string } | SubmissionResult<string[]>;

/** A form for an address to mail a link to; `sent` is shown afterwards. */
export function LinkRequest(props: {
  id: string;
  title: string;
  text: string;
  reply: Reply | undefined;
  sent: (email: ReactNode) => ReactNode;
}) {
  const { reply } = props;
  const sent = reply && "sent" in reply ? reply.sent : null;
  const [form, fields] = useForm<{ email: string }>({
    id: props.id,
    lastResult: reply && !("sent" in reply) ? reply : null,
  });
  return (
    <AuthCard
      title={props.title}
      text={sent ? undefined : props.text}
      below={
        <Link to={paths.login()} className="link inline-flex min-h-11 items-center">
          Voltar ao login
        </Link>
      }
    >
      {sent ? (
        <Alert tone="success">{props.sent(<strong>{sent}</strong>)}</Alert>
      ) : (
        <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
          <FormErrors errors={form.errors} />
          <Field field={fields.email} label="E-mail" type="email" autoComplete="email" required />
          <SubmitButton pending="Enviando...">Enviar link</SubmitButton>
        </Form>
      )}
    </AuthCard>
  );
}
