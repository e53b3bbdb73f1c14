import { createCookie } from "@remix-run/node";
import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { db } from "#app/db/client.server.ts";
import { heldForms, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { FORM_FILE } from "#app/domain/content/limits.ts";
import { DAY, HOUR, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { cleanForm } from "#app/web/door/clean-form.server.ts";
import { pageAddress } from "#app/web/door/origin.server.ts";
import { readWhole, SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { refuseRepeats, SELLERS_REPEATS } from "#app/web/limits/refuse-repeats.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";
import { fieldsOf, findForm, isOfPage, openForm, storeForm } from "#app/web/session/held-form.server.ts";
import { sessionToken, signInCookie } from "#app/web/session/session.server.ts";

/** The field of a form that stands for one that was interrupted. */
export const RESUME = "resume";
/** What a page's script sends that signs its seller in over the page itself: nothing needs to be held then. */
export const SIGNS_IN_HERE = "X-Signs-In-Here";

/** Long enough to look for a password, or to have a new one mailed. */
const LASTS = HOUR;
const SESSION = "session";
/** The same where files were chosen, which are not held. */
const SESSION_WITHOUT_FILES = "session-without-files";

const NAMED_FOR = 60 * DAY;
const common = { path: "/", httpOnly: true, sameSite: "lax", secure: SECURE } as const;

/** Whose desk this browser showed last. It signs nobody in: it only tells for whom a form is held once the session ended. */
const accountCookie = createCookie(cookieName("conta"), { ...common, maxAge: NAMED_FOR / SECOND });
/** The browser's keys to the forms it left here, newest first: several tabs may have been open. */
const tokensCookie = createCookie(cookieName("interrompido"), { ...common, maxAge: LASTS / SECOND });
const MOST_TOKENS = 5;

// Strict, so that no other sealed cookie of ours passes for it.
const account = z.strictObject({ account: z.uuid(), at: z.number() });

/**
 * The `Set-Cookie`s by which a browser that shows the desk stays signed in and remembers whose desk it is: once a day, since
 * a session's row is extended by its use and its cookie would end before it.
 */
export async function renewCookies(request: Request, sellerId: string): Promise<string[]> {
  const named = await namedAccount(request);
  if (named?.account === sellerId && Date.now() - named.at < DAY) return [];
  const token = await sessionToken(request);
  return [await nameAccount(sellerId), ...(token ? [await signInCookie(token)] : [])];
}

function nameAccount(sellerId: string): Promise<string> {
  return accountCookie.serialize(seal(JSON.stringify({ account: sellerId, at: Date.now() })));
}

async function namedAccount(request: Request): Promise<z.output<typeof account> | null> {
  const sealed: unknown = await accountCookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return null;
  try {
    const { data } = account.safeParse(JSON.parse(unseal(sealed)));
    return data && Date.now() - data.at < NAMED_FOR ? data : null;
  } catch {
    return null;
  }
}

/** Whose session it was that ended in this browser; null for a stranger's. */
async function endedAccount(request: Request): Promise<string | null> {
  const token = await sessionToken(request);
  const [ended] = token
    ? await db
        .select({ id: sessions.sellerId })
        .from(sessions)
        .where(eq(sessions.tokenHash, hashToken(token)))
    : [];
  if (ended) return ended.id;
  const named = await namedAccount(request);
  if (!named) return null;
  const [known] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.id, named.account), isNull(sellers.emptiedAt)));
  return known?.id ?? null;
}

/** What became of a form whose session had ended. */
type Interrupted = { id: string; cookies: string[] } | "not-held" | null;

/**
 * Holds what a page of the desk posted after its session ended, for the browser and the seller of that session. A stranger's
 * form is not even read, nor one in which nothing was typed.
 * @returns null where there was nothing to hold
 */
