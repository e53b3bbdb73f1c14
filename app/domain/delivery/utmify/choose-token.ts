import { Refusal } from "#app/kit/refusal.ts";

/**
 * The token a form means: a mask stands for the saved one, which goes to no other host than it was saved for. Empty means
 * none.
 * @throws Refusal invalid
 */
export function chooseToken(
  posted: { token: string; isMask: boolean; apiUrl: string },
  saved: { token: string | null; apiUrl: string },
): string {
  if (!posted.isMask) return posted.token;
  if (saved.token && hostOf(posted.apiUrl) !== hostOf(saved.apiUrl))
    throw new Refusal("invalid", "Para usar outro endereço, informe o token da API de novo.", "api_token");
  return saved.token ?? "";
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
