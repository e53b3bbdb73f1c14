import { eq, sql as part } from "drizzle-orm";
import { expect } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import { addDeliveries } from "#app/domain/delivery/queue-deliveries.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { openFaultyListeners, withoutAdded } from "#tests/integration/deliveries/faulty-receivers.ts";
import { utmifyOf } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const AGREED = {
  adConsent: true,
  adIds: { agent: "Mozilla/5.0", fbp: "fb.0.1767225600000.1", ga: "1.2" },
  campaign: { fbclid: "IwAR0abc123", ttclid: "t1" },
};
const AT_ONCE = 8;
/** Rows that a killed worker may have been sending. */
const IN_FLIGHT = 40;

/**
 * Sells, and delivers to nine destinations that fail at random by two workers that are killed at random: three
 * webhooks (one per body form), three pixels, two member areas, and UTMify. Checks that each message arrived in the
 * order of its sale, none lost, none twice except where the service had received it and we could not know.
 */
export async function deliverManySales({
  count,
  kills,
  seconds,
}: {
  count: number;
  kills: number;
  seconds: number;
}) {
  const app = await startApp({ web: 0, worker: 2, sandbox: false });
  const listeners = await openFaultyListeners({ chance: 0.1 });
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const destinations = [
    ...["standard", "kiwify", "hotmart"].map((form) =>
      makeWebhook(seller, { name: `many-${form}`, form: form as "standard" }),
    ),
    ...(["meta", "ga4", "tiktok"] as const).map((kind) => makePixel(seller, kind)),
    makeMemberArea(seller, "cademi"),
    makeMemberArea(seller, "memberkit", { classes: [{ item: String(product.id), ids: [101] }] }),
  ];
  await makeTracking(seller);
  const ids = [...(await Promise.all(destinations)), await utmifyOf(seller.id)];
  const killing = killNowAndThen(app.worker, kills);
  let left = count;
  const sell = async () => {
    while (left-- > 0) await sellOne(product, left);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sell));
  await killing;
  await until(
    async () => {
      // Pauses between attempts are skipped.
      await sql`update deliveries set next_attempt_at = null, scheduled_at = date_trunc('milliseconds', now())
        where status = 'queued' and next_attempt_at > now() and leased_until is null`;
      return (await sql`select from deliveries where status = 'queued' limit 1`).length === 0;
    },
    { seconds, every: 200, what: "everything to be told" },
  );
  await app.close();
  listeners.close();
  let delivered = 0;
  for (const id of ids) delivered += await expectDelivered(id, listeners.heard);
  // Besides those whose answer was lost, only what a killed worker held.
  const copies = listeners.heard.length - delivered;
  expect(copies).toBeLessThanOrEqual(listeners.lostAnswers() + kills * IN_FLIGHT);
  expect(Math.max(...listeners.most.values())).toBeLessThanOrEqual(3 + kills * 3);
  return { delivered, copies };
}

async function sellOne(product: Awaited<ReturnType<typeof makeProduct>>, n: number) {
  const sale = await makeSale(product, AGREED);
  const statement = new Statement();
  const events = statement.add<"sale_id" | "seller_id" | "product_id" | "about_id">(
    "facts",
    part`select s.id as sale_id, s.seller_id, s.product_id, s.id as about_id from ${sales} s where s.id = ${sale.id}`,
  );
  addDeliveries(statement, ["checkout.started", "pix.generated"], events);
  await db.execute(statement.select());
  const move = (from: "pending" | "completed", to: Parameters<typeof moveSale>[2]) =>
    db.transaction(async (tx) => {
      await tx.select({ id: sales.id }).from(sales).where(eq(sales.id, sale.id)).for("no key update");
      await moveSale(tx, { id: sale.id, sellerId: sale.sellerId, status: from }, to, "provider");
    });
  await move("pending", { to: "completed", at: new Date(), feeCents: 35 });
  if (n % 5 === 0) await move("completed", { to: "refunded", refundedCents: sale.amountCents });
}

async function killNowAndThen(workers: Awaited<ReturnType<typeof startApp>>["worker"], kills: number) {
  for (let n = 0; n < kills; n++) {
    await new Promise((later) => setTimeout(later, 2000 + 3000 * Math.random()));
    const worker = workers[n % workers.length]!;
    await worker.kill();
    await worker.start();
  }
}

/** @returns the number of messages delivered */
async function expectDelivered(
  destinationId: string,
  arrivals: { delivered: string; to: string }[],
): Promise<number> {
  const rows = await sql`select subject_id, status, reason, body_sealed from deliveries
    where destination_id = ${destinationId} order by sequence, part`;
  const odd = rows.filter(
    ({ status, reason }) => status !== "sent" && !(status === "dropped" && reason !== "stopped"),
  );
  expect(odd.map(({ status, reason }) => `${status}: ${reason}`)).toEqual([]);
  const messages = rows
    .filter(({ status }) => status === "sent")
    .map((row) => ({ subject: row.subject_id as string, delivered: withoutAdded(unseal(row.body_sealed)) }));
  const firsts = new Map<string, number>();
  for (const [at, { delivered }] of arrivals.entries()) if (!firsts.has(delivered)) firsts.set(delivered, at);
  const lost = messages.filter(({ delivered }) => !firsts.has(delivered));
  expect(lost).toEqual([]);
  const newest = new Map<string, number>();
  for (const { subject, delivered } of messages) {
    const at = firsts.get(delivered)!;
    expect(at).toBeGreaterThan(newest.get(subject) ?? -1);
    newest.set(subject, at);
  }
  return messages.length;
}
