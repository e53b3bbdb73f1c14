import { getFormProps, useForm } from "@conform-to/react";
import type { ActionFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { type ClientActionFunctionArgs, Form, Link, useActionData } from "@remix-run/react";
import { emailForm } from "#app/domain/identity/credentials-form.server.ts";
import { resendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { paths } from "#app/kit/paths.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orFormSays } from "#app/ui/seller/form/unreachable.ts";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { badForm, readForm, refusedForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { refuseCrossSitePage } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  const submission = await readForm(request, emailForm);
  if (submission.status !== "success") return badForm(submission);
  try {
    await throttle("confirm", request, submission.value.email);
    await resendConfirmation(submission.value.email);
    return data({ sent: submission.value.email });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** Where the network fails the form stays as it is and says so. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormSays(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export default function ResendConfirmation() {
  const reply = useActionData<typeof action>();
  const sent = reply && "sent" in reply ? reply.sent : null;
  const [form, fields] = useForm<{ email: string }>({
    id: "resend",
    lastResult: reply && !("sent" in reply) ? reply : null,
  });
  return (
    <AuthCard
      title="Confirmar e-mail"
      text={sent ? undefined : "Enviamos outra vez o link que confirma a sua conta."}
      below={
        <Link to={paths.login()} className="link inline-flex min-h-11 items-center">
          Voltar ao login
        </Link>
      }
    >
      {sent ? (
        <Notice tone="success">
          Se <strong>{sent}</strong> tem uma conta esperando confirmação, o link está a caminho. Veja também o
          spam.
        </Notice>
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

export const meta: MetaFunction = () => [{ title: "Confirmar e-mail · Checkintelli" }];
