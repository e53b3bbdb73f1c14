import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { queueGatewayTroubleMail } from "#app/domain/gateway/queue-gateway-trouble-mail.server.ts";
import * as identityMails from "#app/domain/identity/email/render-account-mails.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { queueBuyerPaymentMail } from "#app/domain/sale/mails/payment/queue-buyer-payment-mail.server.ts";
import { queueObservedRefundMail } from "#app/domain/sale/mails/payment/queue-observed-refund-mail.server.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { queueSellerOverpaymentMail } from "#app/domain/sale/mails/queue-seller-overpayment-mail.server.ts";
import { queueUnconfirmedRefundMail } from "#app/domain/sale/mails/queue-unconfirmed-refund-mail.server.ts";
import { queueRefundMail } from "#app/domain/sale/mark-sale-refunded.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, markPaid } from "#tests/support/make.ts";
import { mailsWithTexts, opened, renderMails, saveTemplate } from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
  await sql`update sellers set notify_new_sale = true, notify_failed_payment = true where id = ${shop.seller.id}`;
});

const ADVERT = "Ganhe R$ 5000 em https://evil.example!";
/** Any part of it. Not its number alone: ids and ports may have that. */
const ADVERTISED = /Ganhe|R\$ 5000|evil/;
let buyers = 0;

/** Every mail that a sale of a buyer with this name can cause. */
async function mailsAbout(name: string) {
  const customer = { name, email: `bia-nomes-${++buyers}@exemplo.com.br`, phone: null, document: null };
  const { saleId, chargeId } = await buy(shop.product.id, { customer });
  await remindBuyer({ saleId, number: 1, since: new Date() });
  await sql`delete from mails where kind = 'failed-payment'`;
  await queueFailedPaymentMail(db, saleId, { why: "refused", detail: "Recusado" });
  // Payment requests are rendered before the payment.
  await renderMails();
  await markPaid(saleId);
  await resendAccess(shop.seller.id, saleId);
  await db.transaction((tx) => queueSellerOverpaymentMail(tx, saleId, chargeId, { amountCents: 9700 }));
  await queueUnconfirmedRefundMail(db, saleId, {
    refundId: chargeId,
    amountCents: 9700,
    requestedAt: new Date(),
  });
  await queueRefundMail(db, saleId, true);
  await queueObservedRefundMail(db, saleId, chargeId, { amountCents: 9700, access: "ended" });
  const at = new Date().toISOString();
  await queueMail(db, {
    kind: "shop-closed",
    idempotencyKey: `shop-closed/${saleId}`,
    recipient: customer.email,
    sellerId: shop.seller.id,
    saleId,
    data: { closedAt: at },
  });
  await db.transaction((tx) =>
    queueBuyerPaymentMail(tx, saleId, saleId, { what: "overpaid", amountCents: 9700, at }),
  );
  await renderMails();
  const mails =
    await sql`select kind, body_sealed from ${mailsWithTexts()} where sale_id = ${saleId} order by kind`;
  return opened(mails).map(({ kind, payload: { attachments: _, ...payload } }) => ({
    kind: kind as string,
    text: JSON.stringify(payload),
    html: payload.html,
  }));
}

const KINDS = [
  "access",
  "failed-payment",
  "new-sale",
  "observed-refund",
  "payment-news",
  "pix",
  "purchase",
  "refund",
  "reminder",
  "shop-closed",
  "surplus",
  "unconfirmed-refund",
];

test("no mail of a sale carries an address that was typed as a name", async () => {
  const mails = await mailsAbout(ADVERT);
  expect(mails.map(({ kind }) => kind)).toEqual(KINDS);
  for (const { kind, text } of mails) expect(text, kind).not.toMatch(ADVERTISED);
  for (const { kind, html } of mails.filter((mail) => ["pix", "reminder", "refund"].includes(mail.kind)))
    expect(html, kind).toContain("Olá! ");
});

test("a name is in all of them", async () => {
  for (const { kind, text } of await mailsAbout("Ana.Souza d'Ávila"))
    expect(text, kind).toContain("Ana.Souza d&#39;Ávila");
});

test("nor does a seller's own template", async () => {
  await saveTemplate(shop.seller.id, {
    simple: null,
    senderName: "{{customer_name}}",
    senderEmail: "",
    subject: "{{customer_name}}, chegou",
    htmlContent: "<p>{{customer_name}}</p>",
  });
  const mails = await mailsAbout(ADVERT);
  for (const { kind, text } of mails) expect(text, kind).not.toMatch(ADVERTISED);
  expect(mails.find(({ kind }) => kind === "purchase")!.text).toContain("cliente, chegou");
});

test.each<[string, (sellerId: string) => Promise<void>]>([
  ["a security notice", (sellerId) => queueSecurityMail(db, sellerId, { change: "password" })],
  [
    "the mail of a refused key",
    (sellerId) =>
      queueGatewayTroubleMail(
        sellerId,
        { keyId: randomUUID(), provider: providers.woovi! },
        { topic: "refused-key" },
      ),
  ],
])("nor does %s to a seller", async (_, queue) => {
  const seller = await makeSeller({ name: ADVERT });
  await queue(seller.id);
  const [mail] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where seller_id = ${seller.id}`,
  );
  expect(mail!.payload.text).toContain("Olá!");
  expect(JSON.stringify(mail!.payload)).not.toMatch(ADVERTISED);
});

test("no mail to a registering seller carries an address that was typed as a name", () => {
  for (const [name, write] of Object.entries(identityMails)) {
    expect(JSON.stringify(write(ADVERT, "https://loja.exemplo/x", new Date())), name).not.toMatch(ADVERTISED);
    expect(write("Vera", "https://loja.exemplo/x", new Date()).html, name).toContain("Olá, Vera!");
  }
});
