import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { findCorrectedEmail } from "#app/domain/order/corrected-orders.server.ts";
import type { OrderFields } from "#app/domain/order/order.ts";
import { HOUR } from "#app/kit/duration.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** As long as a buyer may take to pay: a code lasts half an hour. */
const LIFETIME = HOUR;
/** Browsers refuse cookies above 4096 bytes. */
const MAX_COOKIE_LENGTH = 3500;

// Without a max age: it also ends with the browser's session.
const cookie = createCookie(cookieName("pedido"), {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  secure: SECURE,
});

const text = z.string().max(1000);
const typed = z.object({
  customer_name: text,
  customer_email: text,
  customer_email_confirmation: text,
  customer_phone: text,
  customer_document: text,
  // Omitted where no form was sent: a link chose them, if anybody.
  order_bumps: z.array(z.string().max(20)).max(100).optional(),
  payment_method: z.string().optional(),
  quantity: text.optional(),
  coupon: text.optional(),
} satisfies Record<keyof OrderFields, z.ZodType>);
const storedOrder = z.object({
  productId: z.number(),
  at: z.number(),
  typed,
  saleId: z.string().default(""),
});

/** What a buyer typed, to fill the form when they return. */
export type Typed = z.output<typeof typed>;

/**
 * The headers that store what was typed in the buyer's browser, encrypted; none if it is too long for a cookie.
 * @param saleId the sale that was ordered with it
 */
export async function rememberOrder(
  productId: number,
  typed: Typed,
  saleId?: string,
): Promise<Record<string, string>> {
  const line = await cookie.serialize(seal(JSON.stringify({ productId, at: Date.now(), typed, saleId })));
  return line.length > MAX_COOKIE_LENGTH ? {} : { "Set-Cookie": line };
}

/**
 * The headers that delete what was typed for a product that was paid: its buyer does not return to the form. None where it is of
 * another product, whose order may still wait.
 */
export async function clearOrder(request: Request, productId: number): Promise<Record<string, string>> {
  const stored = await readOrder(request);
  if (stored && stored.productId !== productId) return {};
  return { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) };
}

/**
 * What this browser typed for this product before, with the e-mail that its sale was corrected to; null if there is nothing, or it is
 * invalid.
 */
export async function recallOrder(request: Request, productId: number): Promise<Typed | null> {
  const stored = await readOrder(request);
  if (stored?.productId !== productId || Date.now() - stored.at >= LIFETIME) return null;
  const email = await findCorrectedEmail(stored.saleId);
  return { ...stored.typed, ...(email && { customer_email: email, customer_email_confirmation: email }) };
}

async function readOrder(request: Request) {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return undefined;
  try {
    return storedOrder.safeParse(JSON.parse(unseal(sealed))).data;
  } catch {
    // Modified, or sealed with another APP_SECRET.
    return undefined;
  }
}
