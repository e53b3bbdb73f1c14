import { beforeEach, describe, expect, test } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";
import { paths } from "#app/kit/paths.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { cardShop, checkPaid, disputeStateOf, sellByCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });
const shop = await cardShop();
const SECRET = "assinatura-da-aplicacao";
const webhookUrl = app.url + paths.paymentWebhook("mercadopago", shop.hookToken);
const DAY = 86_400_000;

const connect = (fields: object) =>
  app.sandbox.post("/mercadopago", { accessToken: shop.apiKey, webhookUrl, secret: SECRET, ...fields });
const act = (providerId: string, action: string, body: object = {}) =>
  app.sandbox.post<{ card: { chargeback: { id: string } } }>(`/transactions/${providerId}/${action}`, body);

/** Without an address nothing is sent. */
beforeEach(() => app.sandbox.post("/mercadopago", { accessToken: shop.apiKey, webhookUrl: null }));

/** The paced checks that are due run at once, and not a minute later. */
const runPaced = () =>
  sql`update gateway_accounts set next_paced_check_at = now() where seller_id = ${shop.seller.id}`;

/** Opens the gates of charges: what is due is checked at once. */
const letCheck = (chargeIds: string[]) =>
  sql`update charges set last_checked_at = null, next_check_at = case when next_check_at is not null then now() end
    where id in ${sql(chargeIds)} and last_checked_at < now()`;

test("a reported chargeback is an open dispute, with the provider's id and deadline, and the verdict decides it", async () => {
  const won = await sellByCard(app, shop.product.id, { instalments: "12" });
  const lost = await sellByCard(app, shop.product.id);
  for (const { saleId, chargeId, providerId } of [won, lost]) {
    const { card } = await act(providerId, "chargeback");
    expect(await checkPaid(chargeId)).toBe("disputed");
    // What the provider says again changes nothing.
    expect(await checkPaid(chargeId)).toBe("disputed");
    const { disputes, ...sale } = await disputeStateOf(saleId);
    expect(sale).toEqual({ status: "disputed", refundedCents: 0, events: ["disputed by provider"] });
    expect(disputes).toMatchObject([
      {
        ...{ status: "open", origin: "provider", amount_cents: 9700, provider_id: card.chargeback.id },
        ...{ evidence: "needed", is_sent: false },
      },
    ]);
    expect(Math.round((disputes[0]!.due - Date.now()) / DAY)).toBe(10);
    const [check] = await sql`select scheduled_at <= now() + interval '6 hours' as is_soon from paced_checks
      where charge_id = ${chargeId}`;
    expect(check).toEqual({ is_soon: true });
    await until(async () =>
      (await app.sandbox.emails(shop.seller.email)).some(
        ({ body }) =>
          body.html?.includes("no banco do cartão (chargeback)") &&
          body.html.includes("Envie os comprovantes"),
      ),
    );
  }
  await act(won.providerId, "reject");
  expect(await checkPaid(won.chargeId)).toBe("dispute-won");
  expect(await checkPaid(won.chargeId)).toBe("still-paid");
  expect(await disputeStateOf(won.saleId)).toMatchObject({
    ...{ status: "completed", refundedCents: 0, disputes: [{ status: "won", evidence: "missed" }] },
    events: ["disputed by provider", "dispute_won by provider"],
  });
  await act(lost.providerId, "accept");
  expect(await checkPaid(lost.chargeId)).toBe("refunded");
  expect(await disputeStateOf(lost.saleId)).toMatchObject({
    ...{ status: "chargedback", refundedCents: 9700, disputes: [{ status: "lost" }] },
    events: ["disputed by provider", "chargedback by provider"],
  });
  const events =
    await sql`select split_part(idempotency_key, '/', 3) as what from mails where sale_id = ${won.saleId}
    and kind = 'dispute' order by created_at`;
  expect(events.map(({ what }) => what)).toEqual(["opened", "won"]);
});

