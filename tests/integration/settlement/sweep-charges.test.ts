import { expect, test, vi } from "vitest";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { DAY, MINUTE } from "#app/kit/duration.ts";
import { holdLock, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const CARD = { method: "card", instalments: 1, provider: "mercadopago" } as const;
const ago = (ms: number) => new Date(Date.now() - ms);
const sweep = () => sweepCharges.handle({}, { number: 1, last: false });

async function makeNew(fields: Parameters<typeof makeCharge>[1]) {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  return makeCharge(sale, fields);
}

async function statesOf(charges: { id: string }[]) {
  const rows = await sql`select id, status, failure_kind as why from charges
    where id in ${sql(charges.map(({ id }) => id))}`;
  return charges.map(({ id }) => {
    const { status, why } = rows.find((row) => row.id === id)!;
    return why ? `${status} ${why}` : status;
  });
}

test("a code that its provider did not answer for two minutes has failed, and a card's answer is lost", async () => {
  const creating = { status: "creating", providerId: null } as const;
  const charges = [
    await makeNew({ ...creating, createdAt: ago(3 * MINUTE) }),
    await makeNew({ ...creating, ...CARD, createdAt: ago(3 * MINUTE) }),
    await makeNew({ ...creating, createdAt: ago(MINUTE) }),
    await makeNew({ status: "open", createdAt: ago(3 * MINUTE) }),
  ];
  await sweep();
  expect(await statesOf(charges)).toEqual(["failed no-answer", "unknown", "creating", "open"]);
});

test("a card that its provider does not know after a quarter of an hour was not charged, and its buyer is told", async () => {
  const createdAt = ago(30 * MINUTE);
  const asked = async (state: string, minutes: number, status: "unknown" | "in_review" = "unknown") => {
    const charge = await makeNew({ ...CARD, status, createdAt });
    const at = new Date(createdAt.getTime() + minutes * MINUTE);
    await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
      values (${charge.id}, ${charge.sellerId}, 'asked', ${sql.json({ state })}, 'system', ${at})`;
    return charge;
  };
  const charges = [
    await asked("unknown", 16),
    await asked("unknown", 14),
    await asked("in_review", 16),
    await asked("unknown", 16, "in_review"),
    await asked("unknown", 31 * 24 * 60),
  ];
  await sweep();
  const states = ["failed no-answer", "unknown", "unknown", "in_review", "unknown"];
  expect(await statesOf(charges)).toEqual(states);
  const mails = await sql`select sale_id, data ->> 'what' as what from ${mailsWithTexts()}
    where sale_id in ${sql(charges.map(({ saleId }) => saleId))}`;
  expect([...mails]).toEqual([{ sale_id: charges[0]!.saleId, what: "card-declined" }]);
  await sql`update sales set status = 'failed' where id = ${charges[1]!.saleId}`;
  await sql`update charge_events set at = at + interval '2 minutes' where charge_id = ${charges[1]!.id}`;
  await sweep();
  const [mail] =
    await sql`select data ->> 'what' as what from ${mailsWithTexts()} where sale_id = ${charges[1]!.saleId}`;
  expect(mail).toEqual({ what: "card-declined" });
});

test("a code that is checked no more has expired a quarter of an hour after its end, unless its payment is announced", async () => {
  const over = { status: "open", expiresAt: ago(16 * MINUTE), nextCheckAt: null } as const;
  // Announced for so long that no check of it is scheduled any more.
  const announced = async (handledAt: Date | null) => {
    const charge = await makeNew(over);
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at, handled_at)
      values (${charge.provider}, ${charge.id}, ${charge.sellerId}, ${charge.id}, ${charge.providerId}, 'paid', 'paid',
        ${ago(31 * DAY)}, ${handledAt})`;
    return charge;
  };
  const charges = [
    await makeNew(over),
    await makeNew({ ...over, expiresAt: ago(14 * MINUTE) }),
    await makeNew({ ...over, nextCheckAt: ago(MINUTE) }),
    await announced(null),
    await announced(ago(30 * DAY)),
  ];
  await makeWebhook({ id: charges[0]!.sellerId }, { name: "expired" });
  await sweep();
  expect(await statesOf(charges)).toEqual(["expired", "open", "open", "open", "expired"]);
  // Its provider never called it unpaid.
  expect(await sql`select from deliveries where seller_id = ${charges[0]!.sellerId}`).toEqual([]);
  const events = await sql`select kind, cause from charge_events where charge_id = ${charges[0]!.id}`;
  expect([...events]).toEqual([{ kind: "expired", cause: "clock" }]);
});

test("a refund that was not confirmed for three days ends, even if its provider is never asked", async () => {
  const requested = async (age: number) => {
    const charge = await makeNew({ status: "paid" });
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at)
      values (${charge.id}, ${charge.sellerId}, 9700, 'pending', 'requested', ${ago(age)})`;
    return charge;
  };
  const charges = [await requested(3 * DAY + MINUTE), await requested(3 * DAY - MINUTE)];
  await sweep();
  const states = charges.map(
    async ({ id }) => (await sql`select status from refunds where charge_id = ${id}`)[0]!.status,
  );
  expect(await Promise.all(states)).toEqual(["unconfirmed", "pending"]);
});

test("a webhook that nobody checked is checked, of a payment only what may change it", async () => {
  const announced = async (status: "open" | "paid" | "mispaid", state: string) => {
    const paid = status === "open" ? {} : { paidCents: status === "paid" ? 9700 : 5000, paidAt: ago(DAY) };
    const charge = await makeNew({ status, ...paid });
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
      values (${charge.provider}, ${charge.id}, ${charge.sellerId}, ${charge.id}, ${charge.providerId}, ${state}, ${state},
        ${ago(2 * MINUTE)})`;
    return charge;
  };
  const charges = [
    await announced("open", "paid"),
    await announced("open", "open"),
    await announced("paid", "paid"),
    await announced("paid", "refunded"),
    await announced("mispaid", "paid"),
  ];
  await sweep();
  const rows = await sql`select id, next_check_at <= now() as is_due from charges
    where id in ${sql(charges.map(({ id }) => id))}`;
  const isDue = charges.map(({ id }) => rows.find((row) => row.id === id)!.is_due === true);
  expect(isDue).toEqual([true, false, false, true, true]);
});

