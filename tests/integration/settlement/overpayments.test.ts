import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { findPaymentSummary } from "#app/domain/charge/find-payment-summary.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { saveRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { showRefund } from "#app/domain/refund/show-refund.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { findSnapshot } from "#app/domain/settlement/charge-snapshot.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { toRefundPanelView } from "#app/routes/seller/sale/refund-view.server.ts";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { RefundPayment } from "#app/ui/seller/refund-payment.tsx";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";

const CARD = { method: "card", instalments: 1, provider: "mercadopago" } as const;
type SaleFields = NonNullable<Parameters<typeof makeSale>[1]>;

/** A sale in a state, whose first payment was booked. */
async function paidSale(fields: SaleFields, { isRefunding = false } = {}) {
  const seller = await makeSeller();
  await saveRefundsOverpayments(seller.id, isRefunding);
  const sale = await makeSale(await makeProduct(seller), fields);
  await makeCharge(sale, { status: "paid" });
  return sale;
}

/** Settles a second payment of a sale, and reads the texts of its mails and its refunds. */
async function payAgain(
  sale: Awaited<ReturnType<typeof paidSale>>,
  fields: Parameters<typeof makeCharge>[1],
  state: ProviderTransaction["state"],
) {
  const charge = await makeCharge(sale, fields);
  const providerId = charge.providerId ?? `ORD${crypto.randomUUID()}`;
  await settleCharge(charge.id, answerOf(providerId, state, { amountCents: charge.amountCents }));
  await renderMails();
  const rows = await sql`select kind, body_sealed from ${mailsWithTexts()}
    where sale_id = ${sale.id} and kind in ('payment-news', 'surplus') order by kind`;
  const [buyer, seller] = opened(rows).map(({ payload }) => payload.html as string);
  const refunds = await sql`select status, origin from refunds where charge_id = ${charge.id}`;
  return { buyer, seller, refunds: [...refunds] };
}

test("an overpayment that is disputed is not refunded automatically, and no mail asks for a refund", async () => {
  const sale = await paidSale({ status: "completed" }, { isRefunding: true });
  const lost = { ...CARD, status: "unknown", providerId: null } as const;
  const { buyer, seller, refunds } = await payAgain(sale, lost, "disputed");
  expect(refunds).toEqual([]);
  expect(buyer).toContain("é o banco que decide se o valor volta");
  expect(buyer).not.toContain("deve devolver");
  expect(seller).toContain("Espere a decisão do banco");
  expect(seller).not.toContain("Devolver o pagamento");
});

test("an overpayment that is paid is refunded automatically where its seller chose so", async () => {
  const sale = await paidSale({ status: "completed" }, { isRefunding: true });
  const { buyer, seller, refunds } = await payAgain(sale, { status: "expired" }, "paid");
  expect(refunds).toEqual([{ status: "pending", origin: "automatic" }]);
  expect(buyer).toContain("Só o primeiro pagamento vale pela compra");
  expect(seller).toContain("A venda conta uma vez só");
});

test.each(["refunded", "chargedback"] as const)(
  "a payment that comes after the first one was %s is not said to leave that one valid",
  async (status) => {
    const sale = await paidSale({ status });
    const { buyer, seller } = await payAgain(sale, { status: "expired" }, "paid");
    expect(buyer).toContain("cujo pagamento já tinha sido devolvido. A compra continua encerrada.");
    expect(buyer).not.toContain("Só o primeiro pagamento vale");
    expect(seller).toContain("A venda continua encerrada; este valor deve ser devolvido.");
    expect(seller).not.toContain("pagou duas vezes");
  },
);

/** A provider's answer about a payment. */
const answerOf = (
  providerId: string,
  state: ProviderTransaction["state"],
  facts: Partial<ProviderTransaction> = {},
): ProviderTransaction => ({
  ...{ providerId, state, providerStatus: state, amountCents: 9700 },
  ...{ feeCents: null, refundedCents: null, webhookUrl: null, ...facts },
});

/** Books an answer about a charge, as its check does. */
async function book(chargeId: string, answer: ProviderTransaction) {
  const { charge, sale } = (await findSnapshot(chargeId))!;
  const checked = { id: chargeId, sellerId: sale.sellerId, ...charge };
  return bookAnswer(checked, sale, answer.providerId, answer);
}

