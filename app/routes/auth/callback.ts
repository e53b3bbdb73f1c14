import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { isIdentityOf } from "#app/domain/identity/is-identity-of.server.ts";
import {
  type ProviderSignIn,
  signInWithProvider,
} from "#app/domain/identity/sign-in-with-provider.server.ts";
import { paths, safeReturnTo } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { buyerPage } from "#app/server/pages/buyer-page.server.tsx";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { flashCookie, redirectWithMessage } from "#app/server/session/flash.server.ts";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { finishOAuth, returnCookie } from "#app/server/session/oauth.server.ts";
import { startSession } from "#app/server/session/sign-in.server.ts";
import { describeSignInProblem } from "#app/server/session/sign-in-problems.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/**
 * Where the identity provider redirects the browser. `error` → oauth_failed, no code → no_code, too many attempts → /login with the
 * time to wait, any other error → session_failed (never a new start, which could loop); success → the page first requested, or, if
 * the account existed before, first the page of its ways to sign in. Where a signed-in seller confirms who they are, another
 * identity opens nothing, and they read on their page what went wrong.
 */
export function loader(args: LoaderFunctionArgs) {
  return buyerPage(SELLER_SHELL, args, finishSignIn, ["GET"]);
}

/** Answers 405. */
export function action(args: ActionFunctionArgs) {
  return loader(args);
}

async function finishSignIn({ request }: LoaderFunctionArgs): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const returnState: unknown = await returnCookie.parse(request.headers.get("cookie"));
  const returnTo = safeReturnTo(returnState, paths.dashboard());
  const isElsewhere = returnTo !== paths.dashboard();
  const failed = async (error: Parameters<typeof paths.loginError>[0], reason = "") => {
    // The sign-in's page would send them on without a word.
    if (await currentSeller(request))
      return redirectWithMessage(returnTo, describeSignInProblem(error, reason)!, "error");
    return redirect(paths.loginError(error, { reason, returnTo: isElsewhere ? returnTo : undefined }));
  };
  if (query.has("error")) return failed("oauth_failed");
  const code = query.get("code");
  if (!code) return failed("no_code");
  const state = query.get("state");
  if (!state) return failed("session_failed");
  try {
    const profile = await finishOAuth(request, code, state);
    const confirming = returnTo.startsWith(paths.confirmIdentity()) ? await currentSeller(request) : null;
    if (confirming && !(await isIdentityOf(confirming.id, profile)))
      return await ofAnotherIdentity(confirming.email, returnTo);
    const found = confirming
      ? { sellerId: confirming.id }
      : await signInWithProvider(profile, requestOrigin(request, null));
    return "refusal" in found
      ? await failed("session_failed", found.refusal)
      : await enter(request, { ...found, subject: profile.subject }, returnTo);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "too-many")
      return redirectWithMessage(paths.login(isElsewhere ? returnTo : undefined), error.message, "error");
    log.warn({ err: error }, "sign-in with the identity provider failed");
    return failed("session_failed");
  }
}

async function enter(
  request: Request,
  { sellerId, subject, joined }: ProviderSignIn & { subject: string },
  returnTo: string,
): Promise<Response> {
  const headers = new Headers({ "Set-Cookie": await startSession(request, { sellerId, subject }) });
  headers.append("Set-Cookie", await returnCookie.serialize("", { maxAge: 0 }));
  if (joined === "unconfirmed") headers.append("Set-Cookie", await flashCookie(SQUATTED));
  // Someone else may have created the account in advance: its owner first sees what else can sign in.
  return redirect(joined === "shared" ? paths.access(returnTo) : returnTo, { headers });
}

/** Back to the page that asks who the seller is, signed in as before. */
async function ofAnotherIdentity(email: string, returnTo: string): Promise<Response> {
  const text = `Esta identidade não é a da conta ${email}; nada foi mudado.`;
  const headers = new Headers({ "Set-Cookie": await flashCookie(text, "error") });
  headers.append("Set-Cookie", await returnCookie.serialize("", { maxAge: 0 }));
  return redirect(returnTo, { headers });
}

const SQUATTED =
  "Havia uma conta com o seu e-mail que ninguém confirmou. Ela é sua agora, e a senha de quem a criou não vale mais.";
