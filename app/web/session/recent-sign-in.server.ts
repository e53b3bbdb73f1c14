import { redirect } from "@remix-run/node";
import type { KeyHolder } from "#app/domain/identity/access/find-api-key.server.ts";
import type { SignedIn } from "#app/domain/identity/access/find-session.server.ts";
import type { GuardedChange } from "#app/domain/identity/access/guarded-changes.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { pageAddress } from "#app/web/door/origin.server.ts";
import { orRefuse, refusedPage } from "#app/web/pages.server.ts";
import { holdForm, readHeldForm } from "#app/web/session/held-form.server.ts";

/** How long a sign-in counts as recent. */
const RECENT = 10 * MINUTE;

/** The field of a form that stands for one that waits. */
export const HELD = "held";

/** Whether a seller showed who they are a moment ago. */
export function isRecent({ authenticatedAt }: SignedIn): boolean {
  return Date.now() - authenticatedAt.getTime() < RECENT;
}

/**
 * For the actions of pages that change what money and access hang on: who signed in longer ago is led to show it anew,
 * and what they posted waits for them.
 * @throws Response redirect
 */
export async function requireRecentSignIn(
  { seller, form, request }: { seller: SignedIn; form: FormData; request: Request },
  change: GuardedChange,
): Promise<void> {
  if (isRecent(seller)) return;
  const held = await orRefuse(request, holdForm(seller.id, { change, address: pageAddress(request), form }));
  throw redirect(paths.confirmIdentity(), { headers: { "Set-Cookie": held } });
}

/**
 * What was posted, or the form it stands for: the one that waited while the seller showed who they are.
 * @throws Response 409 where it waits no more
 */
export async function resumedForm(request: Request, seller: SignedIn, form: FormData): Promise<FormData> {
  const id = form.get(HELD);
  if (id === null) return form;
  const held = await readHeldForm(request, seller.id, String(id));
  if (held) return held;
  throw refusedPage(
    new Refusal(
      "conflict",
      "O que você digitou já não está guardado. Abra a página e faça a mudança de novo.",
    ),
    request,
  );
}

/**
 * The same for `/api`: a session whose owner signed in a moment ago. No key will do, whatever its scopes.
 * @throws Refusal forbidden, with a code that tells which of the two is missing
 */
export function requireOwner(caller: SignedIn | KeyHolder): void {
  if ("scopes" in caller)
    throw forbidden("Chaves de API não mudam isto: entre na sua conta.", "session_required");
  if (!isRecent(caller))
    throw forbidden("Para mudar isto, entre na sua conta de novo.", "recent_sign_in_required");
}

function forbidden(message: string, code: string): Refusal {
  return new Refusal("forbidden", message, undefined, undefined, code);
}
