import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { isMissingReference } from "#app/db/errors.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { idempotencyKeys } from "#app/db/schema/idempotency.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { type AdIds, type Campaign, saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import {
  type BumpForSale,
  findForSale,
  type ProductForSale,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { addCharge, type ChargeInsert } from "#app/domain/charge/move-charge.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import type { BuyerContext } from "#app/domain/order/buyer-context.ts";
import {
  type Customer,
  clientKeys,
  orderFingerprints,
  orderMutexKeys,
  submissionFingerprints,
} from "#app/domain/order/order-fingerprint.server.ts";
import { OrderRefusal, productGone, refuseShorterGuarantee } from "#app/domain/order/order-refusal.ts";
import { refusePriceIncrease } from "#app/domain/order/refuse-price-increase.ts";
import { computeTotal } from "#app/domain/order/seen-prices.ts";
import { type SaleKeys, selectEarlierSale } from "#app/domain/order/select-earlier-sale.server.ts";
import { type OrderWaits, refuseTooMany, selectOrderWaits } from "#app/domain/order/unpaid-limit.server.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import type { Device } from "#app/kit/device.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** Consent to share data with advertisers, null where not requested, and the ids by which they know the browser. */
export type AdAnswer = { adConsent: boolean | null; adIds: AdIds | null };

/** An order: ids and the buyer's data. Prices are never accepted from outside. */
export type Order = {
  productId: number;
  bumpIds: number[];
  customer: Customer;
  ip: string | null;
  /** Decoded query parameters of the checkout: utm_*, src, sck, click ids. */
  campaign: Campaign;
  /** The buyer's answer about advertisers; omitted where the question could not be shown. */
  adAnswer?: AdAnswer;
  /** The guarantee in the seller's settings, in days; omitted where those were not read. */
  guaranteeDays?: number;
  /** The guarantee that the buyer saw, in days; null where none was shown. */
  seenGuaranteeDays?: number | null;
  /** The buyer's device, and when they first saw the checkout; null where unknown. */
  device?: Device | null;
  seenAt?: Date | null;
  /** The total that the buyer saw, in cents; null where none was shown. */
  seenCents?: number | null;
  /** The buyer knows that they own it, and orders it again. */
  isRepurchase?: boolean;
  buyerContext: BuyerContext;
  /** The row of `idempotency_keys` in which the sale is recorded. */
  idempotencyKey?: string | undefined;
  /** The sale's first charge, where the caller requests it from the provider right after. */
  charge?: Omit<ChargeInsert, "amountCents"> | null;
};

/** `charge`: that of a new sale, without a PIX code yet; null where none was created, or the sale is an earlier one. */
export type PlacedSale = { saleId: string; charge: { id: string } | null };

/**
 * Places a sale at current prices. An earlier unpaid order of the same at the same price is reused where the same browser
 * placed it, or the same client submitted exactly the same within minutes: a double click, a reload or a retry never
 * creates a second sale. Anybody else gets a separate sale, whatever they know about the buyer. `loadedProduct`: where
 * the caller has just read the product.
 * @throws OrderRefusal not-for-sale, bump-gone, price (the total is above the one the buyer saw), guarantee (shorter than
 * seen), too-many
 */
export async function placeSale(sent: Order, loadedProduct?: ProductForSale): Promise<PlacedSale> {
  const product = loadedProduct ?? (await findForSale({ id: sent.productId }));
  if (!product) throw productGone();
  const order = { ...sent, customer: normalizeCustomer(sent.customer) };
  const bumps = findChosenBumps(product, order.bumpIds);
  const amountCents = computeTotal(product, order.bumpIds);
  refusePriceIncrease(order.seenCents, amountCents);
  const ordered = { ...order, item: `product:${product.id}`, bumpIds: bumps.map((b) => b.id) };
  const keys: SaleKeys = {
    sellerId: product.sellerId,
    order: orderFingerprints(ordered),
    submission: submissionFingerprints(ordered, order.buyerContext),
    hasBrowserId: Boolean(order.buyerContext.browserId),
    client: clientKeys(order.buyerContext.client),
  };
  const mutexKeys = orderMutexKeys(order.buyerContext);
  const { email } = order.customer;
  // Orders of one client are serialized, so that a second submission finds the first and the unpaid limit counts all. The
  // browser's own key also serializes a retry over another network.
  const placed = keyedMutex(mutexKeys[0], () =>
    db.transaction(async (tx) => {
      const locks = mutexKeys.map((mutexKey) => sql`pg_advisory_xact_lock(hashtextextended(${mutexKey}, 0))`);
      await tx.execute(sql`select ${sql.join(locks, sql`, `)}`);
      const { placedSaleIds } = order.buyerContext;
      const submission = {
        amountCents,
        placedSaleIds,
        isRepurchase: order.isRepurchase ?? false,
        hasEmail: Boolean(email),
      };
      const earlier = selectEarlierSale(tx, keys, submission);
      const orderWaits = selectOrderWaits(tx, { client: keys.client, email, sellerId: product.sellerId });
      const [found] = await tx.execute<OrderWaits & { saleId: string | null }>(
        sql`select ${earlier} as "saleId", ${orderWaits}`,
      );
      if (!found!.saleId) {
        // An earlier order has the guarantee it was placed with.
        refuseShorterGuarantee(order.seenGuaranteeDays, order.guaranteeDays);
        refuseTooMany(found!);
      }
      if (found!.saleId) await updateEarlierSale(tx, found!.saleId, order);
      const sale = found!.saleId
        ? { saleId: found!.saleId, charge: null }
        : await insertSale(tx, order, product, bumps, keys, amountCents);
      if (order.idempotencyKey)
        await tx
          .update(idempotencyKeys)
          .set({ saleId: sale.saleId, sellerId: product.sellerId })
          .where(eq(idempotencyKeys.key, order.idempotencyKey));
      return sale;
    }),
  );
  return placed.catch((error) => {
    // Deleted between reading and writing: the same answer as a moment earlier.
    throw isMissingReference(error) ? productGone() : error;
  });
}

