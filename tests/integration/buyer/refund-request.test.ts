import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import {
  countRefundRequests,
  findRefundRequest,
  listRefundRequests,
} from "#app/domain/refund/request/list-refund-requests.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { formatDate } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { formatMoney } from "#app/kit/money.ts";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import { loadRequests } from "#app/routes/seller/reports/requests.server.ts";
import * as salePage from "#app/routes/seller/sale/sale.tsx";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { plansByIndex, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts, makeOwnSender, opened } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

/** A purchase paid so long ago that its seller has to decide. */
async function boughtLongAgo() {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const { seller, product } = await openShop();
  const paid = await buy(product.id, { customer: { ...order(product.id).customer, email } });
  await pay(app, paid);
  await sql`update sales set completed_at = now() - interval '32 days' where id = ${paid.saleId}`;
  return { ...paid, email, seller };
}

const page = async (email: string, saleId: string) =>
  (
    await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: await inPortal(email) })
  ).text();

const refundsOf = (chargeId: string) =>
  sql`select status, amount_cents::int as cents from refunds where charge_id = ${chargeId} order by requested_at`;

const mailsTo = async (recipient: string) =>
  (
    await sql`select subject from mails where recipient = ${recipient} and kind in ('refund-news', 'refund-asked') order by created_at`
  ).map(({ subject }) => subject as string);

const actionItems = async (sellerId: string) =>
  (await findActionItems(sellerId)).map(({ kind: actionItem }) => actionItem);

test("after the guarantee the seller is asked, and a reason is required", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await expect(requestRefund(email, saleId, " \n ")).rejects.toMatchObject({
    kind: "invalid",
    field: "reason",
  });
  expect(await actionItems(seller.id)).toEqual([]);
  expect(await requestRefund(email, saleId, "Não consegui assistir\u0000 às aulas")).toBe("question");
  expect(await refundsOf(chargeId)).toEqual([]);
  expect(await actionItems(seller.id)).toEqual(["refund-question"]);
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({
    state: "waiting",
    reason: "Não consegui assistir às aulas",
  });
  expect(await page(email, saleId)).toMatch(
    /A resposta vem até \d\d\/\d\d\/\d{4}, na página do recibo e por e-mail/,
  );
  expect(await mailsTo(email)).toEqual([expect.stringContaining("Pedido de reembolso enviado")]);
  expect(await mailsTo(seller.email)).toEqual([expect.stringContaining("Um comprador pede reembolso")]);
});

test("answers to the buyer's mail go to the sender's address, where the seller chose one", async () => {
  for (const sender of ["contato@exemplo.com.br", null]) {
    const { email, saleId, seller } = await boughtLongAgo();
    if (sender) await makeOwnSender(seller, { address: sender });
    await requestRefund(email, saleId, "Não consegui assistir");
    const [told] = opened(
      await sql`select * from ${mailsWithTexts()} where recipient = ${email} and kind = 'refund-news'`,
    );
    expect(told!.payload.replyTo).toBe(sender ?? seller.email);
  }
});

test("after a partial refund the question names the price, and what is left to go back", async () => {
  const { email, saleId, seller } = await boughtLongAgo();
  await sql`update sales set refunded_cents = 2000 where id = ${saleId}`;
  await requestRefund(email, saleId, "Não consegui assistir");
  const [asked] = opened(
    await sql`select * from ${mailsWithTexts()} where recipient = ${seller.email} and kind = 'refund-asked'`,
  );
  expect(asked!.payload.text).toMatch(
    /Quem comprou .+ por R\$ 97,00 pede de volta os R\$ 77,00 que ainda não voltaram\./,
  );
});

