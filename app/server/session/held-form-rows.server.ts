import type { Cookie } from "@remix-run/node";
import { and, count, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { heldForms, sellers } from "#app/db/schema/sellers.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, randomToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { onFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

/** Per seller, in all their browsers. */
const MAX_PER_SELLER = 5;
/** For all sellers together, so that nobody fills the disk. */
const MAX_TOTAL = 2000;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** Of one form, encrypted: fits the longest form of our pages. */
const MAX_FORM_BYTES = 3 * 1024 * 1024;

const entries = z.array(z.tuple([z.string(), z.string()]));

/**
 * A form to hold. `change`: which of the `GUARDED_CHANGES` it makes, or that it was interrupted (interrupted-form.server.ts).
 * `address`: the page it was posted to, with its query. `lifetime` in milliseconds.
 */
type FormToHold = { change: string; address: string; form: FormData; lifetime: number };

/**
 * Inserts a form's texts, encrypted, within the limits: the newest per seller, and a maximum for all sellers.
 * @returns its id and the token that finds it; null if the limit is reached
 */
export async function insertHeldForm(
  sellerId: string,
  held: FormToHold,
): Promise<{ id: string; token: string } | null> {
  const token = randomToken();
  const fields = [...held.form].filter(([, value]) => typeof value === "string");
  const fieldsSealed = seal(JSON.stringify(fields));
  if (fieldsSealed.length > MAX_FORM_BYTES) return null;
  const store = async (tx: Tx) => {
    // Before all forms, as by what ends access and deletes those, too.
    await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("key share");
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('held-forms', 0))`);
    const expired = tx
      .select({ id: heldForms.id })
      .from(heldForms)
      .where(lt(heldForms.expiresAt, sql`now()`))
      .for("update", { skipLocked: true });
    await tx.delete(heldForms).where(inArray(heldForms.id, expired));
    const older = tx
      .select({ id: heldForms.id })
      .from(heldForms)
      .where(eq(heldForms.sellerId, sellerId))
      .orderBy(desc(heldForms.createdAt))
      .offset(MAX_PER_SELLER - 1);
    await tx.delete(heldForms).where(inArray(heldForms.id, older));
    // pg_column_size reads the length of a stored text without reading the text.
    const [all] = await tx
      .select({
        count: count(),
        bytes: sql<string>`coalesce(sum(pg_column_size(${heldForms.fieldsSealed})), 0)`,
      })
      .from(heldForms);
    if (all!.count >= MAX_TOTAL || Number(all!.bytes) + fieldsSealed.length > MAX_TOTAL_BYTES) return null;
    const [row] = await tx
      .insert(heldForms)
      .values({
        sellerId,
        change: held.change,
        address: held.address,
        tokenHash: hashToken(token),
        fieldsSealed,
        // Not the transaction's start: transactions that waited for the lock would all have the same age.
        createdAt: sql`clock_timestamp()`,
        expiresAt: sql`now() + make_interval(secs => ${held.lifetime / SECOND})`,
      })
      .returning({ id: heldForms.id });
    return { id: row!.id, token };
  };
  return keyedMutex("held-forms", () => db.transaction(store));
}

/** Of one browser, newest first: several tabs may have posted. */
const MAX_TOKENS = MAX_PER_SELLER;

/** A browser's tokens in a cookie. */
export async function readTokens(cookie: Cookie, request: Request): Promise<string[]> {
  const tokens: unknown = await cookie.parse(request.headers.get("cookie"));
  return Array.isArray(tokens)
    ? tokens.filter((token) => typeof token === "string" && token !== "").slice(0, MAX_TOKENS)
    : [];
}

/** The `Set-Cookie` that adds a token to them. */
export async function addToken(cookie: Cookie, request: Request, token: string): Promise<string> {
  return cookie.serialize([token, ...(await readTokens(cookie, request))].slice(0, MAX_TOKENS));
}

/** The newest row that matches one of a browser's tokens and has not expired. */
export async function selectHeldForm(tokens: string[], where: SQL | undefined) {
  if (tokens.length === 0) return null;
  const hashes = tokens.map(hashToken);
  const [row] = await db
    .select()
    .from(heldForms)
    .where(and(inArray(heldForms.tokenHash, hashes), gt(heldForms.expiresAt, sql`now()`), where))
    .orderBy(desc(heldForms.createdAt))
    .limit(1);
  return row ?? null;
}

/**
 * A held form's fields as a form, once: a button may be clicked twice.
 * @throws Response redirect to its page if it was taken before
 */
export async function takeFields(row: {
  id: string;
  sellerId: string;
  address: string;
  fieldsSealed: string;
}): Promise<FormData> {
  const [taken] = await db
    .update(heldForms)
    .set({ resumedAt: sql`now()` })
    .where(and(ownById(heldForms, row.sellerId, row.id), isNull(heldForms.resumedAt)))
    .returning({ id: heldForms.id });
  if (!taken) throw await redirectWithMessage(row.address, "Isto já foi enviado: confira abaixo.");
  // Not `row`: what is to be undone is kept long after the request, without the form's fields.
  const { id, sellerId } = row;
  onFailure(() => void giveBack({ id, sellerId }));
  const form = new FormData();
  for (const [name, value] of unsealFields(row)) form.append(name, value);
  return form;
}

/** The database may have been the reason, and be away for a while. */
const GIVE_BACK_PAUSES = [0, 1, 5, 15, 60].map((seconds) => seconds * SECOND);

/** Lets a form whose request failed be sent again. */
async function giveBack({ id, sellerId }: { id: string; sellerId: string }): Promise<void> {
  for (const pause of GIVE_BACK_PAUSES) {
    await new Promise((resolve) => setTimeout(resolve, pause).unref());
    try {
      await db
        .update(heldForms)
        .set({ resumedAt: null })
        .where(ownById(heldForms, sellerId, id));
      return;
    } catch (err) {
      log.warn({ err }, "held form not given back yet");
    }
  }
}

/** A held form's fields, in their order. */
export function unsealFields({ fieldsSealed }: { fieldsSealed: string }): [string, string][] {
  return entries.parse(JSON.parse(unseal(fieldsSealed)));
}
