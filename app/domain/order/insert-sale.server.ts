import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { couponUses, offerUses } from "#app/db/schema/uses.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import type { BumpForSale, ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import { addCharge } from "#app/domain/charge/move-charge.server.ts";
import { buyerHashes } from "#app/domain/coupon/reserve-coupon.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import type { Order, PlacedSale } from "#app/domain/order/order.ts";
import type { SaleFingerprints } from "#app/domain/order/order-fingerprint.server.ts";
import type { Quote } from "#app/domain/pricing/quote.ts";
import type { SaleEventData } from "#app/domain/sale/events.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** An order that is about to be placed, at current prices. */
export type PricedOrder = {
  order: Order;
  product: ProductForSale;
  bumps: BumpForSale[];
  priced: Quote;
  fingerprints: SaleFingerprints;
};

/** Writes a new sale with its lines, first charge, event and deliveries, in one statement. */
export async function insertSale(
  tx: Tx,
  { order, product, bumps, priced, fingerprints }: PricedOrder,
): Promise<PlacedSale> {
  const { customer, campaign, ip, adAnswer, device, seenAt, guaranteeDays, charge, coupon, isCard } = order;
  const { totalCents: amountCents, pixDiscountCents } = priced;
  const { offer } = product;
  const { quantity } = priced.lines[0]!;
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, ...rest } = campaign;
  const insert = tx
    .insert(sales)
    .values({
      sellerId: product.sellerId,
      productId: product.id,
      ...{ amountCents, pixDiscountCents },
      ...(amountCents === 0 ? { paymentMethod: "free" } : isCard ? { paymentMethod: "card" } : {}),
      couponId: coupon?.id ?? null,
      couponCode: coupon?.code ?? null,
      offerId: offer?.id ?? null,
      offerName: offer?.name ?? null,
      quantity,
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
      device,
      seenAt,
      orderKey: fingerprints.order[0]!,
      submissionKey: fingerprints.submission[0] ?? null,
      clientKey: fingerprints.client[0]!,
    })
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const statement = new Statement();
  const sale = statement.add<"id" | "seller_id" | "product_id">("sale", insert);
  const ids = { saleId: sql`(select id from ${sale})`, sellerId: product.sellerId };
  statement.add("lines", tx.insert(saleLines).values(buildSaleLines(ids, product, bumps, priced)));
  if (coupon || offer) {
    const { email, document } = buyerHashes(product.sellerId, customer);
    const use = {
      ...ids,
      emailHash: email[0] ?? null,
      documentHash: document[0] ?? null,
      releasedAt: charge || amountCents === 0 ? null : new Date(),
    };
    if (coupon) statement.add("coupon_use", tx.insert(couponUses).values({ ...use, couponId: coupon.id }));
    if (offer)
      statement.add("offer_use", tx.insert(offerUses).values({ ...use, offerId: offer.id, quantity }));
  }
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
  const [placed] = await tx.execute<{ id: string; chargeId: string | null; databaseTime: number }>(
    statement.selectFrom(sale, sql`id, ${chargeIdColumn} as "chargeId", ${databaseTime} as "databaseTime"`),
  );
  const { id, chargeId } = placed!;
  const databaseOffset = placed!.databaseTime - performance.now();
  return { saleId: id, isEarlier: false, charge: chargeId ? { id: chargeId, databaseOffset } : null };
}

/** Names, prices and files are copied into the lines, so that they stay as they were when it was ordered. */
function buildSaleLines(
  sale: { saleId: SQL; sellerId: string },
  product: ProductForSale,
  bumps: BumpForSale[],
  { lines }: Quote,
) {
  const priceOf = (bumpId: number | null) => {
    const { cents, discountCents, methodDiscountCents, pixDiscountCents, quantity } = lines.find(
      (line) => line.bumpId === bumpId,
    )!;
    return { priceCents: cents, discountCents, methodDiscountCents, pixDiscountCents, quantity };
  };
  const ofProduct = priceOf(null);
  return [
    {
      ...sale,
      kind: "product" as const,
      productId: product.id,
      itemId: product.id,
      name: ofProduct.quantity > 1 ? `${ofProduct.quantity} × ${product.name}` : product.name,
      ...ofProduct,
      fileUrl: sql`(select file_url from ${products} where id = ${product.id})`,
    },
    ...bumps.map((bump, at) => ({
      ...sale,
      kind: "bump" as const,
      orderBumpId: bump.id,
      itemId: bump.id,
      position: at + 1,
      name: bump.name,
      ...priceOf(bump.id),
      fileUrl: sql`(select file_url from ${orderBumps} where id = ${bump.id})`,
    })),
  ];
}
