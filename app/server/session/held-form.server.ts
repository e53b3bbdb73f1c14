import { createCookie } from "@remix-run/node";
import { and, eq, isNull } from "drizzle-orm";
import { heldForms } from "#app/db/schema/sellers.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { pageAddress } from "#app/server/request/request-origin.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";
import {
  addToken,
  insertHeldForm,
  readTokens,
  selectHeldForm,
  takeFields,
} from "#app/server/session/held-form-rows.server.ts";

/** Long enough for a detour to the identity provider. */
const LIFETIME = 15 * MINUTE;

/**
 * The browser's tokens for its held forms. A form's id, which the confirming page posts in a hidden field, opens nothing
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
  request: Request,
  sellerId: string,
  held: { change: string; address: string; form: FormData },
): Promise<string> {
  const stored = await insertHeldForm(sellerId, { ...held, lifetime: LIFETIME });
  if (!stored)
    throw new Refusal("unavailable", "Não foi possível guardar o que você digitou. Tente de novo.");
  return addToken(cookie, request, stored.token);
}

/**
 * The held form with that id of this browser and seller, without its fields; without an id the newest that was not
 * resumed. Null if there is none.
 */
export async function findHeldForm(
  request: Request,
  sellerId: string,
  id?: string,
): Promise<HeldForm | null> {
  const row = await findByCookie(request, sellerId, id);
  return row && { id: row.id, change: row.change, address: row.address };
}

/**
 * The fields of a held form of this browser and seller, for the page it was posted to; null if it is no longer stored.
 * @throws Response redirect to its page if it was resumed before
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
  if (id !== undefined && !isUuid(id)) return null;
  return selectHeldForm(
    await readTokens(cookie, request),
    and(
      eq(heldForms.sellerId, sellerId),
      id === undefined ? isNull(heldForms.resumedAt) : eq(heldForms.id, id),
    ),
  );
}
