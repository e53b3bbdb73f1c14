import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { confirmEmail } from "#app/domain/identity/confirm-email.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { AuthCard } from "#app/ui/seller/auth-card.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";
import { currentSeller } from "#app/web/guards.server.ts";

/** The link in the mail: opening it confirms, and opening it again does no harm. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const signedIn = (await currentSeller(request)) !== null;
  try {
    return data({ email: await confirmEmail(params.token ?? ""), problem: null, signedIn });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data({ email: null, problem: error.message, signedIn }, error.kind === "conflict" ? 409 : 404);
  }
}

export default function ConfirmEmail() {
  const { email, problem, signedIn } = useLoaderData<typeof loader>();
  if (!email)
    return (
      <AuthCard title="Link inválido">
        <Notice tone="error" text={problem ?? ""} />
        <p className="text-sm">O link pode ter vencido ou já ter sido trocado por outro mais novo.</p>
        <Link to={paths.resendConfirmation()} className="btn btn-primary min-h-11">
          Pedir outro link
        </Link>
      </AuthCard>
    );
  return (
    <AuthCard title="E-mail confirmado">
      <Notice tone="success">
        O endereço <strong>{email}</strong> está confirmado.
      </Notice>
      <Link to={signedIn ? paths.dashboard() : paths.login()} className="btn btn-primary min-h-11">
        {signedIn ? "Ir para o painel" : "Fazer login"}
      </Link>
    </AuthCard>
  );
}

export const meta: MetaFunction = () => [{ title: "Confirmação de e-mail · Checkintelli" }];
