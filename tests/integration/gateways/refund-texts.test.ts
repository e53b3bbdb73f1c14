import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });
const ENDS = "encerra o acesso do comprador";
const STAYS = "O acesso do comprador não muda.";
const BESIDE = "Devolver só o que chegou a mais não muda o acesso.";

/** A sale with charges, and the text of its page. */
async function opened(status: "completed" | "pending" | "refunded") {
  const seller = await makeSeller();
  await makeGateway(seller);
  const completedAt = status === "pending" ? null : new Date();
  const sale = await makeSale(await makeProduct(seller), { status, completedAt });
  const { Cookie } = await signedIn(seller);
  const says = async (words: string) =>
    (await (await visitor(app.url, { Cookie }).get(`/reports/sales/${sale.id}`)).text()).includes(words);
  return { sale, says };
}

test("a paid sale's refund states that the access ends", async () => {
  const { sale, says } = await opened("completed");
  await makeCharge(sale, { status: "paid", paidAt: new Date() });
  expect([await says(ENDS), await says(STAYS), await says(BESIDE)]).toEqual([true, false, false]);
});

test("the refund of a payment of another amount does not mention an access that nobody has", async () => {
  const { sale, says } = await opened("pending");
  await makeCharge(sale, { status: "mispaid", paidAt: new Date(), paidCents: 10_200 });
  expect([await says(ENDS), await says(STAYS), await says(BESIDE)]).toEqual([false, true, false]);
});

test("with two refundable payments it states which of them ends the access", async () => {
  const { sale, says } = await opened("completed");
  await makeCharge(sale, { status: "paid", paidAt: new Date() });
  await makeCharge(sale, { status: "paid", paidAt: new Date(), overpaidAt: new Date() });
  expect([await says(ENDS), await says(STAYS), await says(BESIDE)]).toEqual([true, false, true]);
});

test("after a full refund nothing states what a refund would do", async () => {
  const { sale, says } = await opened("refunded");
  const charge = await makeCharge(sale, { status: "paid", paidAt: new Date() });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${charge.id}, (select seller_id from charges where id = ${charge.id}), ${charge.amountCents}, 'done', 'requested', now())`;
  expect([await says("Reembolso"), await says(ENDS), await says(STAYS)]).toEqual([true, false, false]);
});