/** Writes what a provider answered about a payment, a minute after it was booked. */
async function answered(chargeId: string, state: string) {
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    select id, seller_id, 'asked', jsonb_build_object('state', ${state}::text, 'word', '', 'tookMs', 1), 'system', now() + interval '1 minute'
    from charges where id = ${chargeId}`;
}

test.each([true, false])(
  "a disputed overpayment is not to be refunded until its bank rejects the dispute; automatic: %s",
  async (isRefunding) => {
    const sale = await paidSale({ status: "completed" }, { isRefunding });
    const providerId = crypto.randomUUID();
    await payAgain(sale, { ...CARD, status: "unknown", providerId }, "disputed");
    const [charge] =
      await sql`select id, amount_cents from charges where overpaid_at is not null and sale_id = ${sale.id}`;
    const chargeId = charge!.id as string;
    await answered(chargeId, "disputed");
    const items = async () => {
      const shown = (await findActionItems(sale.sellerId)).map(({ kind }) => kind);
      const summarized = (await findPaymentSummary({ saleId: sale.id }))!.actionItems.map(({ kind }) => kind);
      expect(summarized).toEqual(shown);
      return shown;
    };
    const view = async () =>
      (await showRefund(sale.sellerId, sale.id)).payments.find(({ kind }) => kind === "overpayment");
    expect(await items()).toEqual(["extra-disputed"]);
    expect(await view()).toMatchObject({ isDisputed: true });
    const notes = async () => {
      const { payments } = (await findPaymentSummary({ saleId: sale.id }))!;
      return paymentNotes(payments, { status: "completed", sellerName: "Vera" }).join();
    };
    expect(await notes()).toMatch(/é o banco que decide se o valor volta\.$/);
    expect(await notes()).not.toContain("deve devolvê-lo");
    await expect(refundCharge(sale.sellerId, chargeId)).rejects.toThrow("Espere a decisão do banco");

    const rejected = answerOf(providerId, "paid", { amountCents: charge!.amount_cents });
    // A process that dies after the booking books it again, once.
    for (const _ of [1, 2]) await book(chargeId, rejected);
    await answered(chargeId, "paid");
    expect(await notes()).not.toContain("é o banco que decide");
    expect(await view()).toMatchObject({ isDisputed: false, status: isRefunding ? "requested" : "none" });
    expect(await items()).toEqual(isRefunding ? [] : ["surplus"]);
    const refunds = await sql`select status, origin from refunds where charge_id = ${chargeId}`;
    expect([...refunds]).toEqual(isRefunding ? [{ status: "pending", origin: "automatic" }] : []);
    await renderMails();
    const rows = await sql`select kind, body_sealed from ${mailsWithTexts()}
      where sale_id = ${sale.id} and idempotency_key like '%/rejected' order by kind`;
    const [buyer, seller] = opened(rows).map(({ payload }) => payload.html as string);
    expect(rows).toHaveLength(2);
    expect(buyer).toContain("O banco recusou a contestação");
    expect(seller).toContain(
      isRefunding ? "A devolução deste valor é pedida" : "este valor deve ser devolvido",
    );
  },
);

test.each(["paid", "disputed"] as const)(
  "an overpayment that was booked as %s is checked within six hours of when its dispute is known",
  async (state) => {
    const sale = await paidSale({ status: "completed" });
    const providerId = crypto.randomUUID();
    await payAgain(sale, { ...CARD, status: "unknown", providerId }, state);
    const [charge] =
      await sql`select id, amount_cents from charges where overpaid_at is not null and sale_id = ${sale.id}`;
    const chargeId = charge!.id as string;
    const dueInSixHours = async () => {
      const [row] =
        await sql`select scheduled_at <= now() + interval '6 hours' as soon, scheduled_at, ctid::text
        from paced_checks where charge_id = ${chargeId}`;
      expect(row).toMatchObject({ soon: true });
      return row;
    };
    const disputed = answerOf(providerId, "disputed", { amountCents: charge!.amount_cents });
    if (state === "paid") await book(chargeId, disputed);
    const claimed = await dueInSixHours();
    // A check that runs finds its row as it was claimed, however often it is told of the dispute.
    await book(chargeId, disputed);
    expect(await dueInSixHours()).toEqual(claimed);
  },
);

test.each([
  ["completed", "A venda conta uma vez só"],
  ["refunded", "A venda continua encerrada"],
] as const)(
  "an overpayment of a %s sale that becomes disputed later is told to the seller once",
  async (status, counts) => {
    const sale = await paidSale({ status });
    const providerId = crypto.randomUUID();
    await payAgain(sale, { ...CARD, status: "unknown", providerId }, "paid");
    const [charge] = await sql`select id from charges where overpaid_at is not null and sale_id = ${sale.id}`;
    const chargeId = charge!.id as string;
    const later = async () => {
      await renderMails();
      const rows = await sql`select recipient, body_sealed from ${mailsWithTexts()}
      where sale_id = ${sale.id} and idempotency_key like '%/disputed'`;
      return opened(rows).map(({ payload }) => payload);
    };
    for (const _ of [1, 2]) {
      await book(chargeId, answerOf(providerId, "disputed"));
      await answered(chargeId, "disputed");
    }
    const mails = await later();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: expect.stringContaining("contestado") });
    const html = mails[0]!.html as string;
    for (const words of [counts, "que chegou a mais foi contestado.", "Não o devolva agora"])
      expect(html).toContain(words);
    for (const words of ["Chegou mais um", "já tinha sido devolvido"]) expect(html).not.toContain(words);
  },
);

test("no second mail is sent of an overpayment that was disputed from the start, or is being refunded", async () => {
  for (const [state, isRefunding] of [
    ["disputed", false],
    ["paid", true],
  ] as const) {
    const sale = await paidSale({ status: "completed" }, { isRefunding });
    const providerId = crypto.randomUUID();
    await payAgain(sale, { ...CARD, status: "unknown", providerId }, state);
    const [charge] = await sql`select id from charges where overpaid_at is not null and sale_id = ${sale.id}`;
    const chargeId = charge!.id as string;
    if (state === "disputed") await answered(chargeId, "disputed");
    await book(chargeId, answerOf(providerId, "disputed"));
    expect(await sql`select id from mails where sale_id = ${sale.id} and kind = 'surplus'`).toHaveLength(1);
  }
});

test("a refund that is unconfirmed waits for the bank where its overpayment is disputed", async () => {
  const sale = await paidSale({ status: "completed" });
  await payAgain(sale, { status: "expired" }, "paid");
  const [charge] = await sql`select id from charges where overpaid_at is not null and sale_id = ${sale.id}`;
  const chargeId = charge!.id as string;
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${chargeId}, ${sale.sellerId}, 9700, 'unconfirmed', 'requested', now())`;
  const shown = async () => {
    const items = (await findActionItems(sale.sellerId)).map(({ kind }) => kind);
    const { actionItems } = (await findPaymentSummary({ saleId: sale.id }))!;
    expect(actionItems.map(({ kind }) => kind)).toEqual(items);
    const { payments } = await showRefund(sale.sellerId, sale.id);
    return { items, reason: payments.find(({ kind }) => kind === "overpayment")!.reason };
  };
  const before = await shown();
  expect(before.items).toEqual(["refund-unconfirmed"]);
  expect(before.reason).toContain("se não, tente de novo");
  await answered(chargeId, "disputed");
  const after = await shown();
  expect(after.items).toEqual(["extra-disputed"]);
  expect(after.reason).toContain("se o valor voltou, use “Já devolvi pelo banco”");
  expect(after.reason).not.toContain("tente de novo");
});

