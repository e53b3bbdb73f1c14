import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { readClaimTime } from "#app/domain/charge/claim-time.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { type ClaimedRefund, type RefundOutcome, sendRefund } from "#app/domain/refund/send-refund.server.ts";
import { log } from "#app/platform/log.server.ts";
import { withBrokenRow } from "#tests/integration/jobs/broken-row.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const runJob = () => sendAutomaticRefunds.handle({}, { number: 1, last: true });

/** An overpayment of R$ 97,00 whose automatic refund is due, at an account whose key is gone. */
async function dueRefund() {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  const payment = { sellerId: seller.id, chargeId: charge.id, amountCents: 9700 };
  const asked = { status: "pending", origin: "automatic", reason: "setting" } as const;
  const refundId = await openRefund(db, { ...payment, ...asked }, "system");
  return { sale, charge, payment, refundId };
}

type Due = Awaited<ReturnType<typeof dueRefund>>;

/** The states of an overpayment's refunds, and the mails about it. */
async function stateOf({ sale, charge }: Due) {
  const refunds =
    await sql`select origin, status from refunds where charge_id = ${charge.id} order by origin`;
  const mails = await sql`select kind from mails where sale_id = ${sale.id} order by kind`;
  return {
    refunds: refunds.map(({ origin, status }) => `${origin} ${status}`),
    mails: mails.map(({ kind }) => kind),
  };
}

const refuses = () => Promise.reject(new ProviderError("refused", "422: Saldo insuficiente."));

/** The refund as it is claimed before its provider, which answers as given, is called. */
const claim = ({ sale, charge, payment, refundId: id }: Due, refund: () => Promise<void>): ClaimedRefund => ({
  ...{ provider: { ...pushinpay, refund }, providerId: charge.providerId!, saleId: sale.id },
  ...{ keys: [{ apiKey: "1|sandbox-demo", sealed: "" }], isPartial: false, isAutomatic: true, retryAt: null },
  ...{ refund: { ...payment, id, status: "pending" }, claimedAt: readClaimTime() },
});

test("one run ends the due refunds of all sellers that cannot be sent, and each is told of its own", async () => {
  const all = [await dueRefund(), await dueRefund()];
  await runJob();
  for (const one of all)
    expect(await stateOf(one)).toEqual({
      refunds: ["automatic refused"],
      mails: ["payment-news", "surplus"],
    });
});

test("where all of it went back meanwhile nothing is sent, and nobody is told that something is left", async () => {
  const due = await dueRefund();
  await openRefund(db, { ...due.payment, status: "done", origin: "observed" }, "provider");
  await runJob();
  expect(await stateOf(due)).toEqual({
    refunds: ["automatic refused", "observed done"],
    mails: [],
  });
});

test("one that is to be tried again later waits", async () => {
  const due = await dueRefund();
  await sql`update refunds set send_at = now() + interval '1 hour' where charge_id = ${due.charge.id}`;
  await runJob();
  expect(await stateOf(due)).toEqual({ refunds: ["automatic pending"], mails: [] });
});

test("a refusal takes the payment's lock before its refund's, as a settlement does: they end one after the other", async () => {
  const due = await dueRefund();
  const { payment, refundId: id } = due;
  const claimed = claim(due, refuses);
  const refusals: Promise<RefundOutcome>[] = [];
  const { release } = await holdLock(async (tx) => {
    await tx`select from charges where id = ${payment.chargeId} for no key update`;
    refusals.push(sendRefund(claimed));
    await untilLockedOut();
    await tx`select from refunds where id = ${id} for update`;
  });
  await release();
  expect(await Promise.all(refusals)).toMatchObject([{ status: "refused" }]);
  expect(await stateOf(due)).toEqual({ refunds: ["automatic refused"], mails: ["payment-news", "surplus"] });
});

test("one that ended while its process was held up is neither sent nor due again", async () => {
  const due = await dueRefund();
  await sql`update refunds set status = 'unconfirmed', ended_at = now(), send_at = null where id = ${due.refundId}`;
  const longAgo = { ...readClaimTime(), wallMs: 0 };
  expect(await sendRefund({ ...claim(due, refuses), claimedAt: longAgo })).toEqual({ status: "pending" });
  const refunds = sql`select status, send_at from refunds where id = ${due.refundId}`;
  expect(await refunds).toEqual([{ status: "unconfirmed", send_at: null }]);
});

test("what a provider answers to a refund is logged", async () => {
  const [accepted, refused] = [await dueRefund(), await dueRefund()];
  const spies = [vi.spyOn(log, "info"), vi.spyOn(log, "warn")];
  await sendRefund(claim(accepted, () => Promise.resolve()));
  await sendRefund(claim(refused, refuses));
  const lines = spies.flatMap(({ mock }) => mock.calls as unknown as [{ chargeId?: string }, string][]);
  for (const spy of spies) spy.mockRestore();
  const loggedOf = ({ charge }: Due) =>
    lines.filter(([{ chargeId }]) => chargeId === charge.id).map(([, text]) => text);
  expect([loggedOf(accepted), loggedOf(refused)]).toEqual([["refund accepted"], ["refund not accepted"]]);
});

test("what was answered is recorded, though what it says of the key cannot be", async () => {
  for (const [refund, outcome, recorded] of [
    [() => Promise.resolve(), "accepted", { status: "pending", accepted: true }],
    [refuses, "refused", { status: "refused", accepted: false }],
  ] as const) {
    const due = await dueRefund();
    const account = await makeGateway({ id: due.payment.sellerId }, { keyAcceptedAt: null });
    const [key] = await sql<{ sealed: string }[]>`
      select api_key_sealed as sealed from gateway_keys where id = ${account.keyId}`;
    const claimed = { ...claim(due, refund), keys: [{ apiKey: "1|sandbox-demo", sealed: key!.sealed }] };
    await withBrokenRow("gateway_keys", "update", "true", async () => {
      expect((await sendRefund(claimed)).status).toBe(outcome);
    });
    const refunds = sql`select status, accepted_at is not null as accepted from refunds where id = ${due.refundId}`;
    expect(await refunds).toEqual([recorded]);
  }
});
