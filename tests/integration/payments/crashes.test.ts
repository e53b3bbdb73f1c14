import { expect, test } from "vitest";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { buy, openShop, order, stateOf } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/**
 * Processes are killed with SIGKILL at each step between the buyer's submit and the mail. No switch in the product
 * stops it there: the sandbox's faults and locks held by the test do.
 */
const app: App = await startApp();
const shop = await openShop();
let buyers = 0;

function someone() {
  const email = `bia${++buyers}@exemplo.com.br`;
  const body = {
    product_id: shop.product.id,
    customer_name: "Bia",
    customer_email: email,
    customer_phone: "11987654321",
    customer_document: "529.982.247-25",
  };
  // One line: a submit whose answer was lost is identified by its client.
  return { email, body, address: newAddress() };
}

async function submit({
  body,
  address,
}: ReturnType<typeof someone>): Promise<{ sale_id: string; payment_id: string } | null> {
  const headers = { "X-Forwarded-For": address };
  const answer = await app
    .fetch("/api/payments/pushinpay", { method: "POST", headers, body: JSON.stringify(body) })
    .catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

async function providerIdOf(chargeId: string): Promise<string> {
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  return charge!.provider_id;
}

async function expectPaidOnce(saleId: string, email: string) {
  await until(async () => (await stateOf(saleId)).status === "completed");
  await until(async () => (await purchases(email)) === 1);
  expect(await stateOf(saleId)).toMatchObject({ completions: 1, mails: 1 });
  await until(async () => {
    const [mail] = await sql`select status from mails where sale_id = ${saleId} and kind = 'purchase'`;
    return mail?.status === "sent";
  });
  expect(await purchases(email)).toBe(1);
}

async function purchases(email: string) {
  const mails = await app.sandbox.emails(email);
  return mails.filter((m) => m.body.subject.startsWith("Sua compra foi aprovada")).length;
}

/** The minute between two questions, without waiting for it. */
async function passAMinute(saleId: string) {
  await app.sandbox.advance(61);
  await sql`update charges set last_checked_at = last_checked_at - interval '61 seconds', next_check_at = date_trunc('milliseconds', now()) where sale_id = ${saleId}`;
}

// The next one kills it later, and finds the same.
longTest(
  "web killed after the sale's row: the buyer's second attempt is the same sale, paid once",
  async () => {
    const buyer = someone();
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "timeout", times: 1 });
    const first = submit(buyer);
    const saleId = await until(async () => {
      const [row] =
        await sql`select s.id from sales s join charges c on c.sale_id = s.id where s.customer_email = ${buyer.email}`;
      return row?.id as string | undefined;
    });
    await app.web[0]!.kill();
    expect(await first).toBeNull();
    await app.sandbox.endFaults("pushinpay");
    await app.web[0]!.start();
    const again = await submit(buyer);
    expect(again?.sale_id).toBe(saleId);
    await app.sandbox.pay(await providerIdOf(again!.payment_id));
    await expectPaidOnce(saleId, buyer.email);
  },
);

test("web killed between the provider's answer and our note of it: nothing payable is lost or doubled", async () => {
  const buyer = someone();
  await app.sandbox.fault({
    service: "pushinpay",
    route: "cashIn",
    mode: "timeout",
    after: true,
    times: 1,
  });
  const first = submit(buyer);
  const made = await until(async () => {
    const [row] =
      await sql`select s.id, c.reference from sales s join charges c on c.sale_id = s.id where s.customer_email = ${buyer.email}`;
    const list = await app.sandbox.transactions();
    const lost = row && list.find((t) => t.webhook_url?.includes(row.reference));
    return lost ? { saleId: row.id as string, lost: lost.id } : null;
  });
  await app.web[0]!.kill();
  await first;
  await app.web[0]!.start();
  const again = await submit(buyer);
  expect(again?.sale_id).toBe(made.saleId);
  // Even a code that nobody saw is booked once paid: the reference in its webhook address finds the charge.
  await app.sandbox.pay(made.lost);
  await expectPaidOnce(made.saleId, buyer.email);
});

test("web killed after the inbox row, no worker running: both come back and settle once", async () => {
  const buyer = someone();
  const sale = await submit(buyer);
  await app.worker[0]!.kill();
  await app.sandbox.pay(await providerIdOf(sale!.payment_id), { wait: true });
  await until(
    async () =>
      (await sql`select 1 from payment_webhooks where charge_id = ${sale!.payment_id}`).length === 1,
  );
  await app.web[0]!.kill();
  await app.web[0]!.start();
  await app.worker[0]!.start();
  await expectPaidOnce(sale!.sale_id, buyer.email);
});

/**
 * Kills a worker while its booking waits for `table`, and starts it again.
 * @returns the sale when the dead worker's statement is over
 */
