import { getFormProps, useForm } from "@conform-to/react";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { findReset, resetPassword } from "#app/domain/identity/email/reset-password.server.ts";
import { resetPasswordForm } from "#app/domain/identity/new-password-form.server.ts";
import { paths } from "#app/kit/paths.ts";
import { invalidForm, readForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { resetTarget } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { identityProvider } from "#app/server/session/oauth.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { sessionToken, signOutCookie } from "#app/server/session/session-cookie.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { NewPasswordFields } from "#app/ui/seller/form/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

export async function loader({ params }: LoaderFunctionArgs) {
  const found = await findReset(params.token ?? "");
  const identity = identityProvider.configured && found?.hasIdentity === true;
  return data({ usable: found !== null, keys: found?.keys ?? 0, identity }, found ? 200 : 404);
}

export async function action({ request, params }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  const submission = await readForm(request, resetPasswordForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    const { password, endKeys, endIdentity } = submission.value;
    const ends = { endKeys, endIdentity, from: requestOrigin(request, null) };
    const email = await resetPassword(params.token ?? "", password, ends);
    await resetTarget("sign-in", email);
    const ended = [
      "Senha alterada. Entre com a nova senha.",
      ...(endKeys ? ["As chaves de API foram encerradas."] : []),
      ...(endIdentity ? ["O provedor de identidade não abre mais a conta."] : []),
    ];
    const answer = await redirectWithMessage(paths.login(), ended.join(" "));
    // The dashboard of another account that is open in this browser would show the message as its own.
    const open = await sessionToken(request);
    if (open) {
      await endSession(open);
      answer.headers.append("Set-Cookie", await signOutCookie());
    }
    return answer;
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export { unlessUnreachable as shouldRevalidate };

type Fields = { password: string; confirmPassword: string; endKeys: string; endIdentity: string };

export default function ResetPassword() {
  const { usable, keys, identity } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Fields>({ id: "reset", lastResult: reply ?? null });
  if (!usable)
    return (
      <AuthCard title="Link inválido">
        <Alert tone="error" text="Este link não vale mais: ele funciona uma vez e por 1 hora." />
        <Link to={paths.forgotPassword()} className="btn btn-primary min-h-11">
          Pedir outro link
        </Link>
      </AuthCard>
    );
  return (
    <AuthCard
      title="Nova senha"
      text="As sessões abertas serão encerradas. Uma troca de e-mail que ainda não foi confirmada será cancelada. O que você digitou em uma sessão que terminou, e espera o seu login, será apagado."
    >
      <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
        <FormErrors errors={form.errors} />
        <NewPasswordFields password={fields.password} confirmPassword={fields.confirmPassword} />
        {keys > 0 && (
          <Toggle
            field={fields.endKeys}
            label="Encerrar também as chaves de API"
            help={`${keys === 1 ? "A conta tem 1 chave" : `A conta tem ${keys} chaves`}. Encerre se alguém mais pode ter entrado: os sistemas que as usam perdem o acesso.`}
          />
        )}
        {identity && (
          <Toggle
            field={fields.endIdentity}
            label="Encerrar também a entrada pelo provedor de identidade"
            help="Quem entra por ele não precisa da senha. Encerre se alguém mais pode ter entrado. A conta que tiver este mesmo e-mail no provedor pode se ligar de novo, com um aviso a você: se ela não for sua, recupere-a no provedor."
          />
        )}
        <SubmitButton>Salvar senha</SubmitButton>
      </Form>
    </AuthCard>
  );
}

export const meta: MetaFunction = () => [{ title: "Nova senha · Checkintelli" }];
