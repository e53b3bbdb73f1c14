import { randomUUID } from "node:crypto";
import type { Tx } from "#app/db/client.server.ts";
import type { Cause, SaleEventKind } from "#app/db/schema/lists.ts";
import { chargeEvents, charges, refunds } from "#app/db/schema/payments.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { startOfDaysAgo } from "#app/kit/dates.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { randomToken, seal } from "#app/platform/secrets.server.ts";
import { DEMO_CAMPAIGNS, makeBuyer } from "#scripts/demo-people.ts";
import type { DemoShop } from "#scripts/demo-shop.ts";
import { type Randomness, randomness } from "#scripts/random.ts";

const DAYS = 90;
/** PushinPay's fee for a paid PIX, in cents. */
const FEE = 35;
/** Relative number of sales per hour of the São Paulo day: quiet nights, busy evenings. */
const HOURS = [3, 1, 1, 0, 0, 1, 2, 4, 6, 8, 9, 10, 12, 10, 9, 9, 9, 10, 12, 14, 17, 18, 14, 8];

type Rows = {
  sales: (typeof sales.$inferInsert)[];
  lines: (typeof saleLines.$inferInsert)[];
  events: (typeof saleEvents.$inferInsert)[];
  charges: (typeof charges.$inferInsert)[];
  chargeEvents: (typeof chargeEvents.$inferInsert)[];
  refunds: (typeof refunds.$inferInsert)[];
};
type Status = (typeof sales.$inferInsert)["status"];

/** About 600 sales of the last 90 days, with everything they cause. The same at every run, except ids and secrets. */
export async function makeDemoSales(tx: Tx, shop: DemoShop): Promise<void> {
  const random = randomness(20);
  const now = new Date();
  const rows: Rows = { sales: [], lines: [], events: [], charges: [], chargeEvents: [], refunds: [] };
  for (let daysAgo = DAYS - 1; daysAgo >= 0; daysAgo--) {
    const day = startOfDaysAgo(now, daysAgo);
    const growth = 3.4 + ((DAYS - daysAgo) / DAYS) * 3.6;
    const weekend = [0, 6].includes(new Date(day.getTime() + DAY / 2).getUTCDay()) ? 1.35 : 1;
    const today = Math.round(growth * weekend * (0.6 + random.next() * 0.8));
    for (let i = 0; i < today; i++) {
      const hour = random.weighted(HOURS.map((weight, at) => [at, weight] as const));
      const at = new Date(day.getTime() + hour * HOUR + random.between(0, HOUR - 1));
      if (at < now) sell(rows, shop, random, at, now);
    }
  }
  await inBatches(rows.sales, (batch) => tx.insert(sales).values(batch));
  await inBatches(rows.lines, (batch) => tx.insert(saleLines).values(batch));
  await inBatches(rows.events, (batch) => tx.insert(saleEvents).values(batch));
  await inBatches(rows.charges, (batch) => tx.insert(charges).values(batch));
  await inBatches(rows.chargeEvents, (batch) => tx.insert(chargeEvents).values(batch));
  await inBatches(rows.refunds, (batch) => tx.insert(refunds).values(batch));
}

function sell(rows: Rows, shop: DemoShop, random: Randomness, at: Date, now: Date) {
  const stock =
    shop.stocks[
      random.weighted([
        [0, 76],
        [1, 18],
        [2, 6],
      ] as const)
    ]!;
  const campaign = random.weighted(DEMO_CAMPAIGNS);
  const buyer = makeBuyer(random);
  const saleId = randomUUID();
  const bumps = stock.bumps.filter(() => random.chance(0.3));
  const lines = [
    { kind: "product" as const, productId: stock.product.id, item: stock.product },
    ...bumps.map((bump) => ({ kind: "bump" as const, orderBumpId: bump.id, item: bump })),
  ];
  const common = {
    sellerId: shop.sellerId,
    productId: stock.product.id,
    customerName: buyer.name,
    customerEmail: buyer.email,
    customerPhone: buyer.phone,
    customerDocumentSealed: seal(buyer.document),
    ...campaign,
  };
  // Phone or computer is derived from the buyer's number, so that no other random value changes.
  const share = Number(buyer.phone.slice(-2));
  const device = share % 5 === 0 ? ("computer" as const) : ("phone" as const);
  const seenAt = share % 10 === 9 ? null : new Date(at.getTime() - (40 + share * 4) * 1000);
  const status = outcome(random, now.getTime() - at.getTime());
  const completedAt = record(
    rows,
    random,
    { ...common, id: saleId, status, createdAt: at, device, seenAt },
    lines,
  );
  if (status !== "completed" || !completedAt || stock.upsells.length === 0 || !random.chance(0.12)) return;
  const upsell = random.pick(stock.upsells);
  const later = new Date(Math.min(completedAt.getTime() + random.between(1, 8) * MINUTE, now.getTime() - 1));
  record(
    rows,
    random,
    { ...common, id: randomUUID(), parentSaleId: saleId, status: "completed", createdAt: later },
    [{ kind: "offer" as const, upsellId: upsell.id, item: upsell }],
  );
}

