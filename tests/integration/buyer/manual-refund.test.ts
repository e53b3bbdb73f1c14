import { randomUUID } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { anonymizeRelated } from "#app/domain/erasure/anonymize-related.server.ts";
import { recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { answerRefundRequest } from "#app/domain/refund/request/answer-refund-request.server.ts";
import { attemptRefunds } from "#app/domain/refund/request/attempt-refund.server.ts";
import { findRefundRequest } from "#app/domain/refund/request/list-refund-requests.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { readMailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderRefundMail } from "#app/domain/sale/mails/render-refund-mail.server.ts";
import * as download from "#app/routes/buyer/download.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { RefundRequestCard } from "#app/routes/seller/sale/refund-request.tsx";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { attempt, mailRow, mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
await app.sandbox.gate({ enabled: false });

/** A purchase that was paid so many days ago, with a guarantee of so many. */
async function bought(daysAgo: number, guaranteeDays: number) {
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const { seller, product } = await openShop();
  const customer = { ...order(product.id).customer, email };
  const paid = await buy(product.id, { customer, guaranteeDays });
  await pay(app, paid);
  await age(paid.saleId, daysAgo);
  return { ...paid, email, seller };
}

async function age(saleId: string, days: number) {
  await sql`update sales set completed_at = completed_at - make_interval(days => ${days}) where id = ${saleId}`;
  await sql`update charges set paid_at = paid_at - make_interval(days => ${days}) where sale_id = ${saleId}`;
}

const page = async (email: string, saleId: string) =>
  (
    await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: await inPortal(email) })
  ).text();

const subjectsOf = async (saleId: string) =>
  (
    await sql`select subject from mails where sale_id = ${saleId}
      and kind in ('refund-news', 'refund-asked') order by created_at, kind`
  ).map(({ subject }) => String(subject).split(":")[0]);

const actionItemsOf = async (sellerId: string) =>
  (await findActionItems(sellerId)).map(({ kind: actionItem }) => actionItem);

const requests = async () => (await app.sandbox.calls()).pushinpay.refund;
const attemptAll = () => attemptRefunds.handle({}, { number: 1, last: false });

test("after the provider's 90 days an entitled buyer reads who refunds, and the provider is not called", async () => {
  const { email, saleId, seller } = await bought(100, 120);
  const before = await requests();
  const offered = await page(email, saleId);
  expect(offered).toContain("quem devolve é");
  expect(offered).toContain("Desistir da compra");
  expect(offered).not.toContain("voltam para quem pagou");
  expect(await requestRefund(email, saleId, "")).toBe("right");
  await attemptAll();
  expect(await requests()).toBe(before);
  expect(await page(email, saleId)).toMatch(/Escreva a .+ com a sua chave PIX/);
  expect(await subjectsOf(saleId)).toEqual(["Devolva pelo banco", "Pedido de reembolso recebido"]);
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({
    state: "by-hand",
    failure: expect.stringContaining("em até 90 dias"),
  });
  expect(await actionItemsOf(seller.id)).toEqual(["refund-by-hand"]);
  await recordRefund(seller.id, saleId);
  expect(await actionItemsOf(seller.id)).toEqual([]);
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "back" });
});

test("a refund that is left to the seller stays so where its buyer is anonymized", async () => {
  const manual = await bought(100, 120);
  await requestRefund(manual.email, manual.saleId, "");
  const granted = await bought(100, 30);
  await requestRefund(granted.email, granted.saleId, "Não abriu");
  await answerRefundRequest(granted.seller.id, granted.saleId, { answer: "granted" });
  const failing = await bought(10, 30);
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "status-422" });
  await requestRefund(failing.email, failing.saleId, "");
  const states = [
    [manual, "by-hand", "devolva à conta de onde veio o pagamento"],
    [granted, "by-hand", "devolva à conta de onde veio o pagamento"],
    [failing, "failing", "O reembolso não saiu. "],
  ] as const;
  for (const [{ seller, saleId }, state] of states)
    expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state });
  for (const [{ saleId }] of states) await db.transaction((tx) => anonymizeRelated(tx, [saleId]));
  for (const [{ seller, saleId }, state, text] of states) {
    const request = await findRefundRequest(seller.id, saleId);
    expect(request).toMatchObject({ state, failure: null });
    const view = { ...request!, at: "", due: "", isLate: false, amount: "", isManual: true };
    const props = { saleId, request: view, reply: null };
    expect(renderToStaticMarkup(createElement(RefundRequestCard, props))).toContain(text);
  }
  // The same answer again is told the same.
  const again = await answerRefundRequest(granted.seller.id, granted.saleId, { answer: "granted" });
  expect(again).toEqual({ isManual: true });
});

