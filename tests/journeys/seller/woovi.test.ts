import { beforeAll, expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { WAYS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

for (const { width, javaScript } of WAYS) {
  test(`a seller connects Woovi, a buyer pays, and a part goes back, at ${width} px, script ${javaScript}`, async () => {
    const seller = await makeSeller({ name: "Vera Vendedora" });
    const product = await makeProduct(seller);
    const { Cookie: cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie, width, javaScript });
    const appId = `sandbox-vera-${crypto.randomUUID()}`;

    await page.goto("/settings?tab=gateways");
    const card = page.getByRole("region", { name: "Woovi", exact: true });
    await card.getByText("Falta a API Key").waitFor();
    await card.getByText("Salve primeiro o AppID da Woovi").waitFor();
    await page.getByLabel("Receber por PIX com a PushinPay").uncheck();
    await card.getByLabel("Receber por PIX com a Woovi").check();
    await card.getByLabel("API Key (AppID)").fill(appId);
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await card.getByText("Recebendo pagamentos").waitFor();
    expect(await page.content()).not.toContain(appId);
    await card.getByRole("button", { name: "Testar Webhook" }).click();
    await page.getByText(/Webhook testado com sucesso! A Woovi aceitou/).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `gateways-woovi-${width}`);
    // The seller copies the address into the provider's panel.
    const webhookUrl = await card.getByText(/\/api\/webhooks\/woovi\//).textContent();
    await app.sandbox.post("/woovi", { appId, webhookUrl });
    await page.goto(paths.integrations());
    await page.getByText("Woovi").first().waitFor();

    const buyer = await openPage({ url: app.url, width, javaScript });
    const email = `bia-${crypto.randomUUID()}@gmail.com`;
    await buyer.goto(`/checkout/${product.id}`);
    await fillCheckout(buyer, { email });
    await buyer.getByRole("button", { name: "Comprar Agora" }).click();
    await buyer.getByText("Pague com PIX").waitFor();
    const [made] = await sql`select c.* from charges c inner join sales s on s.id = c.sale_id
      where s.customer_email = ${email}`;
    const { sale_id: saleId, provider_id: providerId } = made!;
    expect(made).toMatchObject({ provider: "woovi", status: "open" });
    await app.sandbox.pay(providerId, { wait: true });
    await until(async () => {
      const [sale] = await sql`select status from sales where id = ${saleId}`;
      return sale!.status === "completed";
    });
    if (!javaScript) await buyer.reload();
    await buyer.getByRole("heading", { name: "Obrigado pela sua compra!" }).waitFor({ timeout: 30_000 });

    await page.goto(`/reports/sales/${saleId}`);
    await page.getByRole("button", { name: "Reembolsar uma parte" }).click();
    const dialog = page.getByRole("dialog", { name: "Reembolsar uma parte?" });
    await dialog.getByLabel("Valor a devolver").fill("19,90");
    await dialog.getByRole("button", { name: "Reembolsar esta parte" }).click();
    await page.getByText("Reembolso aceito", { exact: true }).waitFor();
    await until(
      async () => {
        const [sale] = await sql`select refunded_cents from sales where id = ${saleId}`;
        return sale!.refunded_cents === 1990;
      },
      { seconds: 40 },
    );
    await page.goto(`/reports/sales/${saleId}`);
    await page.getByText("Reembolsado em parte").waitFor();
    await expectNoSidewaysScroll(page);
    const { refunds } = await app.sandbox.transaction(providerId);
    expect(refunds).toMatchObject([{ cents: 1990, status: "confirmed" }]);
  });
}
