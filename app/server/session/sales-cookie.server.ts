import { createHash } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { DAY, SECOND } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

/** As long as it is useful to know that a product was bought already. */
const LIFETIME = 180 * DAY;
/** Every request sends them; a buyer with more has paid the oldest or abandoned it. */
const MAX_SALES = 10;
/** As many of its cookies are read. */
const MAX_COOKIES = 2 * MAX_SALES;
/** Distinguish them from other sealed texts. */
const PREFIX = "sale:";
const LIST_PREFIX = "sales:";
/** Of a sale's own cookie: two orders at once, in two tabs, do not overwrite each other's. */
const SUFFIX = /^-[0-9a-f]{8}$/;

const cookieOf = (suffix: string) =>
  createCookie(cookieName(`compras${suffix}`), {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: SECURE,
    maxAge: LIFETIME / SECOND,
  });

type PlacedSale = { suffix: string; at: number; id: string };

/**
 * The sales that were placed in this browser, newest first, by which it is recognized as their buyer's. Only ids and times,
 * encrypted, so that the cookies reveal nothing about the buyer or their purchases.
 */
export async function recallSales(request: Request): Promise<string[]> {
  return [...new Set((await readSales(request)).map(({ id }) => id))].slice(0, MAX_SALES);
}

/**
 * The `Set-Cookie`s that add a sale placed in this browser, first, and delete those of the sales beyond the limit, and those that
 * cannot be read.
 */
export async function rememberSale(request: Request, saleId: string): Promise<string[]> {
  const suffix = `-${createHash("sha256").update(saleId).digest("hex").slice(0, 8)}`;
  const own = await cookieOf(suffix).serialize(seal(`${PREFIX}${Date.now()}:${saleId}`));
  const others = (await readSales(request)).filter((sale) => sale.suffix !== suffix && sale.id !== saleId);
  const kept = [suffix, ...others.slice(0, MAX_SALES - 1).map((sale) => sale.suffix)];
  const late = listSuffixes(request).filter((one) => !kept.includes(one));
  const deleted = late.map((one) => cookieOf(one).serialize("", { maxAge: 0 }));
  return [own, ...(await Promise.all(deleted))];
}

async function readSales(request: Request): Promise<PlacedSale[]> {
  const header = request.headers.get("cookie");
  const found = listSuffixes(request).map(async (suffix) =>
    readTexts(suffix, await cookieOf(suffix).parse(header)),
  );
  return (await Promise.all(found)).flat().toSorted((a, b) => b.at - a.at);
}

function listSuffixes(request: Request): string[] {
  const base = cookieName("compras");
  const names = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.split("=")[0]!.trim());
  const suffixes = names.filter((name) => name.startsWith(base)).map((name) => name.slice(base.length));
  const known = [...new Set(suffixes)].filter((suffix) => suffix === "" || SUFFIX.test(suffix));
  // Browsers send the newest last. Each is unsealed, and a header has room for hundreds.
  return known.slice(-MAX_COOKIES);
}

function readTexts(suffix: string, sealed: unknown): PlacedSale[] {
  if (typeof sealed !== "string" || sealed === "") return [];
  try {
    const text = unseal(sealed);
    // Up to 1.0 one cookie listed them all, newest first; it lasts for half a year.
    const ids = text.startsWith(LIST_PREFIX) ? text.slice(LIST_PREFIX.length).split(" ") : [];
    const [at, id] = text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(":") : [];
    const sales = id
      ? [{ suffix, at: Number(at), id }]
      : ids.map((listed) => ({ suffix, at: 0, id: listed }));
    return sales.filter((sale) => isUuid(sale.id));
  } catch {
    // Modified, or sealed with another APP_SECRET.
    return [];
  }
}