test("an automatic refund that waits is not sent while its payment is disputed", async () => {
  const sale = await paidSale({ status: "completed" }, { isRefunding: true });
  await payAgain(sale, { status: "expired" }, "paid");
  const [charge] = await sql`select id from charges where overpaid_at is not null and sale_id = ${sale.id}`;
  await answered(charge!.id as string, "disputed");
  await sendAutomaticRefunds.handle({}, { number: 1, last: true });
  const [refund] =
    await sql`select status, send_at > now() as waits from refunds where charge_id = ${charge!.id}`;
  expect(refund).toEqual({ status: "pending", waits: true });
  const seen = async () => {
    const view = toRefundPanelView(await showRefund(sale.sellerId, sale.id));
    const payment = view.payments.find(({ kind }) => kind === "overpayment")!;
    const props = { saleId: sale.id, payment, isCompleted: true, isConfirming: false, isOnly: false };
    const screen = renderToStaticMarkup(createElement(RefundPayment, props));
    const { payments } = (await findPaymentSummary({ saleId: sale.id }))!;
    const facts = { status: "completed", sellerName: "Vera" } as const;
    return { screen, notes: paymentNotes(payments, facts).join() };
  };
  const waiting = await seen();
  expect(waiting.screen).toContain("espera a decisão do banco");
  expect(waiting.screen).not.toMatch(/Pedido ao provedor em|Reembolso pedido|não respondeu/);
  expect(waiting.notes).toContain("é o banco que decide se o valor volta");
  expect(waiting.notes).not.toContain("foi pedida");
  await answered(charge!.id as string, "paid");
  const queued = await seen();
  expect(queued.screen).toContain("está na fila");
  expect(queued.screen).not.toContain("Pedido ao provedor em");
  expect(queued.notes).toContain("está na fila");
  await sql`update refunds set send_at = null where charge_id = ${charge!.id}`;
  const sent = await seen();
  expect(sent.screen).toMatch(/Pedido ao provedor em .* não respondeu/);
  expect(sent.notes).toContain("foi pedida ao provedor de pagamento, que ainda não respondeu");
});

