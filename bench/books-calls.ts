import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { batchDb, db } from "#app/db/client.server.ts";
import { insertCharge, moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { cleanUpBatches } from "#app/domain/maintenance/clean-up.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import type { BookTimes } from "./books.ts";

/** Run by bench/books.ts in its own process, on a database that it filled. Prints the medians as JSON. */
const TIMES = 150;
/** Rows per batch: a thousand purchases have five times as many to clean up. */
const CLEANED = 100;

const [shop] = await db.execute<{ seller: string; product: number }>(
  sql`select s.id as seller, (select min(p.id) from products p where p.seller_id = s.id)::int as product
    from sellers s where s.email = 'loja1@exemplo.com.br'`,
);
const { seller, product } = shop!;
const known = await batchDb.execute<{ id: string }>(
  sql`select id from sales where seller_id = ${seller} and status = 'completed' order by id limit ${TIMES}`,
);

const times: BookTimes = {
  "a purchase, from the order to the payment": await median(TIMES, purchase),
  "a sale's details": await median(known.length, (at) => showSale(seller, known[at]!.id)),
};
for (const kind of ["payment webhooks", "mail texts", "browsers known to advertisers"])
  times[`cleaning a batch of ${kind}`] = await median(5, () =>
    batchDb.execute(cleanUpBatches[kind]!(CLEANED)),
  );
console.log(JSON.stringify(times));
process.exit(0);

/** Writes everything that a purchase writes, without the calls to the provider. */
async function purchase(at: number): Promise<void> {
  const { saleId } = await placeSale({
    productId: product,
    bumpIds: [],
    ...{ quantity: 1, coupon: null, overRefusal: null, offerGraceMs: 0 },
    ...{ isCard: false, pixPercent: 0, charge: null },
    ...{ device: null, seenAt: null, seenGuaranteeDays: null, isRepurchase: false },
    adAnswer: { adConsent: null, adIds: null },
    customer: { name: "Bia", email: `medida${at}@exemplo.com.br`, phone: null, document: null },
    ip: null,
    campaign: {},
    seenCents: null,
    buyerContext: { client: randomUUID(), userAgent: "bench", placedSaleIds: [] },
  });
  const [sale] = await db.execute<{ amount: number; sellerId: string }>(
    sql`select amount_cents as amount, seller_id as "sellerId" from sales where id = ${saleId}`,
  );
  const amountCents = sale!.amount;
  const providerId = randomUUID();
  const chargeId = await insertCharge(
    db,
    { saleId, sellerId: sale!.sellerId },
    {
      provider: "pushinpay",
      gatewayKeyId: null,
      reference: randomUUID(),
      amountCents,
    },
  );
  const soon = new Date(Date.now() + 60_000);
  const code = { providerId, pixCode: "000201", expiresAt: soon, tookMs: 1 };
  await moveCharge(
    db,
    { id: chargeId, sellerId: sale!.sellerId, status: "creating" },
    { to: "open", ...code },
    "provider",
  );
  await settleCharge(chargeId, {
    providerId,
    state: "paid",
    providerStatus: "paid",
    amountCents,
    feeCents: 35,
    refundedCents: null,
    webhookUrl: null,
  });
}

async function median(count: number, call: (at: number) => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let at = 0; at < count; at++) {
    const since = performance.now();
    await call(at);
    taken.push(performance.now() - since);
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}
