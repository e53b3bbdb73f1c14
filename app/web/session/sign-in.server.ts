import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import type { Credentials } from "#app/domain/identity/credentials-form.server.ts";
import { refuseWhenBusy } from "#app/domain/identity/password.server.ts";
import { type SignIn, signIn } from "#app/domain/identity/sign-in.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { sessionToken, signInCookie } from "#app/web/session/session.server.ts";

/** Opens a session for a seller and ends the one the browser had. @returns the `Set-Cookie` */
export async function startSession(request: Request, sellerId: string): Promise<string> {
  const before = await sessionToken(request);
  const token = await openSession(sellerId, originOf(request));
  if (before) await endSession(before);
  return signInCookie(token);
}

/** Signs in with e-mail and password; only failures count against the limits. @throws Refusal unauthorized, too-many, unavailable */
export async function tryPassword(request: Request, credentials: Credentials): Promise<SignIn> {
  refuseWhenBusy();
  const forgive = await throttle("sign-in", request, credentials.email);
  const found = await signIn(credentials);
  await forgive();
  return found;
}

/** Asks whoever is signed in for the password once more, within the same limits. @throws Refusal unauthorized, too-many */
export async function passwordAgain(
  request: Request,
  { id, email }: { id: string; email: string },
  password: string,
): Promise<void> {
  const found = await tryPassword(request, { email, password }).catch((error: unknown) => {
    throw error instanceof Refusal && error.kind === "unauthorized"
      ? new Refusal("unauthorized", "Senha incorreta", "password")
      : error;
  });
  // The address may have become another account's since this session was read.
  if (found.outcome !== "welcome" || found.sellerId !== id)
    throw new Refusal("unauthorized", "Senha incorreta", "password");
}
