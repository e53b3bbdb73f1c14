import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { isMissingReference } from "#app/db/errors.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { idempotencyKeys } from "#app/db/schema/idempotency.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { type AdIds, type Campaign, saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import {
  type BumpForSale,
  findForSale,
  type ProductForSale,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { addCharge, type NewCharge } from "#app/domain/charge/move-charge.server.ts";
import { earlierSale, type Keys } from "#app/domain/order/earlier-sale.server.ts";
import {
  type Customer,
  clientKeys,
  orderKeys,
  pressKeys,
  turnsOf,
} from "#app/domain/order/order-key.server.ts";
import { OrderRefusal, productGone } from "#app/domain/order/order-refusal.ts";
import type { Placer } from "#app/domain/order/placer.ts";
import { refuseRaised } from "#app/domain/order/refuse-raised.ts";
import { refuseShortened } from "#app/domain/order/refuse-shortened.ts";
import { totalOf } from "#app/domain/order/seen-prices.ts";
import { refuseTooMany, unpaidWaits, type Waits } from "#app/domain/order/unpaid-limit.server.ts";
import { addDeliveries } from "#app/domain/outbox/queue-news.server.ts";
import type { SaleFacts } from "#app/domain/sale/facts.ts";
import type { Device } from "#app/kit/device.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** Whether advertisers may be told, null where nobody asked, and by what they know the browser. */
export type AdAnswer = { adConsent: boolean | null; adIds: AdIds | null };

/** What a buyer sends: ids and who they are. Prices are never taken from outside. */
export type Order = {
  productId: number;
  bumpIds: number[];
  customer: Customer;
  ip: string | null;
  /** Decoded query parameters of the checkout: utm_*, src, sck, click ids. */
  campaign: Campaign;
  /** What they answered to whether advertisers may know; left out where nobody could be asked. */
  answer?: AdAnswer;
  /** The guarantee that the checkout promises; left out where nobody read its settings. */
  guaranteeDays?: number;
  /** The one the buyer was shown, in days; null where nobody showed them one. */
  seenGuarantee?: number | null;
  /** What they ordered on, and when they first saw the checkout; null where it is not known. */
  device?: Device | null;
  seenAt?: Date | null;
  /** The total the buyer was shown, in cents; null where nobody showed them one. */
  seenCents?: number | null;
  /** The buyer was told that they bought it before, and wants it once more. */
  again?: boolean;
  placer: Placer;
  /** The row of `idempotency_keys` that is told of the sale. */
  nameKey?: string | undefined;
  /** What its first charge is asked for with, where the caller will ask for it at once. */
  charge?: Omit<NewCharge, "amountCents"> | null;
};

/** `charge`: the one a new sale was placed with, which waits for its code; null where it was placed without, or before. */
export type PlacedSale = { saleId: string; charge: { id: string } | null };

/**
 * Records what a buyer wants, with today's prices. An earlier unpaid order for the same at the same price is that order
 * where the same browser placed it, or within minutes the same client sent exactly the same: a double click, a reload and
 * a second try never make a second sale. Anybody else gets a sale of their own, whatever they know about the buyer.
 * `known` is the product as the caller has just read it; without it, it is read here.
 * @throws OrderRefusal not-for-sale, bump-gone, price (the total is above the one the buyer saw), guarantee (shorter than the
 * one they saw), too-many
 */
export async function placeSale(sent: Order, known?: ProductForSale): Promise<PlacedSale> {
  const product = known ?? (await findForSale({ id: sent.productId }));
  if (!product) throw productGone();
  const order = { ...sent, customer: withoutBlanks(sent.customer) };
  const bumps = chosenBumps(product, order.bumpIds);
  const amountCents = totalOf(product, order.bumpIds);
  refuseRaised(order.seenCents, amountCents);
  const ordered = { ...order, item: `product:${product.id}`, bumpIds: bumps.map((b) => b.id) };
  const keys: Keys = {
    order: orderKeys(ordered),
    press: pressKeys(ordered, order.placer),
    isOwnName: Boolean(order.placer.ownName),
    client: clientKeys(order.placer.client),
  };
  const turns = turnsOf(order.placer);
  const { email } = order.customer;
  // One client's orders go one by one: a second press finds the first, and none is missed in counting. A press that comes
  // again by another network waits for the first by its own name.
  const placed = inTurn(turns[0], () =>
    db.transaction(async (tx) => {
      const locks = turns.map((turn) => sql`pg_advisory_xact_lock(hashtextextended(${turn}, 0))`);
      await tx.execute(sql`select ${sql.join(locks, sql`, `)}`);
      const { placed } = order.placer;
      const press = { amountCents, placed, again: order.again ?? false, knowsBuyer: Boolean(email) };
      const earlier = earlierSale(tx, keys, press);
      const waits = unpaidWaits(tx, { client: keys.client, email, sellerId: product.sellerId });
      const [found] = await tx.execute<Waits & { saleId: string | null }>(
        sql`select ${earlier} as "saleId", ${waits}`,
      );
      if (!found!.saleId) {
        // What was ordered before keeps what it was promised.
        refuseShortened(order.seenGuarantee, order.guaranteeDays);
        refuseTooMany(found!);
      }
      if (found!.saleId) await keepAnswer(tx, found!.saleId, order);
      const sale = found!.saleId
        ? { saleId: found!.saleId, charge: null }
        : await insertSale(tx, order, product, bumps, keys, amountCents);
      if (order.nameKey)
        await tx
          .update(idempotencyKeys)
          .set({ saleId: sale.saleId, sellerId: product.sellerId })
          .where(eq(idempotencyKeys.key, order.nameKey));
      return sale;
    }),
  );
  return placed.catch((error) => {
    // Deleted between reading and writing: the same answer as a moment earlier.
    throw isMissingReference(error) ? productGone() : error;
  });
}

