import { expect, test } from "vitest";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { endCharge } from "#app/domain/charge/end-charge.server.ts";
import { standardBody } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { paymentNotes } from "#app/ui/buyer/payment/payment-note-texts.ts";
import { cardShop, cardToken } from "#tests/integration/cards/support.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge } from "#tests/support/make.ts";

const app = await startApp({ web: 0, worker: 0 });

const text = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/&nbsp;|\s+/g, " ");

test("what is said of a PIX of an order sent with a card names the PIX's price, and of its payment, too", async () => {
  const { seller, product } = await openShop();
  const email = `bia-${crypto.randomUUID()}@exemplo.com.br`;
  const customer = { name: "Bia", email, phone: null, document: null };
  const ordered = order(product.id, { customer, pixPercent: 10, isCard: true });
  const { saleId } = await placeSale(ordered);
  const { chargeId } = await startPix(saleId);
  const [charge] = await sql`select amount_cents, provider_id from charges where id = ${chargeId}`;
  expect(charge!.amount_cents).toBe(8730);

  const mailOf = async <K extends RenderedMailKind>(kind: K, data: MailData[K]) => {
    const { mail } = await renderMail({ kind, saleId, recipient: email, data } as Parameters<
      typeof renderMail
    >[0]);
    return text(`${mail.subject} ${mail.html}`);
  };
  const pix = { pixCode: "00020126", expiresAt: null, notice: null };
  const failed = { why: "cancelled", detail: "" } as const;
  const mismatched = { what: "mismatched", amountCents: 500, at: new Date().toISOString() } as const;
  const mails = [
    await mailOf("pix", pix),
    await mailOf("reminder", { ...pix, number: 1 }),
    await mailOf("failed-payment", failed),
    await mailOf("wrong-amount", { amountCents: 500 }),
  ];
  for (const mail of mails) expect(mail).toMatch(/97,00 Desconto no PIX − R\$.9,70 Total R\$.87,30/);
  expect(mails[0]).toMatch(/R\$.87,30 por PIX/);
  expect(mails[2]).toMatch(/^Pagamento não concluído: R\$.87,30/);
  expect(mails[3]).toMatch(/para um pedido de R\$.87,30/);
  expect(await mailOf("payment-news", mismatched)).toMatch(
    /para o pedido de Curso de Violão *, de R\$.87,30/,
  );

  const notified = async (event: DeliveryEvent) =>
    standardBody(
      (await readNotification({
        ...{ sellerId: seller.id, saleId, aboutId: chargeId, event, at: new Date(), email: null },
      }))!,
    ).data;
  for (const event of ["pix.generated", "pix.expired", "sale.refused"] as const)
    expect(await notified(event)).toMatchObject({
      sale: { payment_method: "pix", instalments: null, amount_cents: 8730 },
      items: [{ price_cents: 8730, method_discount_cents: 970 }],
    });
  expect(await notified("checkout.started")).toMatchObject({
    sale: { payment_method: "card", amount_cents: 9700 },
    items: [{ price_cents: 9700, method_discount_cents: 0 }],
  });

  await settleCharge(chargeId, {
    ...{ providerId: charge!.provider_id, state: "paid", providerStatus: "paid", amountCents: 8730 },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  });
  expect(await mailOf("new-sale", { paidAt: new Date().toISOString() })).toMatch(/^Nova venda: R\$.87,30/);
  expect(await notified("sale.paid")).toMatchObject({ sale: { payment_method: "pix", amount_cents: 8730 } });
});

/** The seller's mail that an order failed, as it is sent. */
async function failedMailOf(saleId: string): Promise<string> {
  const [queued] = await sql<{ recipient: string; data: MailData["failed-payment"] }[]>`
    select m.recipient, q.data from mails m inner join queued_mails q on q.id = m.id
    where m.sale_id = ${saleId} and m.kind = 'failed-payment'`;
  const { mail } = await renderMail({ kind: "failed-payment", saleId, ...queued! });
  return text(`${mail.subject} ${mail.html}`);
}

test("the mail of a card whose account's key is refused names the price by card, also of an order sent with PIX", async () => {
  const { product } = await cardShop();
  const { saleId } = await placeSale(order(product.id, { pixPercent: 10 }));
  await app.sandbox.fault({
    ...{ service: "mercadopago", route: "create", mode: "status-401", times: 1, body: {} },
  });
  const card = { brand: "visa", instalments: 1, holderName: "Bia Souza", document: "12345678909" };
  await expect(
    payByCard(saleId, { ...card, token: await cardToken(app), deviceId: null }),
  ).rejects.toMatchObject({ kind: "unavailable" });
  const mail = await failedMailOf(saleId);
  expect(mail).toMatch(/^Pagamento não concluído: R\$.97,00/);
  expect(mail).not.toContain("Desconto no PIX");
});

test("receivers and the seller's mail learn of a cancelled card as a card, at its price, also of an order sent with PIX", async () => {
  const { seller, product } = await openShop();
  const { saleId } = await placeSale(order(product.id, { pixPercent: 10 }));
  const ofCard = { method: "card", status: "in_review", amountCents: 9700 } as const;
  const sale = { id: saleId, amountCents: 8730 };
  const card = await makeCharge(sale, { ...ofCard, instalments: 3 });
  await endCharge(card.id, "cancelled");
  await makeCharge(sale, { ...ofCard, status: "declined", declineReason: "other", instalments: 1 });
  const notified = async (event: DeliveryEvent, aboutId: string) =>
    readNotification({ ...{ sellerId: seller.id, saleId, aboutId, event, at: new Date(), email: null } });
  // By the charge, and for destinations that have one record per order.
  for (const aboutId of [card.id, saleId]) {
    const refused = (await notified("sale.refused", aboutId))!;
    expect(standardBody(refused).data).toMatchObject({
      sale: { payment_method: "card", amount_cents: 9700 },
      items: [{ price_cents: 9700, method_discount_cents: 0 }],
    });
    expect(refused.pix).toBeNull();
  }
  expect((await notified("sale.refused", card.id))!.sale.instalments).toBe(3);
  expect((await notified("pix.generated", saleId))!.sale).toMatchObject({
    ...{ paymentMethod: "pix", amountCents: 8730 },
  });
  expect(await failedMailOf(saleId)).toMatch(/^Pagamento não concluído: R\$.97,00/);
});

test("the buyer of an order sent with a card reads the PIX's price beside a PIX of another amount", async () => {
  const { product } = await openShop();
  const { saleId } = await placeSale(order(product.id, { pixPercent: 10, isCard: true }));
  const { chargeId } = await startPix(saleId);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  await settleCharge(chargeId, {
    ...{ providerId: charge!.provider_id, state: "paid", providerStatus: "paid", amountCents: 9700 },
    ...{ feeCents: null, refundedCents: null, webhookUrl: null },
  });
  const purchase = (await showPurchase(saleId))!;
  expect(purchase.amountCents).toBe(9700);
  const [note] = paymentNotes(purchase.payments, purchase);
  expect(note).toMatch(
    /^Recebemos um PIX de R\$ 97,00 em [\d/]+, diferente do valor do pedido \(R\$ 87,30\)/,
  );
});
