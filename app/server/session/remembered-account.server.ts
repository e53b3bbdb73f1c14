import { createCookie } from "@remix-run/node";
import { and, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { db } from "#app/db/client.server.ts";
import { sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { hashToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";
import { sessionToken, signInCookie } from "#app/server/session/session-cookie.server.ts";

const LIFETIME = 60 * DAY;

/**
 * The account whose dashboard this browser showed last. It signs nobody in: it only determines for whom a form is held
 * once the session ended.
 */
const accountCookie = createCookie(cookieName("conta"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: LIFETIME / SECOND,
});

// Strict, so that no other sealed cookie of ours passes for it.
const account = z.strictObject({ account: z.uuid(), at: z.number() });

/**
 * The `Set-Cookie`s that keep a browser with an open dashboard signed in and record its account: once a day, since use
 * extends the session's row and its cookie would otherwise expire first.
 */
export async function renewCookies(request: Request, sellerId: string): Promise<string[]> {
  const remembered = await rememberedAccount(request);
  if (remembered?.account === sellerId && Date.now() - remembered.at < DAY) return [];
  const token = await sessionToken(request);
  return [await rememberAccount(sellerId), ...(token ? [await signInCookie(token)] : [])];
}

/** The `Set-Cookie` that records a browser's account. */
export function rememberAccount(sellerId: string): Promise<string> {
  return accountCookie.serialize(seal(JSON.stringify({ account: sellerId, at: Date.now() })));
}

async function rememberedAccount(request: Request): Promise<z.output<typeof account> | null> {
  const sealed: unknown = await accountCookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string" || sealed === "") return null;
  try {
    const { data } = account.safeParse(JSON.parse(unseal(sealed)));
    return data && Date.now() - data.at < LIFETIME ? data : null;
  } catch {
    return null;
  }
}

/** The seller whose session ended in this browser; null if there was none. */
export async function findEndedAccount(request: Request): Promise<string | null> {
  const token = await sessionToken(request);
  const [ended] = token
    ? await db
        .select({ id: sessions.sellerId })
        .from(sessions)
        .where(eq(sessions.tokenHash, hashToken(token)))
    : [];
  if (ended) return ended.id;
  const remembered = await rememberedAccount(request);
  if (!remembered) return null;
  const [known] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.id, remembered.account), isNull(sellers.anonymizedAt)));
  return known?.id ?? null;
}
