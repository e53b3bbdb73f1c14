import { getFormProps, useForm } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData } from "@remix-run/react";
import { MailCheck } from "lucide-react";
import { register } from "#app/domain/identity/register.server.ts";
import { type RegisterForm, registerForm } from "#app/domain/identity/register-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { invalidForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { takeBackRefused } from "#app/server/limits/take-back-refused.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { rememberRegistration } from "#app/server/session/registration-cookie.server.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { useUntilEdited } from "#app/ui/seller/form/until-edited.ts";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  if (await currentSeller(request)) throw redirect(paths.dashboard());
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  const submission = await readForm(request, registerForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    const counted = await throttle("register", request, submission.value.email);
    const sellerId = await takeBackRefused(counted, register(submission.value));
    const { email } = submission.value;
    return data(
      {
        created: email,
        inboxUrl: env.sandboxUrl && `${env.sandboxUrl}/inbox?to=${encodeURIComponent(email)}`,
      },
      { headers: { "Set-Cookie": await rememberRegistration(sellerId) } },
    );
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export { unlessUnreachable as shouldRevalidate };

export default function Register() {
  const reply = useActionData<typeof action>();
  if (reply && "created" in reply) return <Created email={reply.created} inboxUrl={reply.inboxUrl} />;
  return <Registration reply={reply} />;
}

type Reply = Exclude<ReturnType<typeof useActionData<typeof action>>, { created: string }>;

function Registration({ reply }: { reply: Reply }) {
  const [form, fields] = useForm<RegisterForm>({ id: "register", lastResult: reply ?? null });
  const { onInput, ofForm, ofField } = useUntilEdited(reply ?? null);
  return (
    <AuthCard
      title="Criar conta"
      text="Publique seu primeiro checkout em menos de 5 minutos."
      below={
        <>
          Já tem conta?{" "}
          <Link to={paths.login()} className="link link-primary inline-flex min-h-11 items-center">
            Fazer login
          </Link>
        </>
      }
    >
      <Form method="post" {...getFormProps(form)} onInput={onInput} className="flex flex-col gap-4">
        <FormErrors errors={ofForm(form.errors)} />
        <Field
          field={ofField(fields.name)}
          label="Nome completo"
          autoComplete="name"
          maxLength={120}
          required
        />
        <Field field={ofField(fields.email)} label="E-mail" type="email" autoComplete="email" required />
        <PasswordField
          field={ofField(fields.password)}
          label="Senha"
          help="Pelo menos 8 caracteres."
          autoComplete="new-password"
          required
        />
        <PasswordField
          field={ofField(fields.confirmPassword)}
          label="Confirmar senha"
          autoComplete="new-password"
          required
        />
        <SubmitButton pending="Criando conta...">Criar conta</SubmitButton>
        <p className="text-base-content/70 text-xs">
          Ao criar a conta você aceita os{" "}
          <Link to={paths.terms()} className="link">
            Termos de uso
          </Link>{" "}
          e a{" "}
          <Link to={paths.privacy()} className="link">
            Política de privacidade
          </Link>
          .
        </p>
      </Form>
    </AuthCard>
  );
}

/** @param inboxUrl where the demonstration's mails arrive */
function Created({ email, inboxUrl }: { email: string; inboxUrl: string | null }) {
  return (
    <AuthCard title="Conta criada com sucesso!">
      <div role="status" className="flex items-start gap-3 rounded-box bg-base-200 p-4 text-sm">
        <MailCheck className="size-5 shrink-0 text-success" aria-hidden="true" />
        <p className="min-w-0 break-words">
          Enviamos um link de confirmação para <strong>{email}</strong>.
        </p>
      </div>
      <div>
        <h2 className="font-medium text-sm">Próximos passos</h2>
        <ol className="mt-2 list-decimal space-y-1 pl-5 text-base-content/80 text-sm">
          <li>Abra sua caixa de entrada e veja também o spam.</li>
          <li>Clique no link de confirmação.</li>
          <li>Neste navegador você já entra; em outro, faça login com seu e-mail e sua senha.</li>
        </ol>
      </div>
      {inboxUrl && (
        <a href={inboxUrl} className="btn btn-primary min-h-11">
          Abrir o e-mail da demonstração
        </a>
      )}
      <Link
        to={paths.login()}
        className={`btn min-h-11 ${inboxUrl ? "border-base-300 bg-base-100" : "btn-primary"}`}
      >
        Ir para o login
      </Link>
      <Form method="post" action={paths.resendConfirmation()}>
        <input type="hidden" name="email" value={email} />
        <button type="submit" className="btn btn-ghost min-h-11 w-full">
          Não chegou? Enviar de novo
        </button>
      </Form>
    </AuthCard>
  );
}

export const meta: MetaFunction = () => [{ title: "Criar conta · Checkintelli" }];
