import { expect, test } from "vitest";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.webhooks({ drop: true });
// Time passes for the tables only.
await app.sandbox.gate({ enabled: false });

const fail = (mode: "http-429" | "http-500" | "reset" | "slow-400" | "status-401") =>
  app.sandbox.fault({ service: "pushinpay", route: "transaction", mode, times: 1 });

/** A code whose last regular check is overdue, as after an outage of `age`. */
async function overdue(age: string) {
  const bought = await buy((await openShop()).product.id);
  await sql`update charges set created_at = now() - ${age}::interval, expires_at = now() - ${age}::interval,
    last_checked_at = null, next_check_at = date_trunc('milliseconds', now()) where id = ${bought.chargeId}`;
  return bought;
}

async function work() {
  for (const claimed of await claimChecks(10)) await checkClaimedCharge(claimed);
}

/** Makes a charge's paced check, now. */
async function workPaced(chargeId: string) {
  await sql`update paced_checks set scheduled_at = now() where charge_id = ${chargeId}`;
  await sql`update gateway_accounts a set next_paced_check_at = now() from charges c
    where c.id = ${chargeId} and c.seller_id = a.seller_id`;
  for (const check of await claimPacedChecks(10)) await pacedCheckQueue.handle(check);
}

async function pass(chargeId: string, hours: number) {
  await sql`update charges set last_checked_at = last_checked_at - make_interval(hours => ${hours}),
    next_check_at = next_check_at - make_interval(hours => ${hours}) where id = ${chargeId}`;
}

const hoursUntilNext = async (chargeId: string) => {
  const [row] = await sql`select extract(epoch from next_check_at - now())::float8 / 3600 as hours
    from charges where id = ${chargeId}`;
  return row!.hours === null ? null : Math.round(row!.hours);
};

const statusOf = async (saleId: string) =>
  (await sql`select status from sales where id = ${saleId}`)[0]!.status as string;

test.each(["http-429", "http-500", "reset"] as const)(
  "a payment whose last check gets no answer (%s) is checked again six hours later",
  async (mode) => {
    const { saleId, chargeId, providerId } = await overdue("4 days");
    await app.sandbox.pay(providerId);
    await fail(mode);
    await work();
    expect(await hoursUntilNext(chargeId)).toBe(6);
    await pass(chargeId, 7);
    await work();
    expect(await statusOf(saleId)).toBe("completed");
  },
);

test("an unpaid code is checked no more after an answer, a refused key or a month", async () => {
  const answered = await overdue("4 days");
  await work();
  const refused = await overdue("4 days");
  await fail("status-401");
  await work();
  const old = await overdue("31 days");
  await fail("http-500");
  await work();
  for (const { chargeId } of [answered, refused, old]) expect(await hoursUntilNext(chargeId)).toBeNull();
});

/** Checks a code that ended some minutes ago. @returns its state after that */
async function checkAfterEnd(chargeId: string, minutes: number): Promise<string> {
  await sql`update charges set expires_at = now() - make_interval(mins => ${minutes}), last_checked_at = null
    where id = ${chargeId}`;
  await checkCharge(chargeId);
  const [charge] = await sql`select status from charges where id = ${chargeId}`;
  return charge!.status;
}

test("a code that its provider never calls expired ends with a check long after its end, and is found paid later", async () => {
  const { saleId, chargeId, providerId } = await buy((await openShop()).product.id);
  expect(await checkAfterEnd(chargeId, 14)).toBe("open");
  expect(await checkAfterEnd(chargeId, 16)).toBe("expired");
  const [event] =
    await sql`select cause from charge_events where charge_id = ${chargeId} and kind = 'expired'`;
  expect(event).toEqual({ cause: "clock" });
  expect(await statusOf(saleId)).toBe("pending");
  await app.sandbox.pay(providerId);
  await pass(chargeId, 1);
  await work();
  expect(await statusOf(saleId)).toBe("completed");
});

test("a code whose payment was announced does not end with a check that still calls it unpaid", async () => {
  const { chargeId, providerId } = await buy((await openShop()).product.id);
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    select provider, id, seller_id, id, ${providerId}, 'paid', 'paid' from charges where id = ${chargeId}`;
  // The first check handles the webhook.
  expect(await checkAfterEnd(chargeId, 16)).toBe("open");
  expect(await checkAfterEnd(chargeId, 16)).toBe("open");
});

test("a process that dies during a code's last check leaves it to another", async () => {
  const { chargeId } = await overdue("4 days");
  await fail("slow-400");
  const checking = checkCharge(chargeId);
  const during = await until(async () => {
    const [row] = await sql`select next_check_at > now() as later from charges
      where id = ${chargeId} and last_checked_at > now()`;
    return row;
  });
  // What a dead process would leave.
  expect(during).toEqual({ later: true });
  await checking;
  expect(await hoursUntilNext(chargeId)).toBeNull();
});

test.each(["no answer", "a closed gate"])(
  "a payment's last paced check that meets %s is repeated, and finds its refund",
  async (what) => {
    const { saleId, chargeId, providerId } = await buy((await openShop()).product.id);
    await app.sandbox.pay(providerId);
    await checkCharge(chargeId);
    await app.sandbox.refund(providerId);
    const isClosed = what === "a closed gate";
    await sql`update charges set paid_at = now() - interval '90 days 1 minute',
      last_checked_at = case when ${isClosed} then now() end where id = ${chargeId}`;
    const isScheduled = async () =>
      (await sql`select from paced_checks where charge_id = ${chargeId}`).length === 1;
    if (!isClosed) await fail("http-500");
    await workPaced(chargeId);
    expect(await isScheduled()).toBe(true);
    await sql`update charges set last_checked_at = null where id = ${chargeId}`;
    await workPaced(chargeId);
    expect(await statusOf(saleId)).toBe("refunded");
    expect(await isScheduled()).toBe(false);
  },
);

test("a payment's last paced check without an answer is not repeated for ever", async () => {
  const { chargeId, providerId } = await buy((await openShop()).product.id);
  await app.sandbox.pay(providerId);
  await checkCharge(chargeId);
  await sql`update charges set paid_at = now() - interval '98 days', last_checked_at = null where id = ${chargeId}`;
  await fail("http-500");
  await workPaced(chargeId);
  expect(await sql`select from paced_checks where charge_id = ${chargeId}`).toHaveLength(0);
});
