import { createCookie } from "@remix-run/node";
import { and, eq } from "drizzle-orm";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MAX_FORM_FILE_BYTES } from "#app/domain/content/limits.ts";
import { ACCOUNT_FIELD } from "#app/domain/identity/access/page-account.ts";
import { HOUR, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { cleanForm, MAX_SELLER_REPEATS, refuseRepeatedFields } from "#app/server/forms/clean-form.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { bufferRequest, MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";
import { isForPage } from "#app/server/session/held-form.server.ts";
import {
  addToken,
  insertHeldForm,
  readTokens,
  selectHeldForm,
  takeFields,
  unsealFields,
} from "#app/server/session/held-form-rows.server.ts";
import { accountInForm, accountInHeader } from "#app/server/session/page-account.server.ts";
import { findEndedAccount, rememberAccount } from "#app/server/session/remembered-account.server.ts";

/** The field that makes a form resume an interrupted one. */
export const RESUME_FIELD = "resume";
/** Sent by a page's script that lets its seller sign in over the page: then nothing needs to be held. */
export const SIGNS_IN_HERE_HEADER = "X-Signs-In-Here";

/** Long enough to find a password. A new one, set by a mailed link, deletes what is held (`endAccess`). */
const LIFETIME = HOUR;
const SESSION = "session";
/** The same if files were chosen, which are not held. */
const SESSION_WITHOUT_FILES = "session-without-files";

/** The browser's tokens for its interrupted forms. */
const tokensCookie = createCookie(cookieName("interrompido"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

/** The result for a form whose session had ended. */
type Interrupted = { id: string; cookies: string[] } | "not-held" | null;

/**
 * Holds what a dashboard page posted after its session ended, for the browser and the seller of that session. A
 * stranger's form is not read, and one without typed fields is not stored.
 * @param page the account of the page, and the form if it was read already
 * @returns null if there was nothing to hold
 */
export async function holdInterrupted(
  request: Request,
  page: { account?: string; posted?: FormData | undefined } = {},
): Promise<Interrupted> {
  if (!isHoldable(request)) return null;
  const found = page.account ?? accountInHeader(request) ?? (await findEndedAccount(request));
  if (!found) return null;
  try {
    await throttle("held-form", request, found);
    const posted = page.posted ?? (await readWhole(request));
    // The browser may have shown another account since: the form is of the one that its page names.
    const sellerId = accountInForm(posted) ?? found;
    const form = cleanForm(posted);
    // Passwords are not stored: whoever typed one types it again.
    if ([...form.keys()].some((name) => /password/i.test(name))) return null;
    // A form that saves is marked, since all of its fields may have been cleared. A button of its own may have a version, too.
    const saves = form.has("saves") || (form.has("version") && !form.has("intent"));
    if (!saves && ![...form].some(([name, value]) => isTyped(name, String(value)))) return null;
    const chosen = [...posted.values()].some(
      (value: FormDataEntryValue) => value instanceof File && value.name !== "",
    );
    const stored = await insertHeldForm(sellerId, {
      change: chosen ? SESSION_WITHOUT_FILES : SESSION,
      address: pageAddress(request),
      form,
      lifetime: LIFETIME,
    });
    if (!stored) return "not-held";
    return {
      id: stored.id,
      cookies: [await addToken(tokensCookie, request, stored.token), await rememberAccount(sellerId)],
    };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Response || error instanceof TypeError)
      return "not-held";
    throw error;
  }
}

async function readWhole(request: Request): Promise<FormData> {
  const isMultipart = /^multipart\/form-data/i.test(request.headers.get("content-type") ?? "");
  const whole = await bufferRequest(request, MAX_SELLER_BODY + (isMultipart ? MAX_FORM_FILE_BYTES : 0));
  return refuseRepeatedFields(await whole.formData(), MAX_SELLER_REPEATS);
}

/** Whether a request is a form posted by a page. Previews save nothing, and refunds are never repeated from here. */
function isHoldable(request: Request): boolean {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || request.headers.has(SIGNS_IN_HERE_HEADER)) return false;
  if (/\/(preview|refund)$/.test(pathname)) return false;
  // A document navigation, or Remix's fetch.
  return ["document", "empty"].includes(request.headers.get("sec-fetch-dest") ?? "document");
}

/** Fields of a form that nobody typed or chose. */
const BOOKKEEPING_FIELDS = new Set([
  ACCOUNT_FIELD,
  "intent",
  "saves",
  "version",
  "over",
  "tab",
  "id",
  "query",
  "understood",
  "__intent__",
  "at",
  "kind",
  "product_search",
  "secret",
  "typed_secrets",
  "without_access",
]);
const SECRET_NAME = /password|key|token|secret/i;

function isTyped(name: string, value: string): boolean {
  return value.trim() !== "" && !BOOKKEEPING_FIELDS.has(name) && !isUuid(value);
}

async function findByTokens(request: Request, id: string, sellerId?: string) {
  if (!isUuid(id)) return null;
  const row = await selectHeldForm(
    await readTokens(tokensCookie, request),
    and(eq(heldForms.id, id), sellerId ? eq(heldForms.sellerId, sellerId) : undefined),
  );
  return row && [SESSION, SESSION_WITHOUT_FILES].includes(row.change) ? row : null;
}

/** For the sign-in page: whether this browser has an interrupted form, and whether files were left out of it. */
export async function findWaitingForm(
  request: Request,
  id: string,
): Promise<{ withoutFiles: boolean } | null> {
  const row = await findByTokens(request, id);
  return row && !row.resumedAt ? { withoutFiles: row.change === SESSION_WITHOUT_FILES } : null;
}

/** The interrupted form of this browser and seller, with its fields as readable text. */
export async function findInterrupted(request: Request, sellerId: string, id: string) {
  const row = await findByTokens(request, id, sellerId);
  if (!row || row.resumedAt) return null;
  const typed = unsealFields(row).flatMap(([name, value]) =>
    isTyped(name, value) && value !== "on"
      ? [SECRET_NAME.test(name) ? "••••••••" : value.trim().slice(0, 200)]
      : [],
  );
  return { address: row.address, withoutFiles: row.change === SESSION_WITHOUT_FILES, typed };
}

/**
 * The fields of an interrupted form, for the page it was posted to.
 * @throws Refusal conflict if it is no longer stored; Response redirect to its page if it was resumed before
 */
export async function readInterrupted(request: Request, sellerId: string, id: string): Promise<FormData> {
  const row = await findByTokens(request, id, sellerId);
  if (!row || !isForPage(row, request))
    throw new Refusal("conflict", "O que você digitou já não está guardado. Abra a página e digite de novo.");
  return takeFields(row);
}