test("a charge that another session holds waits, and keeps no payment of another seller from being checked", async () => {
  const held = await makeNew({ status: "creating", providerId: null, createdAt: ago(3 * MINUTE) });
  const beside = await makeNew({ status: "creating", providerId: null, createdAt: ago(3 * MINUTE) });
  const paid = await makeNew({
    ...{ status: "open", nextCheckAt: null, lastCheckedAt: ago(20 * MINUTE), createdAt: ago(30 * MINUTE) },
  });
  await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status, received_at)
    values ('pushinpay', ${paid.id}, ${paid.sellerId}, 'beside-held', ${paid.providerId}, 'paid', 'paid', now() - interval '5 minutes')`;
  const lock = await holdLock((tx) => tx`update sales set guarantee_days = 8 where id = ${held.saleId}`);
  await sweep();
  expect(await statesOf([held, beside])).toEqual(["creating", "failed no-answer"]);
  expect((await sql`select next_check_at <= now() as due from charges where id = ${paid.id}`)[0]!.due).toBe(
    true,
  );
  await lock.release();
  await sweep();
  expect(await statesOf([held])).toEqual(["failed no-answer"]);
});

test("a worker whose clock is ahead fails no code that its provider may still answer", async () => {
  const charge = await makeNew({ status: "creating", providerId: null });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * MINUTE });
  await sweep().finally(() => vi.useRealTimers());
  expect(await statesOf([charge])).toEqual(["creating"]);
});
