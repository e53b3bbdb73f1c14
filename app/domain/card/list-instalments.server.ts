import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { type CardGateway, findCardGateway } from "#app/domain/gateway/find-gateway.server.ts";
import type { InstalmentPrice, InstalmentPrices } from "#app/domain/gateway/providers/card-port.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { cardTotal } from "#app/domain/order/payable-order.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { formatMoney } from "#app/kit/money.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

const MAX_AGE = 10 * MINUTE;
/** A provider that does not answer is not called for each page. */
const FAILURE_AGE = 30 * SECOND;
/** A page made before the answer is made anew after this. */
const PENDING_AGE = 3 * SECOND;
const MAX_ENTRIES = 2_000;

type Entry = {
  prices: Promise<InstalmentPrices | null>;
  /** The last answer; null while there is none. */
  known: InstalmentPrices | null;
  isPending: boolean;
  until: number;
};

/** By key, amount and the first digits of the card: buyers of one product share an entry. The oldest is removed first. */
const cache = new Map<string, Entry>();

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
  return findEntry(gateway, amountCents, bin).prices;
}

/**
 * The instalments of an amount for a page that does not wait for the provider: null while they are not known.
 * @returns `staleAt`: when the page is to be made anew (Unix ms)
 */
export async function peekInstalments(
  sellerId: string,
  amountCents: number,
): Promise<{ prices: InstalmentPrices | null; staleAt: number }> {
  const gateway = await findCardGateway(sellerId);
  if (!gateway) return { prices: null, staleAt: Number.POSITIVE_INFINITY };
  const { known, isPending, until } = findEntry(gateway, amountCents, null);
  return { prices: known, staleAt: isPending ? Date.now() + PENDING_AGE : until };
}

function findEntry(gateway: CardGateway, amountCents: number, bin: string | null): Entry {
  const key = `${gateway.keyId} ${amountCents} ${bin ?? ""}`;
  const last = cache.get(key);
  if (last && last.until > Date.now()) return last;
  // Pages that need it meanwhile share the call.
  const entry: Entry = {
    ...{ known: last?.known ?? null, isPending: true, until: Date.now() + MAX_AGE },
    prices: fetchPrices(),
  };
  // `peekInstalments` awaits it nowhere, and a rejection that nobody handles ends the process; who awaits it still gets it.
  entry.prices.catch(() => {});
  cache.delete(key);
  cache.set(key, entry);
  if (cache.size > MAX_ENTRIES) cache.delete(cache.keys().next().value!);
  return entry;

  async function fetchPrices(): Promise<InstalmentPrices | null> {
    try {
      const answer = await gateway.cards.listInstalments(gateway.credentials, amountCents, bin);
      entry.known = answer;
      return answer;
    } catch (error) {
      entry.until = Date.now() + FAILURE_AGE;
      entry.known = null;
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
    } finally {
      entry.isPending = false;
    }
  }
}

/** The same for an order and the card that begins with these 8 digits. @throws Refusal not-found, also where it takes no cards */
export async function listOrderInstalments(saleId: string, bin: string): Promise<InstalmentPrices | null> {
  const [sale] = isUuid(saleId)
    ? await db
        .select({ sellerId: sales.sellerId, amountCents: cardTotal })
        .from(sales)
        .where(eq(sales.id, saleId))
    : [];
  const gateway = sale && (await findCardGateway(sale.sellerId));
  if (!gateway) throw notFound("A venda especificada não foi encontrada.");
  return listInstalments(gateway, sale.amountCents, bin);
}

/** Instalments as a list shows them: `3x de R$ 34,10 (R$ 102,30)`. A longer text would be cut on a phone, the total first. */
export function describeInstalments({ prices }: InstalmentPrices): { count: number; text: string }[] {
  return prices.map((price) => ({ count: price.count, text: describeInstalment(price, "") }));
}

/** `3x de R$ 34,10 (total R$ 102,30)`, `2x de R$ 50,00 sem juros`. */
export function describeInstalment(
  { count, instalmentCents, totalCents, isInterestFree }: InstalmentPrice,
  label = "total ",
): string {
  const each = `${count}x de ${formatMoney(instalmentCents)}`;
  if (isInterestFree) return count === 1 ? each : `${each} sem juros`;
  return `${each} (${label}${formatMoney(totalCents)})`;
}