test.each([
  { days: 1, isOver: false },
  { days: 31, isOver: true },
])(
  "a shop that was closed $days days ago promises no answer, and its seller reads whether it can be reopened",
  async ({ days, isOver }) => {
    const { email, saleId, seller } = await boughtLongAgo();
    const closedAt = new Date(Date.now() - days * DAY);
    await sql`update sellers set closed_at = ${closedAt} where id = ${seller.id}`;
    const offered = await page(email, saleId);
    expect(offered).toContain("quem vendeu encerrou a loja, e a resposta pode não vir. Fale também com");
    expect(offered).not.toMatch(/responde em até 7 dias|lê o motivo e decide/);
    await requestRefund(email, saleId, "Não consegui assistir");
    const asked = await page(email, saleId);
    expect(asked).toContain("Quem vendeu encerrou a loja, e a resposta pode não vir. Fale com");
    expect(asked).not.toContain("A resposta vem até");
    const mailTo = async (recipient: string) => {
      const rows = await sql`select * from ${mailsWithTexts()}
        where recipient = ${recipient} and kind in ('refund-news', 'refund-asked')`;
      return opened(rows)[0]!.payload;
    };
    const toBuyer = await mailTo(email);
    expect(toBuyer.text).toContain("Quem vendeu encerrou a loja, e a resposta pode não vir");
    expect(toBuyer.text).not.toContain("A resposta vem por e-mail");
    const toSeller = await mailTo(seller.email);
    expect(toSeller.text).toContain(
      isOver
        ? "não pode mais ser reaberta"
        : `reabra a conta antes de ${formatDate(anonymizationDate(closedAt))}`,
    );
    expect(toSeller.html).toContain("/settings/close");
    expect(toSeller.html).not.toContain(`/reports/sales/${saleId}`);
  },
);

test("a form without a reason is returned with the error beside the field", async () => {
  const { email, saleId } = await boughtLongAgo();
  const submitted = await call(receipt, `/minhas-compras/${saleId}`, {
    method: "POST",
    params: { saleId },
    headers: await inPortal(email),
    body: new URLSearchParams({ intent: "money-back", reason: "" }),
  });
  expect(submitted.status).toBe(400);
  const html = await submitted.text();
  expect(html).toContain("Conte o motivo");
  expect(html).toContain('aria-describedby="reason-erro"');
  expect(html).toContain('href="#reason"');
});

test("the seller accepts: it is refunded once however often they click, and the buyer is notified", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  const before = (await app.sandbox.calls()).pushinpay.refund;
  await Promise.all(
    Array.from({ length: 6 }, () => answerRefundRequest(seller.id, saleId, { answer: "granted" })),
  );
  expect((await app.sandbox.calls()).pushinpay.refund - before).toBe(1);
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  expect(await mailsTo(email)).toHaveLength(3);
  expect((await mailsTo(email))[1]).toContain("Reembolso aceito");
  expect((await mailsTo(email))[2]).toContain("O provedor aceitou o seu reembolso");
  expect(await actionItems(seller.id)).toEqual([]);
});

