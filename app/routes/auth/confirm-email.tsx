import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { confirmEmail, findConfirmation } from "#app/domain/identity/email/confirm-email.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { flashCookie } from "#app/server/session/flash.server.ts";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { refuseCrossSitePage } from "#app/server/session/refuse-cross-site.server.ts";
import { clearRegistration, recallRegistration } from "#app/server/session/registration-cookie.server.ts";
import { startSession } from "#app/server/session/sign-in.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { orFormError, unlessUnreachable } from "#app/ui/seller/form/unreachable.ts";
import { AuthCard } from "#app/ui/seller/frame/auth-card.tsx";

/** The link in the mail. Opening it changes nothing, since mail scanners open links; the button does. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const signedIn = (await currentSeller(request)) !== null;
  try {
    return data({ ...(await findConfirmation(params.token ?? "")), problem: null, signedIn });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const unusable = { email: null, confirmed: false, changes: false };
    return data({ ...unusable, problem: error.message, signedIn }, 404);
  }
}

export async function action({ request, params }: ActionFunctionArgs) {
  refuseCrossSitePage(request);
  const token = params.token ?? "";
  try {
    const sellerId = await confirmEmail(token, requestOrigin(request, null));
    // The browser that typed the password a while ago need not type it again.
    if (sellerId && sellerId === (await recallRegistration(request)))
      return redirect(paths.dashboard(), { headers: await welcome(request, sellerId) });
    return redirect(paths.confirmEmail(token));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, status } = toFailure(error, request);
    return data({ error: { "": [message] } }, status);
  }
}

async function welcome(request: Request, sellerId: string): Promise<[string, string][]> {
  return [
    ["Set-Cookie", await startSession(request, { sellerId })],
    ["Set-Cookie", await clearRegistration()],
    ["Set-Cookie", await flashCookie("E-mail confirmado. Boas-vindas à Checkintelli!")],
  ];
}

/** If the network fails, the page stays and shows an error. */
export function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return orFormError(serverAction<typeof action>(), "Erro interno. Tente novamente.");
}

export { unlessUnreachable as shouldRevalidate };

export default function ConfirmEmail() {
  const { email, confirmed, problem } = useLoaderData<typeof loader>();
  if (!email) return <LinkProblem problem={problem ?? ""} />;
  return confirmed ? <Confirmed email={email} /> : <ConfirmForm email={email} />;
}

function ConfirmForm({ email }: { email: string }) {
  const { changes } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  return (
    <AuthCard title="Confirme seu e-mail">
      <FormErrors errors={reply?.error[""]} />
      <p className="break-words text-sm">
        {changes ? "O e-mail da conta passa a ser " : "Confirme que "}
        <strong>{email}</strong>
        {changes ? "." : " é seu: é com ele que você entra na Checkintelli."}
      </p>
      <p className="text-base-content/75 text-sm">
        Não foi você que pediu? Feche esta página: sem o botão, nada acontece.
      </p>
      <Form method="post">
        <SubmitButton pending="Confirmando..." className="btn-primary w-full">
          Confirmar e-mail
        </SubmitButton>
      </Form>
    </AuthCard>
  );
}

function Confirmed({ email }: { email: string }) {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <AuthCard title="E-mail confirmado">
      <Alert tone="success">
        O endereço <strong>{email}</strong> está confirmado.
      </Alert>
      <Link to={signedIn ? paths.dashboard() : paths.login()} className="btn btn-primary min-h-11">
        {signedIn ? "Ir para o painel" : "Fazer login"}
      </Link>
    </AuthCard>
  );
}

function LinkProblem({ problem }: { problem: string }) {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <AuthCard title="Link inválido">
      <Alert tone="error" text={problem} />
      <p className="text-sm">O link pode ter vencido ou já ter sido trocado por outro mais novo.</p>
      {/* A changed address gets its new link where it is changed; the other page serves only new accounts. */}
      <Link
        to={signedIn ? paths.settings() : paths.resendConfirmation()}
        className="btn btn-primary min-h-11"
      >
        {signedIn ? "Ir para o perfil" : "Pedir outro link"}
      </Link>
    </AuthCard>
  );
}

export const meta: MetaFunction = () => [{ title: "Confirmação de e-mail · Checkintelli" }];
