import { z } from "zod";
import { DAY } from "#app/kit/duration.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

/** How long a link with a buyer's data fills in the form: unless stated otherwise, and at most. */
export const LINK_LIFETIME = 7 * DAY;
export const MAX_LINK_LIFETIME = 30 * DAY;

/** Marks the purpose of the token: texts sealed for other purposes are rejected. */
const PREFIX = "checkout-link:";
/** No token of ours is longer: the fields it holds have a maximal length. */
const MAX_TOKEN_LENGTH = 1700;

const stored = z.object({
  productId: z.number(),
  sellerId: z.string(),
  expiresAt: z.number(),
  buyer: z.object({ name: z.string(), email: z.string(), phone: z.string(), document: z.string() }),
});

/** A buyer's data that a link fills in; empty where it does not know them. */
export type LinkBuyer = z.output<typeof stored>["buyer"];
type LinkedProduct = { id: number; sellerId: string };

/** A buyer's data for a link to this product's checkout: encrypted, so that the address reveals nothing. */
export function sealBuyer({ id, sellerId }: LinkedProduct, buyer: LinkBuyer, expiresAt: Date): string {
  const content = { productId: id, sellerId, expiresAt: expiresAt.getTime(), buyer };
  const token = seal(PREFIX + JSON.stringify(content));
  return token;
}

/** The data in a token; null where it has expired, was changed, or is not ours. Ask `isOf` for which product it is. */
export function openBuyer(
  token: string,
  now = new Date(),
): { buyer: LinkBuyer; isOf: (product: LinkedProduct) => boolean } | null {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  try {
    const opened = unseal(token);
    if (!opened.startsWith(PREFIX)) return null;
    const { productId, sellerId, expiresAt, buyer } = stored.parse(JSON.parse(opened.slice(PREFIX.length)));
    if (expiresAt <= now.getTime()) return null;
    return { buyer, isOf: (product) => product.id === productId && product.sellerId === sellerId };
  } catch {
    // Changed, or sealed with another APP_SECRET.
    return null;
  }
}