test("the seller refuses with a text that the buyer reads on the page, not in the mail", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  const declined = { answer: "declined" as const, text: "O curso foi visto até o fim <b>." };
  await expect(
    answerRefundRequest(seller.id, saleId, { answer: "declined", text: "  " }),
  ).rejects.toMatchObject({
    kind: "invalid",
  });
  await answerRefundRequest(seller.id, saleId, declined);
  const html = await page(email, saleId);
  expect(html).toContain("O curso foi visto até o fim &lt;b&gt;.");
  expect(html).not.toContain("Pedir o dinheiro de volta");
  const [mail] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where recipient = ${email} and kind = 'refund-news'
      order by created_at desc limit 1`,
  );
  expect(mail!.payload.html).toContain("não aceitou");
  expect(mail!.payload.html).not.toContain("visto até o fim");
  expect(await refundsOf(chargeId)).toEqual([]);
  await expect(answerRefundRequest(seller.id, saleId, { answer: "granted" })).rejects.toMatchObject({
    kind: "conflict",
  });
  // In another tab with another text: it must not count as sent.
  const other = { answer: "declined" as const, text: "Outra coisa." };
  await expect(answerRefundRequest(seller.id, saleId, other)).rejects.toMatchObject({ kind: "conflict" });
  await answerRefundRequest(seller.id, saleId, declined);
  // By a page that was opened before: nothing may claim that the seller is asked again.
  const again = await call(receipt, `/minhas-compras/${saleId}`, {
    ...{ method: "POST", params: { saleId }, headers: await inPortal(email) },
    body: new URLSearchParams({ intent: "money-back", reason: "De novo" }),
  });
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining("Quem vendeu já respondeu a este pedido e não o aceitou"),
  ]);
  expect(await sql`select answer, next_attempt_at from refund_requests where sale_id = ${saleId}`).toEqual([
    { answer: "declined", next_attempt_at: null },
  ]);
});

test("a reason and a refusal of as many characters as their fields take are stored whole, whatever their lines", async () => {
  const { email, saleId, seller } = await boughtLongAgo();
  const typed = `${"Não abriu.\n".repeat(90)}Só isso: fim`.slice(0, 1000);
  const sent = typed.replaceAll("\n", "\r\n");
  await requestRefund(email, saleId, sent);
  await answerRefundRequest(seller.id, saleId, { answer: "declined", text: sent });
  // Sent again, it is the same answer.
  await answerRefundRequest(seller.id, saleId, { answer: "declined", text: sent });
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ reason: typed, answerText: typed });
});

test("yes and no at once: one of them holds", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  const answers = await Promise.allSettled([
    answerRefundRequest(seller.id, saleId, { answer: "granted" }),
    answerRefundRequest(seller.id, saleId, { answer: "declined", text: "Não" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [request] = await sql`select answer from refund_requests where sale_id = ${saleId}`;
  const granted = request!.answer === "granted";
  expect(await refundsOf(chargeId)).toHaveLength(granted ? 1 : 0);
  expect(await mailsTo(email)).toHaveLength(granted ? 3 : 2);
});

test("a seller who refunds in the sale's own panel has no open request left", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  await refundCharge(seller.id, chargeId);
  expect(await mailsTo(email)).toEqual([expect.stringContaining("Pedido de reembolso enviado")]);
  expect(await actionItems(seller.id)).toEqual([]);
  expect(await page(email, saleId)).toContain("o dinheiro está a caminho");
  const other = await boughtLongAgo();
  await requestRefund(other.email, other.saleId, "Não gostei");
  await recordRefund(other.seller.id, other.saleId);
  expect(await actionItems(other.seller.id)).toEqual([]);
  expect(await findRefundRequest(other.seller.id, other.saleId)).toMatchObject({ state: "back" });
  await expect(
    answerRefundRequest(other.seller.id, other.saleId, { answer: "granted" }),
  ).rejects.toMatchObject({
    kind: "conflict",
  });
});

test("a question of a buyer who was erased waits for nobody: no answer is stored or mailed, and a refund goes back", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  // As an erasure leaves it that waited for 30 days.
  await sql`update sales set customer_name = null, customer_email = null, anonymized_at = now(), anonymized_as = 'x'
    where id = ${saleId}`;
  await sql`update refund_requests set reason = null, created_at = now() - interval '31 days' where sale_id = ${saleId}`;
  expect(await actionItems(seller.id)).toEqual([]);
  const shown = await call(salePage, `/reports/sales/${saleId}`, {
    params: { saleId },
    headers: await signedIn(seller),
  });
  expect((await shown.json()).refundRequest).toMatchObject({ state: "erased", isErased: true, reason: null });
  await expect(
    answerRefundRequest(seller.id, saleId, { answer: "declined", text: "Já foi visto." }),
  ).rejects.toMatchObject({ kind: "conflict", message: expect.stringContaining("ninguém a leria") });
  expect(await sql`select answer, answer_text from refund_requests where sale_id = ${saleId}`).toEqual([
    { answer: null, answer_text: null },
  ]);
  const before = await mailsTo(email);
  await answerRefundRequest(seller.id, saleId, { answer: "granted" });
  expect(await refundsOf(chargeId)).toEqual([{ status: "pending", cents: 9700 }]);
  expect(await mailsTo(email)).toEqual(before);
});

test("what is refunded in one tab is not declined in another, and may be once the provider refused it", async () => {
  const { email, saleId, chargeId, seller } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  await refundCharge(seller.id, chargeId);
  const decline = () => answerRefundRequest(seller.id, saleId, { answer: "declined", text: "Já foi visto." });
  await expect(decline()).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("já foi pedido ao provedor"),
  });
  expect(await mailsTo(email)).toEqual([expect.stringContaining("Pedido de reembolso enviado")]);
  await sql`update refunds set status = 'refused', failure_kind = 'refused', ended_at = now() where charge_id = ${chargeId}`;
  await decline();
  expect(await mailsTo(email)).toHaveLength(2);
});

test("another seller's request and a request that does not exist are not found", async () => {
  const { email, saleId } = await boughtLongAgo();
  await requestRefund(email, saleId, "Não gostei");
  const other = await boughtLongAgo();
  // A request by right needs no answer.
  await sql`insert into refund_requests (sale_id, seller_id, kind) values (${other.saleId}, ${other.seller.id}, 'right')`;
  for (const [seller, sale] of [
    [other.seller, saleId],
    [other.seller, other.saleId],
    [other.seller, "x"],
  ] as const)
    await expect(answerRefundRequest(seller.id, sale, { answer: "granted" })).rejects.toMatchObject({
      kind: "not-found",
    });
  expect(await findRefundRequest(other.seller.id, saleId)).toBeNull();
  expect(await actionItems(other.seller.id)).toEqual([]);
});

test("the seller reads requests page by page, each once, with their rate", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (let n = 0; n < 7; n++) {
    const sale = await makeSale(product, { status: n < 2 ? "refunded" : "completed" });
    // The last two are from before the period, and from after it.
    const secondsAgo = [0, 0, 1, 1, 2, 2 * 86_400, -60][n]!;
    await sql`insert into refund_requests (sale_id, seller_id, kind, reason, created_at)
      values (${sale.id}, ${seller.id}, 'right', 'motivo', ${new Date(Date.now() - secondsAgo * 1000)})`;
  }
  const period = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 1000) };
  expect(await countRefundRequests(seller.id, period)).toEqual({ requests: 5, paid: 7 });
  const seen: string[] = [];
  let before: { createdAt: Date; id: string } | null = null;
  let last = null;
  do {
    last = await listRefundRequests(seller.id, period, { limit: 2, before });
    seen.push(...last.items.map(({ id }) => id));
    before = last.older;
  } while (before && seen.length < 100);
  expect(new Set(seen).size).toBe(5);
  expect(seen).toHaveLength(5);
  const back = await listRefundRequests(seller.id, period, { limit: 2, after: last.newer });
  expect(back.items.map(({ id }) => id)).toEqual(seen.slice(2, 4));
  expect(await listRefundRequests((await makeSeller()).id, period, { limit: 2 })).toMatchObject({
    items: [],
  });
});

test("the seller reads of an open request what is left to return, and of an ended one what was bought", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [open, back] = [
    await makeSale(product, { status: "completed", refundedCents: 2000 }),
    await makeSale(product, { status: "refunded", refundedCents: 9700 }),
  ];
  for (const { id } of [open, back])
    await sql`insert into refund_requests (sale_id, seller_id, kind, reason) values (${id}, ${seller.id}, 'question', 'motivo')`;
  const { items } = await loadRequests(seller.id, new URLSearchParams());
  const amounts = items.map(({ saleId, state, amount }) => [saleId, state, amount]);
  expect(new Set(amounts)).toEqual(
    new Set([
      [open.id, "waiting", formatMoney(7700)],
      [back.id, "back", formatMoney(9700)],
    ]),
  );
});

test("the list of requests says of each whether the time to answer is over", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sales = [];
  for (const days of [9, 1]) {
    const { id } = await makeSale(product, { status: "completed" });
    await sql`insert into refund_requests (sale_id, seller_id, kind, reason, created_at)
      values (${id}, ${seller.id}, 'question', 'motivo', ${new Date(Date.now() - days * DAY)})`;
    sales.push(id);
  }
  const { items } = await loadRequests(seller.id, new URLSearchParams("range=30d"));
  expect(items.map(({ saleId, isLate }) => [saleId, isLate])).toEqual([
    [sales[1], false],
    [sales[0], true],
  ]);
});

test("a seller's requests and open questions are found by an index", async () => {
  const told = await plansByIndex([
    `select id from refund_requests where seller_id = '${randomUUID()}' order by created_at desc, id desc limit 26`,
    `select id from refund_requests where seller_id = '${randomUUID()}' and kind = 'question' and answer is null`,
  ]);
  expect(told[0]).toMatch(/refund_requests_(seller|waiting)_idx/);
  expect(told[1]).toMatch(/refund_requests_(seller|waiting)_idx/);
});
