import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { HOUR } from "#app/kit/duration.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

/** As long as a buyer may be at paying: a code lasts half an hour. */
const LASTS = HOUR;
/** Browsers refuse cookies above 4096 bytes. */
const MOST = 3500;

// Without a time to live: it also goes with the browser's session.
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
  order_bumps: z.array(z.string().max(20)).max(100),
});
const kept = z.object({ productId: z.number(), at: z.number(), typed });

/** What a buyer typed, for their way back to the form. */
type Typed = z.output<typeof typed>;

/** The headers that let a buyer's browser carry what was typed, encrypted; none where it is too much for a cookie. */
export async function rememberOrder(productId: number, typed: Typed): Promise<Record<string, string>> {
  const line = await cookie.serialize(seal(JSON.stringify({ productId, at: Date.now(), typed })));
  return line.length > MOST ? {} : { "Set-Cookie": line };
}

/** The headers that make a buyer's browser forget it: who has paid does not go back to the form. */
export async function forgetOrder(): Promise<Record<string, string>> {
  return { "Set-Cookie": await cookie.serialize("", { maxAge: 0 }) };
}

/** What the same browser typed for this product a while ago; null where nothing, or nothing of ours. */
export async function recallOrder(request: Request, productId: number): Promise<Typed | null> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return null;
  try {
    const { data } = kept.safeParse(JSON.parse(unseal(sealed)));
    return data?.productId === productId && Date.now() - data.at < LASTS ? data.typed : null;
  } catch {
    // Changed on its way, or sealed with another APP_SECRET.
    return null;
  }
}
