import { redirect } from "@remix-run/node";
import type { KeyHolder } from "#app/domain/identity/access/find-api-key.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import type { GuardedChange } from "#app/domain/identity/access/guarded-changes.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { orRefusedPage, refusedPage } from "#app/server/response/failure-response.server.ts";
import { holdForm, readHeldForm } from "#app/server/session/held-form.server.ts";

/** The field that makes a form resume a held one. */
export const HELD_FIELD = "held";

/**
 * For actions that change what money and access depend on: without a recent sign-in the seller is redirected to sign in
 * again, and the posted form is held.
 * @throws Response redirect
 */
export async function requireRecentSignIn(
  { seller, form, request }: { seller: SignedIn; form: FormData; request: Request },
  change: GuardedChange,
): Promise<void> {
  if (seller.isRecent) return;
  const held = await orRefusedPage(
    request,
    holdForm(request, seller.id, { change, address: pageAddress(request), form }),
  );
  throw redirect(paths.confirmIdentity(), { headers: { "Set-Cookie": held } });
}

/**
 * The posted form, or the held form that it resumes.
 * @throws Response 409 if that is no longer stored; a redirect to its page if it was resumed before
 */
export async function readResumedForm(request: Request, seller: SignedIn, form: FormData): Promise<FormData> {
  const id = form.get(HELD_FIELD);
  if (id === null) return form;
  const held = await readHeldForm(request, seller.id, String(id));
  if (held) return held;
  throw notStored(request);
}

/** The answer to a form that resumes one that is no longer stored: 409. */
export function notStored(request: Request): Response {
  const text = "O que você digitou já não está guardado. Abra a página e faça a mudança de novo.";
  return refusedPage(new Refusal("conflict", text), request);
}

/**
 * The same for `/api`: a session with a recent sign-in. No key is accepted, whatever its scopes.
 * @throws Refusal forbidden, with a code for which of the two is missing
 */
export function requireOwner(caller: SignedIn | KeyHolder): void {
  if ("scopes" in caller)
    throw forbidden("Chaves de API não mudam isto: entre na sua conta.", "session_required");
  if (!caller.isRecent)
    throw forbidden("Para mudar isto, entre na sua conta de novo.", "recent_sign_in_required");
}

function forbidden(message: string, code: string): Refusal {
  return new Refusal("forbidden", message, undefined, undefined, code);
}
