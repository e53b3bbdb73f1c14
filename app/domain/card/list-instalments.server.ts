import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type CardGateway, findCardGateway } from "#app/domain/gateway/find-card-gateway.server.ts";
import type { InstalmentPrices } from "#app/domain/gateway/providers/card-port.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

const MAX_AGE = 10 * MINUTE;
/** A provider that does not answer is not asked for each page. */
const FAILURE_AGE = 30 * SECOND;
const MAX_ENTRIES = 2_000;

/** By key, amount and the first digits of the card: buyers of one product share an entry. The oldest is removed first. */
const cache = new Map<string, { prices: Promise<InstalmentPrices | null>; until: number }>();

/**
 * What paying an amount in instalments costs, as the provider states it; the answer is up to 10 minutes old. Where the provider
 * does not answer, one payment without interest, with an empty brand.
 * @param bin the card's first 8 digits, null before it is typed
 * @returns null where no credit card begins with them
 */
export async function listInstalments(
  gateway: CardGateway,
  amountCents: number,
  bin: string | null,
): Promise<InstalmentPrices | null> {
  const key = `${gateway.keyId} ${amountCents} ${bin ?? ""}`;
  const known = cache.get(key);
  if (known && known.until > Date.now()) return known.prices;
  // Pages that ask meanwhile share the call.
  const entry = { prices: ask(), until: Date.now() + MAX_AGE };
  cache.delete(key);
  cache.set(key, entry);
  if (cache.size > MAX_ENTRIES) cache.delete(cache.keys().next().value!);
  return entry.prices;

  async function ask(): Promise<InstalmentPrices | null> {
    try {
      return await gateway.cards.listInstalments(gateway.credentials, amountCents, bin);
    } catch (error) {
      entry.until = Date.now() + FAILURE_AGE;
      if (!(error instanceof ProviderError)) throw error;
      const { kind, message } = error;
      log.warn({ keyId: gateway.keyId, kind, error: message }, "instalments not listed");
      const single = {
        count: 1,
        instalmentCents: amountCents,
        totalCents: amountCents,
        isInterestFree: true,
      };
      return { brand: "", prices: [single] };
    }
  }
}

/** The same for an order and the card that begins with these 8 digits. @throws Refusal not-found, also where it takes no cards */
export async function listOrderInstalments(saleId: string, bin: string): Promise<InstalmentPrices | null> {
  const [sale] = isUuid(saleId)
    ? await db
        .select({ sellerId: sales.sellerId, amountCents: sales.amountCents })
        .from(sales)
        .where(eq(sales.id, saleId))
    : [];
  const gateway = sale && (await findCardGateway(sale.sellerId));
  if (!gateway) throw notFound("A venda especificada não foi encontrada.");
  return listInstalments(gateway, sale.amountCents, bin);
}
