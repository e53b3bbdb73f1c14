import { createCookie } from "@remix-run/node";
import { and, eq, isNull } from "drizzle-orm";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";
import { insertHeldForm, selectHeldForm, takeFields } from "#app/server/session/held-form-rows.server.ts";

/** Long enough for a detour to the identity provider. */
const LIFETIME = 15 * MINUTE;

/**
 * The browser's token for its held form. The form's id, which the confirming page posts in a hidden field, opens nothing
 * without it, so nobody can make a seller confirm what another browser posted.
 */
const cookie = createCookie(cookieName("retomar"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

/** A held form. `change`: which of the `GUARDED_CHANGES` it makes; `address`: the page it was posted to. */
export type HeldForm = { id: string; change: string; address: string };

/** Stores a posted form, encrypted, for the browser that posted it. @returns the `Set-Cookie` that finds it again */
export async function holdForm(
  sellerId: string,
  held: { change: string; address: string; form: FormData },
): Promise<string> {
  const stored = await insertHeldForm(sellerId, { ...held, lifetime: LIFETIME });
  if (!stored)
    throw new Refusal("unavailable", "Não foi possível guardar o que você digitou. Tente de novo.");
  return cookie.serialize(stored.token);
}

/** The held form of this browser and seller, without its fields; null if there is none, or it was resumed. */
export async function findHeldForm(request: Request, sellerId: string): Promise<HeldForm | null> {
  const row = await findByCookie(request, sellerId);
  return row && { id: row.id, change: row.change, address: row.address };
}

/**
 * The fields of a held form of this browser and seller, for the page it was posted to. It can be read until it expires,
 * since a button may be clicked twice; but it is no longer offered.
 */
export async function readHeldForm(request: Request, sellerId: string, id: string): Promise<FormData | null> {
  const row = await findByCookie(request, sellerId, id);
  return row && isForPage(row, request) ? takeFields(row) : null;
}

/** Whether a form was posted to the page of a request, whatever its query. */
export function isForPage({ address }: { address: string }, request: Request): boolean {
  const path = (of: string) => new URL(of, "http://local.invalid").pathname;
  return path(address) === path(pageAddress(request));
}

async function findByCookie(request: Request, sellerId: string, id?: string) {
  const token: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof token !== "string" || token === "" || (id !== undefined && !isUuid(id))) return null;
  return selectHeldForm(
    [token],
    and(
      eq(heldForms.sellerId, sellerId),
      id === undefined ? isNull(heldForms.resumedAt) : eq(heldForms.id, id),
    ),
  );
}