/**
 * Submitting again may change the answer about advertisers, or follow a longer guarantee. A guarantee is never shortened.
 */
async function updateEarlierSale(tx: Tx, saleId: string, { adAnswer, guaranteeDays }: Order): Promise<void> {
  if (adAnswer && adAnswer.adConsent !== null)
    await tx
      .update(sales)
      .set(adAnswer)
      .where(and(eq(sales.id, saleId), sql`${sales.adConsent} is distinct from ${adAnswer.adConsent}`));
  if (guaranteeDays !== undefined)
    await tx
      .update(sales)
      .set({ guaranteeDays })
      .where(and(eq(sales.id, saleId), sql`coalesce(${sales.guaranteeDays}, 0) < ${guaranteeDays}`));
}

/** Empty values become null. */
function normalizeCustomer({ name, email, phone, document }: Customer): Customer {
  return {
    name: name || null,
    email: email?.toLowerCase() || null,
    phone: phone || null,
    document: document || null,
  };
}

function findChosenBumps(product: ProductForSale, ids: number[]): BumpForSale[] {
  const chosenIds = new Set(ids);
  const found = product.bumps.filter((bump) => chosenIds.has(bump.id));
  if (found.length === chosenIds.size) return found;
  throw new OrderRefusal(
    "bump-gone",
    "Uma das ofertas escolhidas não está mais disponível. Confira o pedido e tente de novo.",
    { field: "order_bumps" },
  );
}

async function insertSale(
  tx: Tx,
  { customer, campaign, ip, adAnswer, device, seenAt, guaranteeDays, charge }: Order,
  product: ProductForSale,
  bumps: BumpForSale[],
  keys: SaleKeys,
  amountCents: number,
): Promise<PlacedSale> {
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, ...rest } = campaign;
  const insert = tx
    .insert(sales)
    .values({
      sellerId: product.sellerId,
      productId: product.id,
      amountCents,
      customerName: customer.name,
      customerEmail: customer.email,
      customerPhone: customer.phone,
      customerDocumentSealed: customer.document ? seal(customer.document) : null,
      customerIp: ip,
      utmSource: utm_source ?? null,
      utmMedium: utm_medium ?? null,
      utmCampaign: utm_campaign ?? null,
      utmTerm: utm_term ?? null,
      utmContent: utm_content ?? null,
      campaign: rest,
      ...adAnswer,
      guaranteeDays: guaranteeDays ?? null,
      device: device ?? null,
      seenAt: seenAt ?? null,
      orderKey: keys.order[0]!,
      submissionKey: keys.submission[0] ?? null,
      clientKey: keys.client[0]!,
    })
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const statement = new Statement();
  const sale = statement.add<"id" | "seller_id" | "product_id">("sale", insert);
  const ids = { saleId: sql`(select id from ${sale})`, sellerId: product.sellerId };
  statement.add("lines", tx.insert(saleLines).values(buildLines(ids, product, bumps)));
  const data = { via: "checkout" } satisfies SaleEventData["placed"];
  const event = { ...ids, kind: "placed" as const, data, cause: "buyer" as const };
  statement.add("event", tx.insert(saleEvents).values(event));
  const charged = charge && addCharge(statement, ids, { ...charge, amountCents });
  const occurrences = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "occurrences",
    sql`select id as sale_id, seller_id, product_id, id as about_id from ${sale}`,
  );
  addDeliveries(statement, ["checkout.started"], occurrences);
  const chargeIdColumn = charged ? sql`(select id from ${charged})` : sql`null::uuid`;
  const [placed] = await tx.execute<{ id: string; chargeId: string | null }>(
    statement.selectFrom(sale, sql`id, ${chargeIdColumn} as "chargeId"`),
  );
  const { id, chargeId } = placed!;
  return { saleId: id, charge: chargeId ? { id: chargeId } : null };
}

/** Names, prices and files are copied into the lines, so that they stay as they were when it was ordered. */
function buildLines(sale: { saleId: SQL; sellerId: string }, product: ProductForSale, bumps: BumpForSale[]) {
  return [
    {
      ...sale,
      kind: "product" as const,
      productId: product.id,
      name: product.name,
      priceCents: product.priceCents,
      fileUrl: sql`(select file_url from ${products} where id = ${product.id})`,
    },
    ...bumps.map((bump, at) => ({
      ...sale,
      kind: "bump" as const,
      orderBumpId: bump.id,
      position: at + 1,
      name: bump.name,
      priceCents: bump.priceCents,
      fileUrl: sql`(select file_url from ${orderBumps} where id = ${bump.id})`,
    })),
  ];
}