async function killWhileBooking(
  sale: { sale_id: string; payment_id: string },
  table: string,
  value?: number,
) {
  const lock = await holdLock((tx) => tx`lock table ${sql(table)} in exclusive mode`);
  await app.sandbox.pay(await providerIdOf(sale.payment_id), value ? { value } : {});
  // Others wait for the table, too: only the booking statement holds the charges.
  const waiting = await until(async () => {
    const found = await sql`select pid from pg_locks w where not granted and relation = ${table}::regclass
      and exists (select from pg_locks h where h.pid = w.pid and h.granted and h.relation = 'charges'::regclass)`;
    return found.length > 0 ? found : null;
  });
  await app.worker[0]!.kill();
  await lock.release();
  const pids = waiting.map(({ pid }) => pid);
  await until(async () => (await sql`select from pg_stat_activity where pid = any(${pids})`).length === 0);
  const left = await stateOf(sale.sale_id);
  await app.worker[0]!.start();
  return left;
}

test("worker killed during the usual settlement: it is booked whole or not at all, and once", async () => {
  const buyer = someone();
  const sale = await submit(buyer);
  const left = await killWhileBooking(sale!, "sale_events");
  const isBooked = left.status === "completed";
  expect(left).toMatchObject({
    ...{
      status: isBooked ? "completed" : "pending",
      completions: Number(isBooked),
      mails: Number(isBooked),
    },
    charges: [{ status: isBooked ? "paid" : "open" }],
  });
  await passAMinute(sale!.sale_id);
  await expectPaidOnce(sale!.sale_id, buyer.email);
});

longTest(
  "worker killed in the middle of another settlement: the half is undone and done again whole",
  async () => {
    const sale = await submit(someone());
    const left = await killWhileBooking(sale!, "mails", 100);
    expect(left).toMatchObject({ status: "pending", charges: [{ status: "open" }] });
    await passAMinute(sale!.sale_id);
    await until(async () => (await stateOf(sale!.sale_id)).charges[0]!.status === "mispaid");
    const mailed = await sql`select from mails where sale_id = ${sale!.sale_id} and kind = 'wrong-amount'`;
    expect(mailed).toHaveLength(1);
  },
);

longTest("worker killed before the mail reached the provider: it is sent once", async () => {
  const buyer = someone();
  const sale = await submit(buyer);
  await app.sandbox.fault({ service: "resend", route: "emails", mode: "timeout", times: 2 });
  await app.sandbox.pay(await providerIdOf(sale!.payment_id));
  await until(async () => {
    const [mail] =
      await sql`select attempts from mails where sale_id = ${sale!.sale_id} and kind = 'purchase'`;
    return mail?.attempts === 1;
  });
  await app.worker[0]!.kill();
  await app.sandbox.endFaults("resend");
  await app.worker[0]!.start();
  await expectPaidOnce(sale!.sale_id, buyer.email);
});

longTest(
  "worker killed after the provider accepted the mail, before our note of it: it is sent once",
  async () => {
    const buyer = someone();
    const sale = await submit(buyer);
    await app.sandbox.fault({ service: "resend", route: "emails", mode: "timeout", after: true, times: 2 });
    await app.sandbox.pay(await providerIdOf(sale!.payment_id));
    await until(async () => (await purchases(buyer.email)) === 1);
    await app.worker[0]!.kill();
    await app.sandbox.endFaults("resend");
    await app.worker[0]!.start();
    await expectPaidOnce(sale!.sale_id, buyer.email);
  },
);

test("a web process stopped in the middle of a payment finishes it first", async () => {
  const buyer = someone();
  const lock = await holdLock((tx) => tx`lock table charges in exclusive mode`);
  const answer = submit(buyer);
  await untilLockedOut();
  const stopped = app.web[0]!.stop();
  await new Promise((later) => setTimeout(later, 700));
  await lock.release();
  const sale = await answer;
  expect(sale?.payment_id).toBeDefined();
  await stopped;
  await app.web[0]!.start();
  await app.sandbox.pay(await providerIdOf(sale!.payment_id));
  await expectPaidOnce(sale!.sale_id, buyer.email);
});

// The last one: the worker does not start again.
test("a worker stopped in the middle of a settlement finishes it first", async () => {
  const { product } = await openShop();
  await app.sandbox.webhooks({ drop: true });
  const { saleId, chargeId, providerId } = await buy(product.id, order(product.id));
  await app.sandbox.pay(providerId);
  const lock = await holdLock((tx) => tx`lock table sale_events in exclusive mode`);
  await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId}`;
  await untilLockedOut();
  const stopped = app.worker[0]!.stop();
  await new Promise((later) => setTimeout(later, 1000));
  await lock.release();
  await stopped;
  expect(await stateOf(saleId)).toMatchObject({ status: "completed", completions: 1, mails: 1 });
  expect(await checkCharge(chargeId)).toEqual({ kind: "nothing" });
});
