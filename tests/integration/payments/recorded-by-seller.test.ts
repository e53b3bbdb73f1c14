import { expect, test, vi } from "vitest";
import { dismissRefund } from "#app/domain/refund/dismiss-refund.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordNotReturned, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { showDisputes } from "#app/domain/refund/show-disputes.server.ts";
import { log } from "#app/platform/log.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** A completed sale of R$ 97,00, paid through a provider that reports no disputes. */
async function paidSale(fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed", ...fields });
  const charge = await makeCharge(sale, { status: "paid" });
  return { seller, sale, charge };
}

/** The texts logged at the level `info` while `run` runs, of one sale or its charge. */
async function logged(run: () => Promise<unknown>, { id, chargeId }: { id: string; chargeId: string }) {
  const lines: [Record<string, unknown>, string][] = [];
  const spy = vi
    .spyOn(log, "info")
    .mockImplementation((...line: unknown[]) => void lines.push(line as [Record<string, unknown>, string]));
  await run().finally(() => spy.mockRestore());
  return lines.filter(([of]) => of.saleId === id || of.chargeId === chargeId).map(([, text]) => text);
}

const TOO_LONG = "a".repeat(501);

test("a dispute has the first 500 characters of its seller's note, and its payment is checked within hours", async () => {
  const { seller, sale, charge } = await paidSale();
  await recordDispute(seller.id, sale.id, ` ${TOO_LONG} `);
  const disputes =
    await sql`select status, origin, charge_id, amount_cents, note from disputes where sale_id = ${sale.id}`;
  expect([...disputes]).toEqual([
    {
      ...{ status: "open", origin: "seller", charge_id: charge.id, amount_cents: 9700 },
      note: "a".repeat(500),
    },
  ]);
  const checks = await sql`select scheduled_at < now() + interval '7 hours' as is_soon from paced_checks
    where charge_id = ${charge.id}`;
  expect([...checks]).toEqual([{ is_soon: true }]);
});

test("another note of an open dispute takes the place of the one before, and none leaves it", async () => {
  const { seller, sale } = await paidSale();
  const noteAfter = async (typed?: string) => {
    await recordDispute(seller.id, sale.id, typed);
    return (await showDisputes(seller.id, sale.id)).map(({ note }) => note);
  };
  expect(await noteAfter("Protocolo 12")).toEqual(["Protocolo 12"]);
  expect(await noteAfter("Protocolo 12, até 5/12")).toEqual(["Protocolo 12, até 5/12"]);
  expect(await noteAfter()).toEqual(["Protocolo 12, até 5/12"]);
});

test("a sale without a charge may be disputed, too", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await recordDispute(seller.id, sale.id);
  expect(await sql`select status, charge_id, note from disputes where sale_id = ${sale.id}`).toEqual([
    { status: "open", charge_id: null, note: null },
  ]);
});

test("a decision entered again changes nothing, and one of a later dispute leaves the earlier one", async () => {
  const { seller, sale } = await paidSale();
  const decide = (outcome: "won" | "lost") => recordDecision(seller.id, sale.id, outcome);
  await expect(decide("won")).rejects.toThrow("Esta venda não tem uma contestação aberta");
  for (const outcome of ["won", "lost"] as const) {
    await recordDispute(seller.id, sale.id);
    await recordDispute(seller.id, sale.id);
    await decide(outcome);
    await decide(outcome);
  }
  await expect(decide("won")).rejects.toThrow("Esta venda não tem uma contestação aberta");
  await expect(recordDispute(seller.id, sale.id)).rejects.toThrow("Só uma venda concluída");
  const disputes = await sql`select status from disputes where sale_id = ${sale.id} order by opened_at`;
  expect(disputes.map(({ status }) => status)).toEqual(["won", "lost"]);
  const events = await sql`select kind from sale_events where sale_id = ${sale.id} order by id`;
  const moves = ["disputed", "dispute_won", "disputed", "chargedback"];
  expect(events.map(({ kind }) => kind)).toEqual(["placed", "completed", ...moves]);
});

test("of a sale that was refunded no decision can be entered", async () => {
  const { seller, sale } = await paidSale();
  await recordRefund(seller.id, sale.id);
  await expect(recordDecision(seller.id, sale.id, "lost")).rejects.toThrow("Só uma venda concluída");
});

test("what a seller records of a sale is logged once, however often they press", async () => {
  const { seller, sale, charge } = await paidSale({ cancelledSince: new Date() });
  const of = { id: sale.id, chargeId: charge.id };
  const twice = (run: () => Promise<unknown>) => async () => {
    await run();
    await run();
  };
  expect(await logged(() => recordNotReturned(seller.id, sale.id), of)).toEqual([
    "cancelled payment checked by the seller: not returned",
  ]);
  expect(
    await logged(
      twice(() => recordDispute(seller.id, sale.id)),
      of,
    ),
  ).toEqual(["dispute entered by the seller"]);
  expect(
    await logged(
      twice(() => recordDecision(seller.id, sale.id, "won")),
      of,
    ),
  ).toEqual(["dispute decision entered by the seller"]);
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at, failure_kind)
    values (${charge.id}, ${seller.id}, 9700, 'refused', 'requested', now(), 'refused')`;
  expect(await logged(() => dismissRefund(seller.id, charge.id), of)).toEqual([
    "refund dismissed by the seller",
  ]);
  expect(await logged(() => recordRefund(seller.id, sale.id), of)).toEqual(["refund recorded by the seller"]);
});

test("a buyer's request for a refund and its answer are logged", async () => {
  const completedAt = new Date(Date.now() - 40 * 86_400_000);
  const { seller, sale, charge } = await paidSale({ completedAt });
  const of = { id: sale.id, chargeId: charge.id };
  expect(await logged(() => requestRefund(sale.customerEmail, sale.id, "Não abriu"), of)).toEqual([
    "refund requested by the buyer",
  ]);
  const declined = { answer: "declined", text: "Não" } as const;
  expect(await logged(() => answerRefundRequest(seller.id, sale.id, declined), of)).toEqual([
    "refund request answered",
  ]);
});

test("payments of one sale are locked in the order of their ids, as where its buyer requests a refund", async () => {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed" });
  const [low, high] = [crypto.randomUUID(), crypto.randomUUID()].sort();
  // Written the other way round.
  await makeCharge(sale, { id: high!, status: "paid", overpaidAt: new Date() });
  await makeCharge(sale, { id: low!, status: "paid" });
  const recorded: Promise<unknown>[] = [];
  const requesting = await holdLock(async (tx) => {
    await tx`select from charges where id = ${low!} for no key update`;
    recorded.push(recordDispute(sale.sellerId, sale.id));
    await untilLockedOut();
    await tx`select from charges where id = ${high!} for no key update`;
  });
  await requesting.release();
  await Promise.all(recorded);
  expect(await sql`select status from sales where id = ${sale.id}`).toEqual([{ status: "disputed" }]);
});
