import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const runJob = () => sendAutomaticRefunds.handle({}, { number: 1, last: true });

/** An overpayment of R$ 97,00 whose automatic refund is due, at an account whose key is gone. */
async function dueRefund() {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid", overpaidAt: new Date() });
  const payment = { sellerId: seller.id, chargeId: charge.id, amountCents: 9700 };
  await openRefund(db, { ...payment, status: "pending", origin: "automatic", reason: "setting" }, "system");
  return { sale, charge, payment };
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
