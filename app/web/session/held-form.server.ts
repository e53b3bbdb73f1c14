import { createCookie } from "@remix-run/node";
import { and, count, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "#app/db/client.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, randomToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { pageAddress } from "#app/web/door/origin.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** Long enough for a detour to the identity provider. */
const LASTS = 15 * MINUTE;
/** Of one seller, in all their browsers. */
const MOST = 5;
/** Of all sellers together, so that nobody fills the disk with them. */
const MOST_OF_ALL = 2000;
const BYTES_OF_ALL = 128 * 1024 * 1024;
/** Of one form, encrypted: the longest that a page of ours posts. */
const LARGEST = 3 * 1024 * 1024;

/**
 * The browser's key to the form it left here. The address does not name the form, so nobody can lead a seller to confirm
 * what another browser posted.
 */
const cookie = createCookie(cookieName("retomar"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: LASTS / SECOND,
});

const entries = z.array(z.tuple([z.string(), z.string()]));

/** A form that waits: `address` is the page it was posted to. */
export type HeldForm = { id: string; change: string; address: string };

/** Keeps a posted form, encrypted, for the browser that posted it. @returns the `Set-Cookie` that finds it again */
export async function holdForm(
  sellerId: string,
  held: { change: string; address: string; form: FormData },
): Promise<string> {
  const stored = await storeForm(sellerId, { ...held, lasts: LASTS });
  if (!stored)
    throw new Refusal("unavailable", "Não foi possível guardar o que você digitou. Tente de novo.");
  return cookie.serialize(stored.token);
}

/**
 * Stores a form's texts, encrypted, within the limits: of one seller the newest, and of all sellers together only so much.
 * @returns its id and the token that finds it; null where there is no room
 */
export async function storeForm(
  sellerId: string,
  held: { change: string; address: string; form: FormData; lasts: number },
): Promise<{ id: string; token: string } | null> {
  const token = randomToken();
  const fields = [...held.form].filter(([, value]) => typeof value === "string");
  const fieldsSealed = seal(JSON.stringify(fields));
  if (fieldsSealed.length > LARGEST) return null;
  const store = async (tx: Tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('held-forms', 0))`);
    await tx.delete(heldForms).where(lt(heldForms.expiresAt, sql`now()`));
    const older = tx
      .select({ id: heldForms.id })
      .from(heldForms)
      .where(eq(heldForms.sellerId, sellerId))
      .orderBy(desc(heldForms.createdAt))
      .offset(MOST - 1);
    await tx.delete(heldForms).where(inArray(heldForms.id, older));
    // pg_column_size reads the length of a stored text without reading the text.
    const [all] = await tx
      .select({
        count: count(),
        bytes: sql<string>`coalesce(sum(pg_column_size(${heldForms.fieldsSealed})), 0)`,
      })
      .from(heldForms);
    if (all!.count >= MOST_OF_ALL || Number(all!.bytes) + fieldsSealed.length > BYTES_OF_ALL) return null;
    const [row] = await tx
      .insert(heldForms)
      .values({
        sellerId,
        change: held.change,
        address: held.address,
        tokenHash: hashToken(token),
        fieldsSealed,
        // Not the transaction's start: those who waited for the lock would all have the same age.
        createdAt: sql`clock_timestamp()`,
        expiresAt: sql`now() + make_interval(secs => ${held.lasts / SECOND})`,
      })
      .returning({ id: heldForms.id });
    return { id: row!.id, token };
  };
  return inTurn("held-forms", () => db.transaction(store));
}

/** The form that waits for this browser and seller, without its fields; null where there is none, or it was gone on with. */
export async function findHeldForm(request: Request, sellerId: string): Promise<HeldForm | null> {
  const row = await find(request, sellerId);
  return row && { id: row.id, change: row.change, address: row.address };
}

/**
 * The fields of a form that waits for this browser and seller, for the page it was posted to. It can be read until it
 * expires, since a button pressed twice is what it is on any page; but it is offered no more.
 */
export async function readHeldForm(request: Request, sellerId: string, id: string): Promise<FormData | null> {
  const row = await find(request, sellerId, id);
  return row && isOfPage(row, request) ? openForm(row) : null;
}

/** Whether a form was posted to the page that a request is sent to. What its query says does not matter. */
export function isOfPage({ address }: { address: string }, request: Request): boolean {
  const path = (of: string) => new URL(of, "http://local.invalid").pathname;
  return path(address) === path(pageAddress(request));
}

/** A stored form's fields; it is offered no more. */
export async function openForm(row: { id: string; fieldsSealed: string }): Promise<FormData> {
  await db.update(heldForms).set({ resumedAt: sql`now()` }).where(eq(heldForms.id, row.id));
  const form = new FormData();
  for (const [name, value] of fieldsOf(row)) form.append(name, value);
  return form;
}

/** A stored form's fields, in their order. */
export function fieldsOf({ fieldsSealed }: { fieldsSealed: string }): [string, string][] {
  return entries.parse(JSON.parse(unseal(fieldsSealed)));
}

async function find(request: Request, sellerId: string, id?: string) {
  const token: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof token !== "string" || token === "" || (id !== undefined && !isUuid(id))) return null;
  return findForm(
    [token],
    and(
      eq(heldForms.sellerId, sellerId),
      id === undefined ? isNull(heldForms.resumedAt) : eq(heldForms.id, id),
    ),
  );
}

/** The stored form that one of a browser's tokens opens. */
export async function findForm(tokens: string[], where: SQL | undefined) {
  const hashes = tokens.map(hashToken);
  const [row] = await db
    .select()
    .from(heldForms)
    .where(and(inArray(heldForms.tokenHash, hashes), gt(heldForms.expiresAt, sql`now()`), where));
  return row ?? null;
}
