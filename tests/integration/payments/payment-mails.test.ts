import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { recordOverpaymentRefund } from "#app/domain/refund/record-reversal.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { readDays } from "#app/domain/reports/figures/read-days.server.ts";
import { listSales } from "#app/domain/reports/list-sales.server.ts";
import { toSaleJson } from "#app/domain/reports/sale-json.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { bookReversal } from "#app/domain/settlement/book-reversal.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import * as pix from "#app/routes/buyer/pix.tsx";
import * as purchases from "#app/routes/buyer/purchases/purchases.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { inBrowserOf, inPortal } from "#tests/integration/buyer/support.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";

/** A sale of R$ 97,00 with payments of these sums, in this order: the first that is right counts. */
async function paidWith(...sums: number[]) {
  const { seller, product } = await openShop();
  const email = `bia-${randomUUID()}@exemplo.com.br`;
  const sale = await makeSale(product, { customerEmail: email });
  const charges = [];
  for (const amountCents of sums) {
    const charge = await makeCharge(sale);
    const transaction = reportTransaction(charge.providerId!, { amountCents });
    await settleCharge(charge.id, transaction);
    charges.push({ id: charge.id, said: transaction });
  }
  const views = () => readViews(seller.id, sale.id);
  return { seller, email, saleId: sale.id, charges, views };
}

function reportTransaction(providerId: string, fields: Partial<ProviderTransaction>): ProviderTransaction {
  const transaction = {
    providerId,
    state: "paid",
    providerStatus: "paid",
    amountCents: 9700,
    feeCents: 35,
  } as const;
  return { ...transaction, refundedCents: null, webhookUrl: null, ...fields };
}

/** Received, refunded, fee and net of a sale in each view of its seller's, in cents; and the reports' net. */
async function readViews(sellerId: string, saleId: string) {
  const period = periodOf("7d", new Date());
  const filter = {
    period,
    status: "all",
    productId: null,
    method: null,
    couponId: null,
    offerId: null,
    search: "",
  } as const;
  const { sale, paymentSummary: standing } = await showSale(sellerId, saleId);
  const { items } = await listSales(sellerId, filter, { limit: 5 });
  const json = toSaleJson(items[0]!);
  let csv = "";
  for await (const piece of streamCsv(sellerId, filter)) csv += piece;
  const row = csv.trimEnd().split("\r\n")[1]!.split(";");
  const cents = (text: string | undefined) => Math.round(Number((text ?? "").replace(",", ".")) * 100);
  const { money } = standing;
  const sums = (of: typeof json | (typeof json.payments)[number]) =>
    "received_amount" in of
      ? [of.received_amount, of.refunded_amount, of.fee_amount ?? 0, of.net_amount ?? 0]
      : [of.received, of.refunded, of.fee ?? 0, of.net];
  const api = sums(json).map((reais) => Math.round(reais * 100));
  const added = json.payments.reduce((all, one) => sums(one).map((sum, at) => (all[at] ?? 0) + sum), [0]);
  expect(added.map((reais) => Math.round(reais * 100))).toEqual(api);
  const texts = {
    details: [money.receivedCents, money.refundedCents, money.feeCents ?? 0, money.netCents],
    list: [sale.receivedCents, sale.refundedCents, sale.feeCents ?? 0, sale.netCents ?? 0],
    api,
    csv: [row[12], row[7], row[8], row[9]].map(cents),
  };
  const [first] = Object.values(texts);
  for (const view of Object.values(texts)) expect(view).toEqual(first);
  expect(first![0]! - first![1]! - first![2]!).toBe(first![3]);
  const days = await readDays(sellerId, period);
  const reported = days.reduce((sum, day) => sum + day.netCents, 0);
  expect(reported).toBe(sale.status === "completed" ? first![3] : 0);
  return first;
}

const words = async (answer: Response) =>
  (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, "").replaceAll("\u00a0", " ");
const page = async (route: typeof pix | typeof thankYou, saleId: string) =>
  words(await call(route, `/${saleId}`, { params: { saleId } }));
