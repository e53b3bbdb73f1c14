import { getFormProps, useForm } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { type Credentials, credentialsForm } from "#app/domain/identity/credentials-form.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { invalidForm, parseForm, readPostedForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { readFlash } from "#app/server/session/flash.server.ts";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { findWaitingForm } from "#app/server/session/interrupted-form.server.ts";
import { identityProvider } from "#app/server/session/oauth.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { checkPassword, startSession } from "#app/server/session/sign-in.server.ts";
import { describeSignInProblem } from "#app/server/session/sign-in-problems.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const returnTo = safeReturnTo(query.get("returnTo"), "");
  if (await currentSeller(request)) throw redirect(returnTo || paths.dashboard());
  const { flash, headers } = await readFlash(request);
  const waiting = await findWaitingForm(request, heldIn(returnTo));
  return data(
    {
      returnTo,
      problem: describeSignInProblem(query.get("error"), query.get("reason")),
      flash,
      waiting,
      provider: identityProvider.configured ? identityProvider.label : null,
    },
    { headers },
  );
}

/** The id of the held form that the next page is about. */
function heldIn(returnTo: string): string {
  return returnTo.startsWith(paths.resumeForm("")) ? returnTo.slice(paths.resumeForm("").length) : "";
}

export async function action({ request }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  const form = await readPostedForm(request);
  const submission = parseForm(form, credentialsForm);
  if (submission.status !== "success") return invalidForm(submission);
  try {
    const found = await checkPassword(request, submission.value);
    if (found.outcome === "unconfirmed")
      return data({ ...submission.reply({ hideFields: ["password"] }), unconfirmed: found.email }, 403);
    return redirect(safeReturnTo(form.get("returnTo"), paths.dashboard()), {
      headers: { "Set-Cookie": await startSession(request, found) },
    });
  } catch (error) {
    return refusedForm(submission, error, request);
  }
}

/** If the network fails, the form stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export { unlessUnreachable as shouldRevalidate };

export default function Login() {
  const { returnTo, problem, flash, waiting, provider } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Credentials>({ id: "login", lastResult: reply ?? null });
  const unconfirmed = reply && "unconfirmed" in reply ? String(reply.unconfirmed) : null;
  return (
    <AuthCard
      title="Entrar"
      text="Acesse o painel das suas vendas."
      below={
        <>
          Ainda não tem conta?{" "}
          <Link to={paths.register()} className="link link-primary inline-flex min-h-11 items-center">
            Criar conta grátis
          </Link>
        </>
      }
    >
      {flash && !reply && <Alert tone={flash.tone} text={flash.text} />}
      {waiting && (
        <Alert tone="info" live={false}>
          Sua sessão terminou. O que você digitou está guardado: entre na mesma conta para continuar.
          {waiting.withoutFiles && " Os arquivos escolhidos não ficam guardados: escolha-os de novo depois."}
        </Alert>
      )}
      {problem && !reply && <Alert tone="error" text={problem} />}
      {unconfirmed && <Unconfirmed email={unconfirmed} />}
      {provider && (
        <>
          <Form method="post" action={paths.oauthStart()} reloadDocument>
            <input type="hidden" name="returnTo" value={returnTo} />
            <button type="submit" className="btn h-auto min-h-11 w-full border-base-300 py-2.5 leading-tight">
              {provider}
            </button>
          </Form>
          <div className="divider my-0 text-base-content/70 text-xs">ou com e-mail e senha</div>
        </>
      )}
      <Form method="post" {...getFormProps(form)} className="flex flex-col gap-4">
        <FormErrors errors={form.errors} />
        <input type="hidden" name="returnTo" value={returnTo} />
        <Field field={fields.email} label="E-mail" type="email" autoComplete="username" required />
        <PasswordField field={fields.password} label="Senha" autoComplete="current-password" required />
        <Link
          to={paths.forgotPassword()}
          className="link link-hover -mt-2 inline-flex min-h-11 items-center self-start text-sm"
        >
          Esqueci minha senha
        </Link>
        {waiting && (
          <p className="-mt-2 text-base-content/75 text-sm">
            Com uma senha nova, o que você digitou é apagado, e será preciso digitar de novo.
          </p>
        )}
        <SubmitButton pending="Entrando...">Entrar</SubmitButton>
      </Form>
    </AuthCard>
  );
}

function Unconfirmed({ email }: { email: string }) {
  return (
    <Alert tone="error">
      <p>Confirme seu e-mail antes de entrar: enviamos um link para {email}.</p>
      <Form method="post" action={paths.resendConfirmation()} className="mt-2">
        <input type="hidden" name="email" value={email} />
        <button type="submit" className="btn btn-sm min-h-11">
          Enviar o link de novo
        </button>
      </Form>
    </Alert>
  );
}

export const meta: MetaFunction = () => [{ title: "Entrar · Checkintelli" }];