test("a question that is answered with yes after the 90 days is left to the seller's bank", async () => {
  const { email, saleId, seller } = await bought(100, 30);
  await requestRefund(email, saleId, "Não abriu");
  const before = await requests();
  expect(await answerRefundRequest(seller.id, saleId, { answer: "granted" })).toEqual({ isManual: true });
  expect(await answerRefundRequest(seller.id, saleId, { answer: "granted" })).toEqual({ isManual: true });
  await attemptAll();
  expect(await requests()).toBe(before);
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "by-hand" });
  const [mail] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${saleId} and kind = 'refund-news'
      order by created_at desc limit 1`,
  );
  expect(mail!.payload.html).toContain("sua chave PIX");
  expect(mail!.payload.html).not.toContain("a caminho");
});

test("once the seller refunded it, no mail that still waits tells anybody to refund it by the bank", async () => {
  const { email, saleId } = await bought(100, 120);
  await requestRefund(email, saleId, "");
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${saleId}`;
  const mails =
    await sql`select id from mails where sale_id = ${saleId} and kind in ('refund-news', 'refund-asked')`;
  expect(mails).toHaveLength(2);
  for (const { id } of mails) {
    await attempt(id);
    expect((await mailRow(id)).error).toBe("Não enviado: o valor da compra já foi devolvido.");
  }
});

test("a request that outlives the 90 days is not retried, and both sides are notified once", async () => {
  const { email, saleId, seller } = await bought(85, 120);
  await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
  await requestRefund(email, saleId, "");
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "failing" });
  await age(saleId, 10);
  const before = await requests();
  for (let at = 0; at < 2; at++) {
    await sql`update refund_requests set next_attempt_at = date_trunc('milliseconds', now()) where sale_id = ${saleId} and next_attempt_at is not null`;
    await attemptAll();
  }
  expect(await requests()).toBe(before);
  expect(await findRefundRequest(seller.id, saleId)).toMatchObject({ state: "by-hand" });
  expect((await subjectsOf(saleId)).slice(-2)).toEqual([
    "Devolva pelo banco",
    "Seu reembolso é feito por quem vendeu",
  ]);
  expect(await subjectsOf(saleId)).toHaveLength(6);
});

test("the end of the access to a free purchase is called that, and no money is said to have gone back", async () => {
  const { seller, product } = await openShop();
  const customerEmail = `bia-${randomUUID()}@exemplo.com.br`;
  const free = await makeSale(product, {
    ...{ status: "completed", paymentMethod: "free", amountCents: 0, customerEmail },
  });
  await recordRefund(seller.id, free.id);
  const [mail] = await sql<{ recipient: string; data: MailData["refund"] }[]>`
    select m.recipient, q.data from mails m inner join queued_mails q on q.id = m.id
    where m.sale_id = ${free.id} and m.kind = 'refund'`;
  const { subject, html } = renderRefundMail((await readMailedSale(free.id, mail!.recipient))!, mail!.data);
  expect(subject).toBe(`Seu acesso a ${product.name} foi encerrado`);
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${free.id}`;
  const params = { saleId: free.id, lineId: line!.id };
  const proof = await inPortal(customerEmail);
  const texts = [
    html,
    await page(customerEmail, free.id),
    await (await call(thankYou, `/thank-you/${free.id}`, { params, headers: proof })).text(),
    await (await call(download, `/download/${free.id}/${params.lineId}`, { params, headers: proof })).text(),
  ];
  for (const text of texts) {
    expect(text).toContain("de graça");
    expect(text).not.toMatch(/devolveu|devolvid|reembolsad/i);
  }
});