describe.each([
  ["the order's topic", ["order"]],
  ["the chargebacks' topic", ["topic_chargebacks_wh"]],
  ["no webhook at all", []],
])("with %s", (_, topics) => {
  test("a chargeback is found, and so is its verdict", async () => {
    await connect({ topics });
    const won = await sellByCard(app, shop.product.id);
    const lost = await sellByCard(app, shop.product.id);
    const statuses = async () => {
      if (topics.length === 0)
        await sql`update paced_checks set scheduled_at = now() where charge_id in ${sql([won.chargeId, lost.chargeId])}`;
      if (!topics.includes("order")) await runPaced();
      await letCheck([won.chargeId, lost.chargeId]);
      return Promise.all([won, lost].map(async ({ saleId }) => (await disputeStateOf(saleId)).status));
    };
    const become = (...expected: string[]) =>
      until(async () => JSON.stringify(await statuses()) === JSON.stringify(expected), { every: 500 });
    for (const { providerId } of [won, lost]) await act(providerId, "chargeback");
    await become("disputed", "disputed");
    await act(won.providerId, "reject");
    await act(lost.providerId, "accept");
    await become("completed", "chargedback");
  });
});

describe.each([
  ["the order's topic", ["order"]],
  ["the chargebacks' topic", ["topic_chargebacks_wh"]],
  ["a check that its statement schedules", []],
])("with %s", (_, topics) => {
  test("the seller is told once that a refunded payment is contested, and once that it was taken", async () => {
    await connect({ topics });
    const sold = await sellByCard(app, shop.product.id);
    const { saleId, chargeId } = sold;
    const extra = await sellByCard(app, shop.product.id);
    await sql`update charges set overpaid_at = now() where id = ${extra.chargeId}`;
    for (const one of [sold, extra]) await refundCharge(shop.seller.id, one.chargeId);
    const refunded = () =>
      sql`select 1 from refunds where charge_id in ${sql([chargeId, extra.chargeId])} and status = 'done'`;
    await until(async () => {
      for (const one of [sold, extra]) await checkPaid(one.chargeId);
      return (await refunded()).length === 2;
    });
    const mailed = async () => {
      const rows = await sql`select split_part(idempotency_key, '/', 3) as what from mails
        where kind = 'dispute' and sale_id in ${sql([saleId, extra.saleId])} order by created_at, what`;
      return rows.map(({ what }) => what as string);
    };
    const become = (...expected: string[]) =>
      until(
        async () => {
          if (topics.length === 0) {
            await scheduleChecks(shop.seller.id, [chargeId, extra.chargeId]);
            await runPaced();
          }
          await letCheck([chargeId, extra.chargeId]);
          return JSON.stringify(await mailed()) === JSON.stringify(expected);
        },
        { every: 500 },
      );
    for (const one of [sold, extra]) await act(one.providerId, "chargeback");
    await become("opened", "opened");
    for (const one of [sold, extra]) await act(one.providerId, "accept");
    await become("opened", "opened", "lost", "lost");
    for (const one of [sold, extra]) expect(await checkPaid(one.chargeId)).toBe("already");
    await become("opened", "opened", "lost", "lost");
    expect(await disputeStateOf(saleId)).toMatchObject({
      status: "refunded",
      refundedCents: 9700,
      disputes: [],
    });
  });
});

test("a payment that was refunded while it was contested is not said to be contested afterwards, and its loss is", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  await act(providerId, "chargeback");
  await checkPaid(chargeId);
  await recordRefund(shop.seller.id, saleId);
  await checkPaid(chargeId);
  const mailed = async () => {
    const rows = await sql`select split_part(idempotency_key, '/', 3) as what from mails
      where kind = 'dispute' and sale_id = ${saleId} order by created_at`;
    return rows.map(({ what }) => what);
  };
  expect(await mailed()).toEqual(["opened"]);
  await act(providerId, "accept");
  await checkPaid(chargeId);
  expect(await mailed()).toEqual(["opened", "lost"]);
});

