import { createCookie } from "@remix-run/node";
import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#app/db/client.server.ts";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, randomToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** Long enough for a detour to the identity provider. */
const LASTS = 15 * MINUTE;
/** Of one seller, in all their browsers. */
const MOST = 5;

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
  const token = randomToken();
  const fields = [...held.form].filter(([, value]) => typeof value === "string");
  await db.transaction(async (tx) => {
    const older = tx
      .select({ id: heldForms.id })
      .from(heldForms)
      .where(eq(heldForms.sellerId, sellerId))
      .orderBy(desc(heldForms.createdAt))
      .offset(MOST - 1);
    await tx.delete(heldForms).where(inArray(heldForms.id, older));
    await tx.insert(heldForms).values({
      sellerId,
      change: held.change,
      address: held.address,
      tokenHash: hashToken(token),
      fieldsSealed: seal(JSON.stringify(fields)),
      expiresAt: sql`now() + make_interval(secs => ${LASTS / SECOND})`,
    });
  });
  return cookie.serialize(token);
}

/** The form that waits for this browser and seller, without its fields; null where there is none, or it was gone on with. */
export async function findHeldForm(request: Request, sellerId: string): Promise<HeldForm | null> {
  const row = await find(request, sellerId);
  return row && { id: row.id, change: row.change, address: row.address };
}

/**
 * The fields of a form that waits for this browser and seller. It can be read until it expires, since a button pressed twice
 * is what it is on any page; but it is offered no more.
 */
export async function readHeldForm(request: Request, sellerId: string, id: string): Promise<FormData | null> {
  const row = await find(request, sellerId, id);
  if (!row) return null;
  await db.update(heldForms).set({ resumedAt: sql`now()` }).where(eq(heldForms.id, row.id));
  const form = new FormData();
  for (const [name, value] of entries.parse(JSON.parse(unseal(row.fieldsSealed)))) form.append(name, value);
  return form;
}

async function find(request: Request, sellerId: string, id?: string) {
  const token: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof token !== "string" || token === "" || (id !== undefined && !isUuid(id))) return null;
  const [row] = await db
    .select()
    .from(heldForms)
    .where(
      and(
        eq(heldForms.tokenHash, hashToken(token)),
        eq(heldForms.sellerId, sellerId),
        gt(heldForms.expiresAt, sql`now()`),
        id === undefined ? isNull(heldForms.resumedAt) : eq(heldForms.id, id),
      ),
    );
  return row ?? null;
}