test("of each dispute of a payment that does not count its seller is told once, and of each rejection", async () => {
  for (const isMismatch of [false, true]) {
    const sale = isMismatch
      ? await makeSale(await makeProduct(await makeSeller()))
      : await paidSale({ status: "completed" });
    const { id: chargeId, providerId, amountCents: wantedCents } = await makeCharge(sale);
    const amountCents = isMismatch ? 5000 : wantedCents;
    const answer = (state: "paid" | "disputed") => answerOf(providerId!, state, { amountCents });
    await settleCharge(chargeId, answer("paid"));
    for (const state of ["disputed", "paid", "disputed", "paid"] as const) {
      // A process that dies after the booking books it again, once.
      for (const _ of [1, 2]) await book(chargeId, answer(state));
      await answered(chargeId, state);
    }
    await renderMails();
    const rows = await sql`select recipient, body_sealed from ${mailsWithTexts()}
      where sale_id = ${sale.id} and kind in ('surplus', 'wrong-amount') order by created_at, idempotency_key`;
    const texts = opened(rows).map(({ payload }) => payload.html as string);
    const about = (words: string) => texts.filter((text) => text.includes(words)).length;
    expect(texts).toHaveLength(5);
    expect(about("foi contestado.")).toBe(2);
    expect(about("O banco recusou a contestação d")).toBe(2);
    if (isMismatch) expect(about("devolva ou combine com o comprador.")).toBe(2);
  }
});

test.each([
  ["part", 4000, ["5700"]],
  ["all", 9700, []],
] as const)(
  "of a payment whose dispute ends with %s of it refunded nothing of that is refunded again",
  async (_, refundedCents, told) => {
    const sale = await paidSale({ status: "completed" }, { isRefunding: true });
    const providerId = crypto.randomUUID();
    await payAgain(sale, { ...CARD, status: "unknown", providerId }, "disputed");
    const [charge] = await sql`select id from charges where overpaid_at is not null and sale_id = ${sale.id}`;
    const chargeId = charge!.id as string;
    await answered(chargeId, "disputed");
    await book(chargeId, answerOf(providerId, "paid", { refundedCents }));
    const refunds = await sql`select status, origin, amount_cents from refunds where charge_id = ${chargeId}`;
    expect([...refunds]).toEqual([{ status: "done", origin: "observed", amount_cents: refundedCents }]);
    const mails = await sql`select data ->> 'amountCents' as cents from ${mailsWithTexts()}
      where sale_id = ${sale.id} and kind = 'surplus' and idempotency_key like '%/rejected'`;
    expect(mails.map(({ cents }) => cents)).toEqual(told);
  },
);

/** Settles the first payment of an order with another amount, and reads the texts of its mails. */
async function payOtherAmount(state: ProviderTransaction["state"], refundedCents: number | null) {
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const { id, providerId } = await makeCharge(sale);
  await settleCharge(id, answerOf(providerId!, state, { amountCents: 5000, refundedCents }));
  await renderMails();
  const rows = await sql`select kind, body_sealed from ${mailsWithTexts()} where sale_id = ${sale.id}
    and (kind = 'wrong-amount' or idempotency_key like 'payment-news/mismatched/%') order by kind`;
  const [buyer, seller] = opened(rows).map(({ payload }) => payload);
  return { buyer: buyer!, seller: seller! };
}

test("a mismatch that is disputed at once is said to its buyer to be decided by the bank", async () => {
  const { buyer, seller } = await payOtherAmount("disputed", null);
  expect(buyer.html).toContain("é o banco que decide se o valor volta");
  expect(buyer.html).not.toContain("que devolve o valor");
  expect(seller.html).toContain("Não o devolva agora");
});

test("of a mismatch of which a part was refunded before its seller is asked for the rest", async () => {
  const { seller } = await payOtherAmount("paid", 2000);
  expect(seller.subject).toMatch(/devolva R\$\s30,00 /);
  const text = seller.html!.replace(/<[^>]*>/g, "");
  expect(text).toMatch(/Já voltaram R\$\s20,00: devolva os R\$\s30,00 que faltam/);
});
