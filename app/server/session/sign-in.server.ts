import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { openSession, type SignInProof } from "#app/domain/identity/access/open-session.server.ts";
import type { Credentials } from "#app/domain/identity/credentials-form.server.ts";
import { refuseWhenBusy } from "#app/domain/identity/password.server.ts";
import { type SignInResult, signIn } from "#app/domain/identity/sign-in.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { takeBackRefused } from "#app/server/limits/take-back-refused.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { sessionToken, signInCookie } from "#app/server/session/session-cookie.server.ts";

/** Who proved to be the seller, and what proved it. */
type Proven = { sellerId: string } & SignInProof;

/**
 * Opens a session for a seller and ends the browser's previous one.
 * @returns the `Set-Cookie`
 * @throws Refusal unauthorized if the account was anonymized, or its password replaced or identity ended meanwhile
 */
export async function startSession(request: Request, { sellerId, ...proof }: Proven): Promise<string> {
  const before = await sessionToken(request);
  const token = await openSession(sellerId, requestOrigin(request, null), proof);
  if (before) await endSession(before);
  return signInCookie(token);
}

/** Signs in with e-mail and password; only failures count against the limits. @throws Refusal unauthorized, too-many, unavailable */
export async function checkPassword(request: Request, credentials: Credentials): Promise<SignInResult> {
  refuseWhenBusy();
  const counted = await throttle("sign-in", request, credentials.email);
  const found = await takeBackRefused(counted, signIn(credentials));
  await counted.forgive();
  return found;
}

/**
 * Checks the password of a signed-in seller again, within the same limits.
 * @returns what `startSession` takes
 * @throws Refusal unauthorized, too-many, unavailable
 */
export async function confirmPassword(
  request: Request,
  { id, email }: { id: string; email: string },
  password: string,
): Promise<Proven> {
  const found = await checkPassword(request, { email, password }).catch((error: unknown) => {
    throw error instanceof Refusal && error.kind === "unauthorized"
      ? new Refusal("unauthorized", "Senha incorreta", "password")
      : error;
  });
  // The address may have become another account's since this session was read.
  if (found.outcome !== "welcome" || found.sellerId !== id)
    throw new Refusal("unauthorized", "Senha incorreta", "password");
  return found;
}
