import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

/** A shop with a purchase that really went through checkout, provider and worker. */
async function soldOnce() {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  await makeGateway(seller);
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const buyer = await openPage({ url: app.url, width: 360 });
  await buyer.goto(`/checkout/${product.id}`);
  await fillCheckout(buyer, { email: `ana${crypto.randomUUID().slice(0, 6)}@gmail.com` });
  await buyer.getByRole("button", { name: "Comprar Agora" }).click();
  await buyer.waitForURL("**/checkout/pix/**");
  const saleId = buyer.url().split("/").at(-1)!;
  const [charge] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await app.sandbox.pay(charge!.provider_id);
  await buyer.waitForURL("**/thank-you/**");
  return { seller, product, saleId, charge: charge!, cookie: (await signedIn(seller)).Cookie };
}

longTest("a sale's history shows every step of its payment, and 'Verificar agora' its result", async () => {
  const { saleId, cookie } = await soldOnce();
  await until(async () => {
    const sent =
      await sql`select 1 from mails where sale_id = ${saleId} and kind = 'purchase' and status = 'sent'`;
    return sent.length > 0;
  });
  for (const width of WIDTHS) {
    const page = await openPage({ url: app.url, cookie, width });
    await page.goto(`/reports/sales/${saleId}`);
    // In the order in which it was learned.
    const told = await page.getByRole("list").filter({ hasText: "Pedido feito" }).innerText();
    const order = [
      "O provedor avisou",
      "Perguntamos ao provedor",
      "Pagamento de",
      "Venda concluída",
      "E-mail da compra",
    ];
    const positions = order.map((texts) => told.indexOf(texts));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const history = page.getByRole("list").filter({ hasText: "Pedido feito no checkout" });
    for (const step of [
      "Código PIX pedido ao provedor",
      /Código PIX gerado pela PushInPay em/,
      "O provedor avisou: está pago",
      /Perguntamos ao provedor: está pago/,
      /Pagamento de R\$.* confirmado/,
      "Venda concluída",
      /E-mail da compra para .*: enviado/,
    ])
      await history.getByText(step).first().waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `books-sale-${width}`);
  }
  const page = await openPage({ url: app.url, cookie, width: 360, javaScript: false });
  await page.goto(`/reports/sales/${saleId}`);
  await page.getByRole("button", { name: "Verificar agora" }).click();
  await page.getByRole("status").filter({ hasText: /\S/ }).first().waitFor();
  expect(page.url()).toContain(saleId);
});

longTest("action items are on the dashboard with what to do, and disappear when resolved", async () => {
  const { seller, product, saleId, cookie } = await soldOnce();
  const sale = { id: saleId, amountCents: product.priceCents };
  await makeCharge(sale, {
    status: "paid",
    paidAt: new Date(),
    overpaidAt: new Date(),
    providerId: crypto.randomUUID(),
  });
  const wrong = await makeSale(product, { status: "pending", customerName: "Bruno Lima" });
  const { id: mismatched } = await makeCharge(wrong, {
    status: "mispaid",
    paidAt: new Date(),
    paidCents: 5000,
    providerId: crypto.randomUUID(),
  });
  for (const width of WIDTHS) {
    const page = await openPage({ url: app.url, cookie, width });
    await page.goto("/dashboard");
    await page.getByText("Pago duas vezes").waitFor();
    await page.getByText("PIX de outro valor").waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `books-hands-${width}`);
    await page.getByRole("link", { name: /Pago duas vezes/ }).click();
    await page.getByText("Esta venda foi paga mais de uma vez").waitFor();
    // It leads to where it is resolved.
    await page.waitForURL(`**/reports/sales/${saleId}#reembolso`);
    const refund = page.locator("#reembolso");
    await until(() => refund.evaluate((panel) => panel.getBoundingClientRect().top < innerHeight / 2));
    await savePicture(page, `books-surplus-${width}`);
  }
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at, ended_at)
    values (${mismatched}, (select seller_id from charges where id = ${mismatched}), 5000, 'done', 'recorded', now(), now())`;
  const page = await openPage({ url: app.url, cookie, width: 360 });
  await page.goto("/dashboard");
  await page.getByText("Pago duas vezes").waitFor();
  expect(await page.getByText("PIX de outro valor").count()).toBe(0);
  expect(seller.id).toBeTruthy();
});

longTest(
  "the buyer's page shows the true state: a wrong amount, an announced payment, and one received twice",
  async () => {
    const { product, saleId } = await soldOnce();
    const [wrong, announced] = [
      await makeSale(product, { status: "pending" }),
      await makeSale(product, { status: "pending" }),
    ];
    await makeCharge(wrong, {
      status: "mispaid",
      paidAt: new Date(),
      paidCents: 5000,
      providerId: crypto.randomUUID(),
    });
    const told = await makeCharge(announced, {
      status: "open",
      providerId: crypto.randomUUID(),
      expiresAt: new Date(Date.now() + 600_000),
    });
    await sql`insert into payment_webhooks (provider, charge_id, seller_id, dedupe_key, provider_id, state, provider_status)
    values ('pushinpay', ${told.id}, (select seller_id from charges where id = ${told.id}), ${told.id}, 'x', 'paid', 'paid')`;
    await makeCharge(
      { id: saleId, amountCents: product.priceCents },
      { status: "paid", paidAt: new Date(), overpaidAt: new Date(), providerId: crypto.randomUUID() },
    );
    const screens = [
      ["mispaid", `/checkout/pix/${wrong.id}`, "Recebemos um PIX de outro valor"],
      ["announced", `/checkout/pix/${announced.id}`, "Estamos confirmando o seu pagamento"],
      ["twice", `/thank-you/${saleId}`, "Recebemos um pagamento em dobro"],
    ] as const;
    for (const width of WIDTHS)
      for (const [name, address, text] of screens) {
        const page = await openPage({ url: app.url, width });
        await page.goto(address);
        await page.getByText(text).first().waitFor();
        await expectNoSidewaysScroll(page);
        await expectNoSeriousAxe(page);
        await savePicture(page, `books-${name}-${width}`);
      }
  },
);