test("of an overpayment nobody says that it was contested after a refund where the bank took what was not refunded", async () => {
  const mailed = async (saleId: string) => {
    const rows = await sql`select split_part(idempotency_key, '/', 3) as what from mails
      where kind = 'dispute' and sale_id = ${saleId}`;
    return rows.map(({ what }) => what);
  };
  const [taken, returned] = [await sellByCard(app, shop.product.id), await sellByCard(app, shop.product.id)];
  for (const { chargeId, providerId } of [taken, returned]) {
    await sql`update charges set overpaid_at = now() where id = ${chargeId}`;
    await act(providerId, "chargeback");
    await checkPaid(chargeId);
  }
  // Its automatic refund was refused before, and is what the bank's taking is booked as.
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at, failure_kind, failure_detail)
    values (${taken.chargeId}, ${shop.seller.id}, 9700, 'refused', 'automatic', now(), 'refused', 'saldo')`;
  await act(taken.providerId, "accept");
  for (let times = 0; times < 2; times++) await checkPaid(taken.chargeId);
  expect(await mailed(taken.saleId)).toEqual([]);
  // Refunded during the dispute, of which its seller was mailed.
  await act(returned.providerId, "refund");
  for (let times = 0; times < 2; times++) await checkPaid(returned.chargeId);
  expect(await mailed(returned.saleId)).toEqual([]);
});

test("a refunded payment that was contested and won before is no news", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  for (const action of ["chargeback", "reject"]) {
    await act(providerId, action);
    await checkPaid(chargeId);
  }
  await refundCharge(shop.seller.id, chargeId);
  await until(async () => {
    await checkPaid(chargeId);
    return (await disputeStateOf(saleId)).status === "refunded";
  });
  expect(await checkPaid(chargeId)).toBe("already");
  const mails = await sql`select split_part(idempotency_key, '/', 3) as what from mails
    where kind = 'dispute' and sale_id = ${saleId} order by created_at`;
  expect(mails.map(({ what }) => what)).toEqual(["opened", "won"]);
});

test("receivers are notified of a card's dispute, then of its end, and UTMify of a chargeback alone", async () => {
  const other = await cardShop();
  await makeWebhook(other.seller, { name: "recebedor" });
  await makeTracking(other.seller, { events: { purchase: true, refund: true, chargeback: true } });
  const eventsOf = async (saleId: string, kind: string) => {
    const rows =
      await sql`select n.event from deliveries n inner join destinations d on d.id = n.destination_id
      where n.sale_id = ${saleId} and d.kind = ${kind} order by n.sequence`;
    return rows.map(({ event }) => event as string).filter((event) => event !== "pix.generated");
  };
  for (const [decision, webhook, tracking] of [
    ["reject", ["sale.disputed", "sale.dispute_won"], []],
    ["accept", ["sale.disputed", "sale.chargedback", "access.revoked"], ["sale.chargedback"]],
  ] as const) {
    const { saleId, chargeId, providerId } = await sellByCard(app, other.product.id);
    for (const action of ["chargeback", decision]) {
      await act(providerId, action);
      await checkPaid(chargeId);
    }
    const paid = ["checkout.started", "sale.paid", "access.granted"];
    expect((await eventsOf(saleId, "webhook")).filter((event) => !paid.includes(event))).toEqual(webhook);
    expect((await eventsOf(saleId, "utmify")).filter((event) => !paid.includes(event))).toEqual(tracking);
  }
});

test("a webhook at another shop's address leads to nothing, also at one that has a secret", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  const { card } = await act(providerId, "chargeback");
  const body = { type: "topic_chargebacks_wh", data: { id: Number(card.chargeback.id) } };
  const [other, signed] = [
    await cardShop(),
    await cardShop({ account: { webhookSecretSealed: seal("segredo") } }),
  ];
  const dueAt = () => sql`select scheduled_at from paced_checks where charge_id = ${chargeId}`;
  const before = await dueAt();
  for (const { hookToken } of [other, signed]) {
    const url = app.url + paths.paymentWebhook("mercadopago", hookToken);
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    // Without the right signature, too, its account is asked.
    expect(answer.status).toBe(200);
  }
  await until(async () => {
    const jobs = await sql`select 1 from graphile_worker.jobs where task_identifier = 'look-up-dispute'`;
    return jobs.length === 0;
  });
  expect(await dueAt()).toEqual(before);
  expect((await disputeStateOf(saleId)).status).toBe("completed");
});

test("a chargeback that cannot be read stays open, and the order's own detail ends it", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  await act(providerId, "chargeback");
  const unreadable = { service: "mercadopago", route: "chargeback", mode: "status-403", times: 9 } as const;
  await app.sandbox.fault(unreadable);
  expect(await checkPaid(chargeId)).toBe("disputed");
  expect((await disputeStateOf(saleId)).disputes).toMatchObject([
    { provider_id: null, evidence: null, due: null, amount_cents: 9700 },
  ]);
  expect(await findRefusedAccounts(shop.seller.id)).toEqual([]);
  await app.sandbox.endFaults("mercadopago");
  // Later it can be read.
  await checkPaid(chargeId);
  expect((await disputeStateOf(saleId)).disputes).toMatchObject([{ evidence: "needed" }]);
  // Without an answer nothing is decided.
  await app.sandbox.fault({ ...unreadable, mode: "http-500" });
  await act(providerId, "accept");
  await expect(checkPaid(chargeId)).rejects.toThrow();
  expect((await disputeStateOf(saleId)).status).toBe("disputed");
  await app.sandbox.endFaults("mercadopago");
  await app.sandbox.fault(unreadable);
  expect(await checkPaid(chargeId)).toBe("refunded");
  await app.sandbox.endFaults("mercadopago");
  expect((await disputeStateOf(saleId)).status).toBe("chargedback");
});

test("what was refunded before is not taken twice, and nothing is refunded while the bank decides", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  await refundCharge(shop.seller.id, chargeId, 2000);
  await until(async () => {
    await checkPaid(chargeId);
    return (await disputeStateOf(saleId)).refundedCents === 2000;
  });
  await act(providerId, "chargeback", { days: null });
  expect(await checkPaid(chargeId)).toBe("disputed");
  expect((await disputeStateOf(saleId)).disputes).toMatchObject([
    { amount_cents: 7700, evidence: "not_needed", due: null },
  ]);
  await expect(refundCharge(shop.seller.id, chargeId)).rejects.toThrow("está contestado");
  await act(providerId, "accept");
  await checkPaid(chargeId);
  expect(await disputeStateOf(saleId)).toMatchObject({ status: "chargedback", refundedCents: 9700 });
  const [refunded] = await sql`select sum(amount_cents)::int as cents from refunds
    where charge_id = ${chargeId} and status = 'done'`;
  expect(refunded).toEqual({ cents: 9700 });
});

test("a payment may be contested again after it was won", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  for (let round = 0; round < 2; round++) {
    await act(providerId, "chargeback");
    await checkPaid(chargeId);
    await act(providerId, "reject");
    await checkPaid(chargeId);
  }
  const { status, disputes } = await disputeStateOf(saleId);
  expect(status).toBe("completed");
  expect(disputes.map((one) => one.status)).toEqual(["won", "won"]);
  expect(new Set(disputes.map((one) => one.provider_id)).size).toBe(2);
});

test("a dispute that was won does not decide a later one that cannot be read", async () => {
  const { saleId, chargeId, providerId } = await sellByCard(app, shop.product.id);
  for (const action of ["chargeback", "reject", "chargeback"]) {
    await act(providerId, action);
    await checkPaid(chargeId);
  }
  await app.sandbox.fault({ service: "mercadopago", route: "chargeback", mode: "status-403", times: 2 });
  expect(await checkPaid(chargeId)).toBe("disputed");
  expect((await disputeStateOf(saleId)).disputes.map(({ status }) => status)).toEqual(["won", "open"]);
  await act(providerId, "reject");
  // Its order says so, too.
  expect(await checkPaid(chargeId)).toBe("dispute-won");
  await app.sandbox.endFaults("mercadopago");
  expect(await checkPaid(chargeId)).toBe("still-paid");
});

test("a card's dispute is not entered by hand, and its payment is refunded for 180 days", async () => {
  const { saleId, chargeId } = await sellByCard(app, shop.product.id);
  await expect(recordDispute(shop.seller.id, saleId)).rejects.toThrow("O provedor deste pagamento informa");
  await expect(recordDecision(shop.seller.id, saleId, "lost")).rejects.toThrow("O provedor deste pagamento");
  await sql`update charges set paid_at = now() - interval '181 days' where id = ${chargeId}`;
  await expect(refundCharge(shop.seller.id, chargeId)).rejects.toThrow("em até 180 dias");
  await sql`update charges set paid_at = now() - interval '179 days' where id = ${chargeId}`;
  expect(await refundCharge(shop.seller.id, chargeId)).toEqual({ status: "accepted" });
  await expect(recordDispute((await makeSeller()).id, saleId)).rejects.toThrow("não encontrada");
});
