import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { isMissingReference } from "#app/db/errors.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { orderBumps, products } from "#app/db/schema/products.server.ts";
import { type Campaign, saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import {
  type BumpForSale,
  findForSale,
  type ProductForSale,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { orderKey } from "#app/domain/sales/order-key.server.ts";
import { refuseRaised } from "#app/domain/sales/refuse-raised.ts";
import { totalOf } from "#app/domain/sales/seen-prices.ts";
import { DAY } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** What a buyer sends: ids and who they are. Prices are never taken from outside. */
export type Order = {
  productId: number;
  bumpIds: number[];
  /** Checked values; e-mail lowercase, phone E.164, document without punctuation; empty or null where not asked for. */
  customer: { name: string; email: string; phone: string | null; document: string | null };
  ip: string | null;
  /** Decoded query parameters of the checkout: utm_*, src, sck, click ids. */
  campaign: Campaign;
  /** The total the buyer was shown, in cents; null where nobody showed them one. */
  seenCents?: number | null;
};

/** How long an unpaid order can be taken up again by sending it once more. */
const SAME_ORDER_FOR = DAY;
/** Unpaid orders of one e-mail at one seller within an hour: each costs the seller's gateway a PIX. */
const MOST_UNPAID = 12;

/**
 * Records what a buyer wants, with today's prices. The same buyer, product and bumps at the same price while an earlier
 * order is unpaid is that earlier order: a double click, a reload and a second try never make a second sale.
 * @throws Refusal not-found where the product is not for sale, conflict where a chosen bump is gone or the total is above
 * the one the buyer saw, too-many where they have placed too many without paying
 */
export async function placeSale(order: Order): Promise<{ saleId: string }> {
  const product = await findForSale({ id: order.productId });
  if (!product) throw gone();
  const bumps = chosenBumps(product, order.bumpIds);
  const amountCents = totalOf(product, order.bumpIds);
  refuseRaised(order.seenCents, amountCents);
  const key = orderKey({
    email: order.customer.email,
    document: order.customer.document,
    phone: order.customer.phone,
    item: `product:${product.id}`,
    bumpIds: bumps.map((b) => b.id),
  });
  const email = order.customer.email.toLowerCase();
  // One buyer's orders at one seller go one by one: the same order finds the first, and none is missed in counting.
  const turn = email ? `${product.sellerId} ${email}` : key;
  const place = async (tx: Tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`);
    const earlier = await findEarlier(tx, { key, amountCents, email, sellerId: product.sellerId });
    if (earlier.saleId) return { saleId: earlier.saleId };
    if (earlier.waitSeconds !== null) throw tooManyUnpaid(earlier.waitSeconds);
    return { saleId: await insertSale(tx, order, product, bumps, { key, amountCents }) };
  };
  const placed = inTurn(turn, () => db.transaction(place));
  return placed.catch((error) => {
    // Deleted between reading and writing: the same answer as a moment earlier.
    throw isMissingReference(error) ? gone() : error;
  });
}

function gone(): Refusal {
  return new Refusal(
    "not-found",
    "O produto que você está procurando não existe ou não está mais disponível.",
  );
}

function chosenBumps(product: ProductForSale, ids: number[]): BumpForSale[] {
  const wanted = new Set(ids);
  const found = product.bumps.filter((bump) => wanted.has(bump.id));
  if (found.length === wanted.size) return found;
  throw new Refusal(
    "conflict",
    "Uma das ofertas escolhidas não está mais disponível. Confira o pedido e tente de novo.",
    "order_bumps",
  );
}

/** The same order, unpaid, and how long this buyer must wait before one more; null where they may order. One statement. */
async function findEarlier(
  tx: Tx,
  {
    key,
    amountCents,
    email,
    sellerId,
  }: { key: string; amountCents: number; email: string; sellerId: string },
): Promise<{ saleId: string | null; waitSeconds: number | null }> {
  const same = tx
    .select({ id: sales.id })
    .from(sales)
    .where(
      and(
        eq(sales.orderKey, key),
        eq(sales.status, "pending"),
        eq(sales.amountCents, amountCents),
        gt(sales.createdAt, new Date(Date.now() - SAME_ORDER_FOR)),
      ),
    )
    .orderBy(desc(sales.createdAt))
    .limit(1);
  const oldest = tx
    .select({ at: sales.createdAt })
    .from(sales)
    .where(
      and(
        eq(sales.customerEmail, email),
        eq(sales.sellerId, sellerId),
        inArray(sales.status, ["pending", "failed", "cancelled"]),
        sql`${email} <> ''`,
        sql`${sales.createdAt} > now() - interval '1 hour'`,
      ),
    )
    .orderBy(desc(sales.createdAt))
    .offset(MOST_UNPAID - 1)
    .limit(1);
  const [found] = await tx.execute<{ saleId: string | null; waitSeconds: number | null }>(
    sql`select (${same}) as "saleId",
      ceil(extract(epoch from (${oldest}) + interval '1 hour' - now()))::int as "waitSeconds"`,
  );
  return found!;
}

function tooManyUnpaid(seconds: number): Refusal {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return new Refusal(
    "too-many",
    `Este e-mail já tem ${MOST_UNPAID} pedidos sem pagamento nesta loja na última hora. Pague um deles pelo link que enviamos ou tente de novo em ${minutes === 1 ? "1 minuto" : `${minutes} minutos`}.`,
    undefined,
    Math.max(1, seconds),
  );
}

async function insertSale(
  tx: Tx,
  { customer, campaign, ip }: Order,
  product: ProductForSale,
  bumps: BumpForSale[],
  { key, amountCents }: { key: string; amountCents: number },
): Promise<string> {
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, ...rest } = campaign;
  const sale = tx
    .insert(sales)
    .values({
      sellerId: product.sellerId,
      productId: product.id,
      amountCents,
      customerName: customer.name,
      customerEmail: customer.email.toLowerCase(),
      customerPhone: customer.phone,
      customerDocumentSealed: customer.document ? seal(customer.document) : null,
      customerIp: ip,
      utmSource: utm_source ?? null,
      utmMedium: utm_medium ?? null,
      utmCampaign: utm_campaign ?? null,
      utmTerm: utm_term ?? null,
      utmContent: utm_content ?? null,
      campaign: rest,
      orderKey: key,
    })
    .returning({ id: sales.id });
  const saleId = sql`(select id from sale)`;
  const lines = tx.insert(saleLines).values([
    {
      saleId,
      kind: "product" as const,
      productId: product.id,
      name: product.name,
      priceCents: product.priceCents,
      fileUrl: sql`(select file_url from ${products} where id = ${product.id})`,
    },
    ...bumps.map((bump, at) => ({
      saleId,
      kind: "bump" as const,
      orderBumpId: bump.id,
      position: at + 1,
      name: bump.name,
      priceCents: bump.priceCents,
      fileUrl: sql`(select file_url from ${orderBumps} where id = ${bump.id})`,
    })),
  ]);
  const event = tx.insert(saleEvents).values({ saleId, toStatus: "pending", cause: "order placed" });
  const [placed] = await tx.execute<{ id: string }>(
    sql`with sale as ${sale}, lines as ${lines}, event as ${event} select id from sale`,
  );
  return placed!.id;
}