/** The status of a sale that was placed `age` milliseconds ago. */
function outcome(random: Randomness, age: number): Status {
  if (age < 2 * HOUR)
    return random.weighted([
      ["completed", 6],
      ["pending", 4],
    ]);
  return random.weighted([
    ["completed", 78],
    [age < 3 * DAY ? "pending" : "cancelled", 15],
    ["failed", 3],
    [age > 2 * DAY ? "refunded" : "completed", 3],
    [age > 20 * DAY ? "chargedback" : "completed", 1],
  ]);
}

/** Inserts one sale and the rows that refer to it. @returns when it was paid, or null */
function record(
  rows: Rows,
  random: Randomness,
  sale: Omit<typeof sales.$inferInsert, "amountCents" | "orderKey"> & { id: string; createdAt: Date },
  lines: (Omit<typeof saleLines.$inferInsert, "saleId" | "sellerId" | "name" | "priceCents"> & {
    item: { id: number; name: string; priceCents: number; fileUrl: string | null };
  })[],
): Date | null {
  const { id: saleId, sellerId, createdAt, status } = sale;
  const amountCents = lines.reduce((sum, line) => sum + line.item.priceCents, 0);
  const paid = ["completed", "refunded", "chargedback"].includes(status!);
  const paidAt = paid ? new Date(createdAt.getTime() + random.between(20, 9 * 60) * 1000) : null;
  const ended = new Date(
    (paidAt ?? createdAt).getTime() + (paid ? random.between(20, 45) * HOUR : 30 * MINUTE),
  );
  rows.sales.push({
    ...sale,
    amountCents,
    orderKey: randomToken(),
    completedAt: paidAt,
    feeCents: paidAt ? FEE : null,
    refundedAt: status === "refunded" ? ended : null,
    refundedCents: status === "refunded" ? amountCents : 0,
  });
  lines.forEach(({ item, ...line }, position) => {
    const { id: itemId, name, priceCents, fileUrl } = item;
    rows.lines.push({ ...line, saleId, sellerId, itemId, position, name, priceCents, fileUrl });
  });
  const event = (kind: SaleEventKind, cause: Cause, at: Date, data: object = {}) =>
    rows.events.push({ saleId, sellerId, kind, cause, at, data });
  event("placed", "buyer", createdAt, { via: sale.parentSaleId ? "offer" : "checkout" });
  if (paidAt) event("completed", "provider", paidAt);
  if (status === "refunded") event("refunded", "provider", ended);
  if (status === "chargedback") event("chargedback", "seller", ended);
  if (status === "cancelled") event("cancelled", "clock", new Date(ended.getTime() + DAY));
  if (status === "failed") event("failed", "provider", createdAt, { why: "refused" });
  const chargeId = randomUUID();
  const chargeEvent = (
    kind: (typeof chargeEvents.$inferInsert)["kind"],
    cause: Cause,
    at: Date,
    data: object = {},
  ) => rows.chargeEvents.push({ chargeId, sellerId, kind, cause, at, data });
  chargeEvent("requested", "buyer", createdAt);
  if (status === "failed") chargeEvent("failed", "provider", createdAt, { why: "refused", detail: "" });
  else chargeEvent("made", "provider", createdAt, { tookMs: 380 });
  if (paidAt) chargeEvent("paid", "provider", paidAt, { amountCents, feeCents: FEE });
  else if (status === "cancelled") chargeEvent("expired", "provider", ended);
  if (status === "refunded") {
    const id = randomUUID();
    const refund = { id, chargeId, sellerId, amountCents, status: "done", origin: "observed" } as const;
    rows.refunds.push({ ...refund, requestedAt: ended, endedAt: ended });
    chargeEvent("refund_done", "provider", ended, { refundId: id, amountCents });
  }
  rows.charges.push({
    id: chargeId,
    saleId,
    sellerId,
    provider: "pushinpay",
    reference: randomToken(),
    providerId: status === "failed" ? null : randomUUID(),
    status: paidAt ? "paid" : status === "failed" ? "failed" : "expired",
    amountCents,
    feeCents: paidAt ? FEE : null,
    paidCents: paidAt ? amountCents : null,
    failureKind: status === "failed" ? "refused" : null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 30 * MINUTE),
    paidAt,
  });
  return paidAt;
}

/** Postgres accepts at most 65,535 parameters per statement. */
async function inBatches<T>(rows: T[], insert: (batch: T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) await insert(rows.slice(at, at + 500));
}
