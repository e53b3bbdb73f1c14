import { createCookie } from "@remix-run/node";
import { and, count, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "#app/db/client.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, randomToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** Long enough for a detour to the identity provider. */
const LIFETIME = 15 * MINUTE;
/** Per seller, in all their browsers. */
const MAX_PER_SELLER = 5;
/** For all sellers together, so that nobody fills the disk. */
const MAX_TOTAL = 2000;
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;
/** Of one form, encrypted: fits the longest form of our pages. */
const MAX_FORM_BYTES = 3 * 1024 * 1024;

/**
 * The browser's token for its held form. The address does not name the form, so nobody can make a seller confirm what
 * another browser posted.
 */
const cookie = createCookie(cookieName("retomar"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

const entries = z.array(z.tuple([z.string(), z.string()]));

/** A held form: `address` is the page it was posted to. */
export type HeldForm = { id: string; change: string; address: string };

/** Stores a posted form, encrypted, for the browser that posted it. @returns the `Set-Cookie` that finds it again */
export async function holdForm(
  sellerId: string,
  held: { change: string; address: string; form: FormData },
): Promise<string> {
  const stored = await storeForm(sellerId, { ...held, lifetime: LIFETIME });
  if (!stored)
    throw new Refusal("unavailable", "Não foi possível guardar o que você digitou. Tente de novo.");
  return cookie.serialize(stored.token);
}

/**
 * Stores a form's texts, encrypted, within the limits: the newest per seller, and a maximum for all sellers.
 * @returns its id and the token that finds it; null if the limit is reached
 */
export async function storeForm(
  sellerId: string,
  held: { change: string; address: string; form: FormData; lifetime: number },
): Promise<{ id: string; token: string } | null> {
  const token = randomToken();
  const fields = [...held.form].filter(([, value]) => typeof value === "string");
  const fieldsSealed = seal(JSON.stringify(fields));
  if (fieldsSealed.length > MAX_FORM_BYTES) return null;
  const store = async (tx: Tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('held-forms', 0))`);
    await tx.delete(heldForms).where(lt(heldForms.expiresAt, sql`now()`));
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

/** The held form of this browser and seller, without its fields; null if there is none, or it was resumed. */
export async function findHeldForm(request: Request, sellerId: string): Promise<HeldForm | null> {
  const row = await findByCookie(request, sellerId);
  return row && { id: row.id, change: row.change, address: row.address };
}

/**
 * The fields of a held form of this browser and seller, for the page it was posted to. It can be read until it expires,
 * since a button may be clicked twice; but it is no longer listed.
 */
export async function readHeldForm(request: Request, sellerId: string, id: string): Promise<FormData | null> {
  const row = await findByCookie(request, sellerId, id);
  return row && isForPage(row, request) ? resumeForm(row) : null;
}

/** Whether a form was posted to the page of a request, whatever its query. */
export function isForPage({ address }: { address: string }, request: Request): boolean {
  const path = (of: string) => new URL(of, "http://local.invalid").pathname;
  return path(address) === path(pageAddress(request));
}

/** A held form's fields; marks it as resumed. */
export async function resumeForm(row: { id: string; fieldsSealed: string }): Promise<FormData> {
  await db.update(heldForms).set({ resumedAt: sql`now()` }).where(eq(heldForms.id, row.id));
  const form = new FormData();
  for (const [name, value] of unsealFields(row)) form.append(name, value);
  return form;
}

/** A held form's fields, in their order. */
export function unsealFields({ fieldsSealed }: { fieldsSealed: string }): [string, string][] {
  return entries.parse(JSON.parse(unseal(fieldsSealed)));
}

async function findByCookie(request: Request, sellerId: string, id?: string) {
  const token: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof token !== "string" || token === "" || (id !== undefined && !isUuid(id))) return null;
  return findStoredForm(
    [token],
    and(
      eq(heldForms.sellerId, sellerId),
      id === undefined ? isNull(heldForms.resumedAt) : eq(heldForms.id, id),
    ),
  );
}

/** The held form that matches one of a browser's tokens. */
export async function findStoredForm(tokens: string[], where: SQL | undefined) {
  const hashes = tokens.map(hashToken);
  const [row] = await db
    .select()
    .from(heldForms)
    .where(and(inArray(heldForms.tokenHash, hashes), gt(heldForms.expiresAt, sql`now()`), where));
  return row ?? null;
}