export async function holdInterrupted(request: Request): Promise<Interrupted> {
  if (!isHeld(request)) return null;
  const sellerId = await endedAccount(request);
  if (!sellerId) return null;
  try {
    await throttle("held-form", request, sellerId);
    const isMultipart = /^multipart\/form-data/i.test(request.headers.get("content-type") ?? "");
    const whole = await readWhole(request, SELLERS_BODY + (isMultipart ? FORM_FILE : 0));
    const posted = refuseRepeats(await whole.formData(), SELLERS_REPEATS);
    const form = cleanForm(posted);
    // A form that saves says so, also where all of its boxes were emptied.
    const saves = form.has("saves") || form.has("version");
    if (!saves && ![...form].some(([name, value]) => isTyped(name, String(value)))) return null;
    const chosen = [...posted.values()].some(
      (value: FormDataEntryValue) => value instanceof File && value.name !== "",
    );
    const stored = await storeForm(sellerId, {
      change: chosen ? SESSION_WITHOUT_FILES : SESSION,
      address: pageAddress(request),
      form,
      lasts: LASTS,
    });
    if (!stored) return "not-held";
    const tokens = [stored.token, ...(await tokensOf(request))].slice(0, MOST_TOKENS);
    return { id: stored.id, cookies: [await tokensCookie.serialize(tokens), await nameAccount(sellerId)] };
  } catch (error) {
    if (error instanceof Refusal || error instanceof Response || error instanceof TypeError)
      return "not-held";
    throw error;
  }
}

/** Whether a request is a form that a page posted. What draws a preview saves nothing; nor is money ever moved anew from here. */
function isHeld(request: Request): boolean {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || request.headers.has(SIGNS_IN_HERE)) return false;
  if (/\/(preview|refund)$/.test(pathname)) return false;
  // A document that comes, or Remix's fetch of one.
  return ["document", "empty"].includes(request.headers.get("sec-fetch-dest") ?? "document");
}

/** What a form carries beside what somebody typed or chose in it. */
const CARRIED = new Set([
  "intent",
  "saves",
  "version",
  "over",
  "tab",
  "id",
  "query",
  "understood",
  "__intent__",
]);
const SECRET = /password|key|token|secret/i;

function isTyped(name: string, value: string): boolean {
  return value.trim() !== "" && !CARRIED.has(name) && !isUuid(value);
}

async function tokensOf(request: Request): Promise<string[]> {
  const tokens: unknown = await tokensCookie.parse(request.headers.get("cookie"));
  return Array.isArray(tokens)
    ? tokens.filter((token) => typeof token === "string" && token !== "").slice(0, MOST_TOKENS)
    : [];
}

async function find(request: Request, id: string, sellerId?: string) {
  const tokens = await tokensOf(request);
  if (tokens.length === 0 || !isUuid(id)) return null;
  const row = await findForm(
    tokens,
    and(eq(heldForms.id, id), sellerId ? eq(heldForms.sellerId, sellerId) : undefined),
  );
  return row && [SESSION, SESSION_WITHOUT_FILES].includes(row.change) ? row : null;
}

/** For the sign-in page: whether this browser's form waits, and whether files were left out of it. */
export async function waitingHere(request: Request, id: string): Promise<{ withoutFiles: boolean } | null> {
  const row = await find(request, id);
  return row && !row.resumedAt ? { withoutFiles: row.change === SESSION_WITHOUT_FILES } : null;
}

/** The form that waits for this browser and seller, with what was typed as a person may read it. */
export async function findInterrupted(request: Request, sellerId: string, id: string) {
  const row = await find(request, id, sellerId);
  if (!row || row.resumedAt) return null;
  const typed = fieldsOf(row).flatMap(([name, value]) =>
    isTyped(name, value) && value !== "on"
      ? [SECRET.test(name) ? "••••••••" : value.trim().slice(0, 200)]
      : [],
  );
  return { address: row.address, withoutFiles: row.change === SESSION_WITHOUT_FILES, typed };
}

/** The fields of an interrupted form, for the page it was posted to. @throws Refusal conflict where it waits no more */
export async function readInterrupted(request: Request, sellerId: string, id: string): Promise<FormData> {
  const row = await find(request, id, sellerId);
  if (!row || !isOfPage(row, request))
    throw new Refusal("conflict", "O que você digitou já não está guardado. Abra a página e digite de novo.");
  return openForm(row);
}
