import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { readPdf } from "#tests/support/files/pdfs.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

/** A shop with a sale that was paid by card, whose bank contests it. */
async function contestedSale() {
  const app = await sharedApp();
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const apiKey = `APP_USR-sandbox-${crypto.randomUUID()}`;
  const { hookToken, keyId } = await makeGateway(seller, {
    ...{ provider: "mercadopago", apiKey, cardsEnabledAt: new Date() },
    publicKeySealed: seal("APP_USR-publica"),
  });
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const sale = await makeSale(product, {
    ...{ status: "completed", completedAt: new Date(), paymentMethod: "card", customerName: "Zoë 🎸 Souza" },
  });
  const reference = crypto.randomUUID();
  const call = async (path: string, body: object) => {
    const answer = await fetch(`${app.sandbox.url}/mercadopago${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${apiKey}`,
        "x-idempotency-key": crypto.randomUUID(),
      },
    });
    return (await answer.json()) as { id: string };
  };
  const holder = { name: "APRO", identification: { type: "CPF", number: "12345678909" } };
  const token = await call("/v1/card_tokens", {
    ...{ card_number: "4235647728025682", security_code: "123", expiration_month: 11, expiration_year: 2050 },
    cardholder: holder,
  });
  const amount = (sale.amountCents / 100).toFixed(2);
  const order = await call("/v1/orders", {
    ...{ type: "online", total_amount: amount, external_reference: reference },
    payer: { email: "zoe@exemplo.com.br", first_name: "Zoe", identification: holder.identification },
    transactions: {
      payments: [
        { amount, payment_method: { id: "visa", type: "credit_card", token: token.id, installments: 1 } },
      ],
    },
  });
  const charge = await makeCharge(sale, {
    ...{ status: "paid", provider: "mercadopago", method: "card", instalments: 1, reference },
    ...{ providerId: order.id, gatewayKeyId: keyId },
  });
  const webhookUrl = app.url + paths.paymentWebhook("mercadopago", hookToken);
  await app.sandbox.post("/mercadopago", { accessToken: apiKey, webhookUrl });
  await app.sandbox.post(`/transactions/${order.id}/chargeback`);
  const become = (status: string) =>
    until(async () => (await sql`select status from sales where id = ${sale.id}`)[0]!.status === status);
  await become("disputed");
  return { app, seller, saleId: sale.id, orderId: order.id, chargeId: charge.id, become };
}

for (const { width, javaScript } of oneWay(true))
  longTest(
    `a seller reads the deadline of a card's dispute, checks the evidence and sends it, at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { app, seller, orderId, chargeId, become } = await contestedSale();
      const { Cookie } = await signedIn(seller);
      const page = await openPage({ url: app.url, cookie: Cookie, width, javaScript });
      await page.goto("/dashboard");
      await page.getByText("Envie os comprovantes ao provedor até").click();
      await page.getByText("O provedor aceita comprovantes até").waitFor();
      await expectNoSeriousAxe(page);
      await expectNoSidewaysScroll(page);
      await savePicture(page, `card-dispute-${width}`);
      const downloading = page.waitForEvent("download");
      await page.getByRole("link", { name: "Baixar comprovantes (PDF)" }).click();
      const { text } = await readPdf(await readFile(await (await downloading).path()));
      expect(text).toContain("Zoë Souza");
      await page.getByRole("button", { name: "Enviar comprovantes" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Enviar comprovantes" }).click();
      await page.getByText("Comprovantes enviados ao provedor. A decisão").waitFor();
      await page.getByText("O provedor recebeu os comprovantes").waitFor();
      await page.getByText("Comprovantes enviados ao provedor por você").waitFor();
      expect(await page.getByRole("button", { name: "Enviar comprovantes" }).count()).toBe(0);
      await app.sandbox.post(`/transactions/${orderId}/reject`);
      await sql`update charges set last_checked_at = null where id = ${chargeId}`;
      await become("completed");
      await page.reload();
      await page.getByText("Contestação recusada: a venda voltou a valer").waitFor();
    },
  );