const receiptOf = async (email: string, saleId: string) =>
  words(await call(receipt, `/${saleId}`, { params: { saleId }, headers: await inPortal(email) }));
const portalOf = async (email: string) =>
  words(await call(purchases, "/minhas-compras", { headers: await inPortal(email) }));

async function mailsTo(email: string) {
  await renderMails();
  const mails = opened(
    await sql`
    select body_sealed from ${mailsWithTexts()} where recipient = ${email} and kind = 'payment-news' order by created_at`,
  );
  return mails.map(({ payload: { subject, html } }) => `${subject} ${html}`.replaceAll("\u00a0", " "));
}

const TODAY = "\\d\\d/\\d\\d/\\d{4}";

test("both mails about a PIX of another amount name what the PIX should have been, not the card's price", async () => {
  const { product } = await openShop();
  const sale = await makeSale(product);
  const { id, providerId } = await makeCharge(sale, { amountCents: 9215 });
  expect(await settleCharge(id, reportTransaction(providerId!, {}))).toBe("amount-mismatch");
  await renderMails();
  const mails = opened(
    await sql`select body_sealed from ${mailsWithTexts()}
      where sale_id = ${sale.id} and kind in ('payment-news', 'wrong-amount') order by kind`,
  );
  const [buyers, sellers] = mails.map(({ payload: { html } }) =>
    html.replaceAll("\u00a0", " ").replace(/<[^>]*>/g, ""),
  );
  expect(buyers).toMatch(/chegou um PIX seu de R\$ 97,00 para o pedido de .+, de R\$ 92,15\. Como/);
  expect(sellers).toContain("Chegou um PIX de R$ 97,00 para um pedido de R$ 92,15.");
});

test("a second payment is a separate row, and its buyer is mailed about it and its refund", async () => {
  const { seller, email, saleId, charges, views } = await paidWith(9700, 9700);
  expect(await views()).toEqual([19400, 0, 70, 19330]);
  const came = new RegExp(`Recebemos um pagamento em dobro de R\\$ 97,00 em ${TODAY}`);
  for (const shown of [await page(thankYou, saleId), await receiptOf(email, saleId), await portalOf(email)]) {
    expect(shown).toMatch(came);
    expect(shown).toContain("que deve devolvê-lo");
  }
  const [arrived, ...others] = await mailsTo(email);
  expect(others).toEqual([]);
  expect(arrived).toContain("Recebemos um pagamento em dobro: R$ 97,00");
  await recordOverpaymentRefund(seller.id, charges[1]!.id);
  expect(await views()).toEqual([19400, 9700, 70, 9630]);
  for (const shown of [await page(thankYou, saleId), await receiptOf(email, saleId), await portalOf(email)])
    expect(shown).toMatch(new RegExp(`${came.source}\\. .+ informou que o devolveu em ${TODAY}`));
  const [, back] = await mailsTo(email);
  expect(back).toContain("Pagamento devolvido: R$ 97,00");
  expect(back).toContain("informou em");
  expect(back).toContain("voltou por inteiro o pagamento em dobro");
  const { payments } = (await showSale(seller.id, saleId)).paymentSummary;
  expect(payments).toMatchObject([
    { kind: "counts", receivedCents: 9700, refundedCents: 0, netCents: 9665, refund: "none" },
    { kind: "overpayment", receivedCents: 9700, refundedCents: 9700, netCents: -35, refund: "done" },
  ]);
});

test("a mail about a payment gives the day of the order, not of its payment", async () => {
  const { email, saleId } = await paidWith(9700, 9700);
  await sql`update sales set created_at = '2026-01-02T15:04:00Z' where id = ${saleId}`;
  expect((await mailsTo(email))[0]).toContain("Pedido de 02/01/2026 12:04 com");
});

