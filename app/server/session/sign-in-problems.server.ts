import { pick } from "#app/kit/pick.ts";

/** By a sign-in's outcome, or more specifically by its reason. */
const PROBLEMS: Record<string, string> = {
  oauth_failed: "O login foi cancelado ou recusado pelo provedor de identidade. Tente de novo.",
  no_code: "O provedor de identidade não devolveu o código de acesso. Tente de novo.",
  session_failed: "Não foi possível concluir o login. Tente de novo.",
  email_unverified:
    "O provedor de identidade não confirmou o seu e-mail. Confirme o endereço com ele ou entre com e-mail e senha.",
  not_held: "Sua sessão terminou, e o que você digitou não pôde ser guardado. Será preciso digitar de novo.",
  account_linked:
    "A conta com este e-mail está ligada a outra identidade. Entre com ela ou com e-mail e senha.",
};

/** Why a sign-in failed; null for other texts. */
export function describeSignInProblem(error: string | null, reason: string | null): string | null {
  return pick(PROBLEMS, reason ?? "") ?? pick(PROBLEMS, error ?? "") ?? null;
}