/**
 * Who sends an order again may have changed their mind about advertisers, and may have been promised a longer guarantee by
 * now. A shorter one takes nothing away.
 */
async function keepAnswer(tx: Tx, saleId: string, { answer, guaranteeDays }: Order): Promise<void> {
  if (answer && answer.adConsent !== null)
    await tx
      .update(sales)
      .set(answer)
      .where(and(eq(sales.id, saleId), sql`${sales.adConsent} is distinct from ${answer.adConsent}`));
  if (guaranteeDays !== undefined)
    await tx
      .update(sales)
      .set({ guaranteeDays })
      .where(and(eq(sales.id, saleId), sql`coalesce(${sales.guaranteeDays}, 0) < ${guaranteeDays}`));
}

/** Null where there is nothing. */
function withoutBlanks({ name, email, phone, document }: Customer): Customer {
  return {
    name: name || null,
    email: email?.toLowerCase() || null,
    phone: phone || null,
    document: document || null,
  };
}

function chosenBumps(product: ProductForSale, ids: number[]): BumpForSale[] {
  const wanted = new Set(ids);
  const found = product.bumps.filter((bump) => wanted.has(bump.id));
  if (found.length === wanted.size) return found;
  throw new OrderRefusal(
    "bump-gone",
    "Uma das ofertas escolhidas não está mais disponível. Confira o pedido e tente de novo.",
    { field: "order_bumps" },
  );
}

async function insertSale(
  tx: Tx,
  { customer, campaign, ip, answer, device, seenAt, guaranteeDays, charge }: Order,
  product: ProductForSale,
  bumps: BumpForSale[],
  keys: Keys,
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
      ...answer,
      guaranteeDays: guaranteeDays ?? null,
      device: device ?? null,
      seenAt: seenAt ?? null,
      orderKey: keys.order[0]!,
      pressKey: keys.press[0] ?? null,
      clientKey: keys.client[0]!,
    })
    .returning({ id: sales.id, sellerId: sales.sellerId, productId: sales.productId });
  const statement = new Statement();
  const sale = statement.add<"id" | "seller_id" | "product_id">("sale", insert);
  const ids = { saleId: sql`(select id from ${sale})`, sellerId: product.sellerId };
  statement.add("lines", tx.insert(saleLines).values(linesOf(ids, product, bumps)));
  const data = { via: "checkout" } satisfies SaleFacts["placed"];
  const event = { ...ids, kind: "placed" as const, data, cause: "buyer" as const };
  statement.add("event", tx.insert(saleEvents).values(event));
  const charged = charge && addCharge(statement, ids, { ...charge, amountCents });
  const facts = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "facts",
    sql`select id as sale_id, seller_id, product_id, id as about_id from ${sale}`,
  );
  addDeliveries(statement, ["checkout.started"], facts);
  const chargeOf = charged ? sql`(select id from ${charged})` : sql`null::uuid`;
  const [placed] = await tx.execute<{ id: string; chargeId: string | null }>(
    statement.selectFrom(sale, sql`id, ${chargeOf} as "chargeId"`),
  );
  const { id, chargeId } = placed!;
  return { saleId: id, charge: chargeId ? { id: chargeId } : null };
}

/** What is sold, as it is now: names, prices and files stay what they were when it was ordered. */
function linesOf(sale: { saleId: SQL; sellerId: string }, product: ProductForSale, bumps: BumpForSale[]) {
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