test("another amount is mailed with its sum and day, and nothing states that nothing was charged", async () => {
  const { email, saleId, charges, views } = await paidWith(1000);
  expect(await views()).toEqual([1000, 0, 35, 965]);
  const came = new RegExp(`Recebemos um PIX de R\\$ 10,00 em ${TODAY}, diferente do valor do pedido`);
  for (const route of [pix, thankYou]) {
    const shown = await page(route, saleId);
    expect(shown).toMatch(came);
    expect(shown).not.toMatch(/Nada foi cobrado|muda sozinha|Garantia de/);
  }
  const headers = await inBrowserOf({ id: saleId });
  const own = await words(await call(pix, `/${saleId}`, { params: { saleId }, headers }));
  expect(own).toContain("Os e-mails deste pedido vão para");
  expect(own).not.toContain("O acesso vai");
  expect(await mailsTo(email)).toEqual([
    expect.stringContaining("Recebemos um PIX de outro valor: R$ 10,00"),
  ]);
  const [{ id, said: transaction }] = charges as [(typeof charges)[0]];
  await bookReversal(id, null, { ...transaction, state: "refunded" }, "pending");
  await bookReversal(id, null, { ...transaction, state: "refunded" }, "pending");
  expect(await views()).toEqual([1000, 1000, 35, -35]);
  for (const route of [pix, thankYou]) {
    const shown = await page(route, saleId);
    expect(shown).toMatch(came);
    expect(shown).toMatch(new RegExp(`Ele foi devolvido em ${TODAY}`));
    expect(shown).not.toContain("Nada foi cobrado");
  }
  expect(await mailsTo(email)).toHaveLength(2);
  expect((await mailsTo(email))[1]).toContain("foram devolvidos");
  expect((await mailsTo(email))[1]).toMatch(
    new RegExp(`/checkout/pix/${saleId}\\?chave=[^"]+">Abra o seu pedido</a>`),
  );
});

test("a wrong amount, then the right one twice: every payment is in every figure", async () => {
  const { views } = await paidWith(1000, 9700, 9700);
  expect(await views()).toEqual([20400, 0, 105, 20295]);
});

test("an overpayment refunded before our check is mailed once, as both", async () => {
  const { email, charges, saleId, views } = await paidWith(9700);
  const again = await makeCharge({ id: saleId, amountCents: 9700 });
  await settleCharge(again.id, reportTransaction(again.providerId!, { state: "refunded" }));
  expect(charges).toHaveLength(1);
  expect(await views()).toEqual([19400, 9700, 70, 9630]);
  expect(await mailsTo(email)).toEqual([expect.stringContaining("Pagamento devolvido: R$ 97,00")]);
});

test("a partial refund is mailed with its day, and the purchase stays", async () => {
  const { seller, email, saleId, charges, views } = await paidWith(9700);
  await bookReversal(charges[0]!.id, null, { ...charges[0]!.said, refundedCents: 1990 }, "completed");
  expect(await views()).toEqual([9700, 1990, 35, 7675]);
  expect(await receiptOf(email, saleId)).toMatch(new RegExp(`R\\$ 19,90 em ${TODAY}`));
  expect(await portalOf(email)).toMatch(new RegExp(`R\\$ 19,90 desta compra foram devolvidos em ${TODAY}`));
  const [mail] = await mailsTo(email);
  expect(mail).toContain("Parte da sua compra foi devolvida: R$ 19,90");
  expect(mail).toContain("Esta devolução não muda o seu acesso");
  // The provider reported it, and not the seller.
  expect(mail).not.toContain("informou");
  expect((await showRefund(seller.id, saleId)).payments).toMatchObject([{ status: "part", leftCents: 7710 }]);
});

test.each(["cancelled", "failed"] as const)(
  "an order that is %s states why it is not paid and what to do",
  async (status) => {
    const { product } = await openShop();
    const sale = await makeSale(product, { status });
    await makeCharge(sale, { status: "cancelled" });
    const shown = await page(thankYou, sale.id);
    expect(shown).toContain("Se você já pagou, o pagamento será reconhecido. Se não, gere um novo código.");
    expect(shown).toContain("Ir para o pagamento");
    expect(shown).not.toMatch(/Ver o código PIX|não está ativa|muda sozinha|Garantia de/);
  },
);
