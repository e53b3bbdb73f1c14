import { beforeAll, expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { checkNow } from "#tests/journeys/seller/check-now.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { EVERY_WAY, longTest, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const WOOVI = {
  name: "woovi",
  title: "Woovi",
  toggle: "Receber por PIX com a Woovi",
  keyMissing: "Salve primeiro o AppID da Woovi",
  accepted: /Webhook testado com sucesso! A Woovi aceitou/,
  keys: () => ({ "API Key (AppID)": `sandbox-vera-${crypto.randomUUID()}` }),
  enterAddress: (webhookUrl: string, [appId]: string[]) => app.sandbox.post("/woovi", { appId, webhookUrl }),
};
const MERCADO_PAGO = {
  name: "mercadopago",
  title: "Mercado Pago",
  toggle: "Receber por PIX com o Mercado Pago",
  keyMissing: "Salve primeiro o Access Token do Mercado Pago",
  accepted: /Webhook testado com sucesso! O Mercado Pago aceitou/,
  keys: () => ({
    "API Key (Access Token)": `APP_USR-sandbox-vera-${crypto.randomUUID()}`,
    "Assinatura secreta do webhook": `assinatura-${crypto.randomUUID()}`,
  }),
  enterAddress: (webhookUrl: string, [accessToken, secret]: string[]) =>
    app.sandbox.post("/mercadopago", { accessToken, webhookUrl, secret }),
};

/** The screens are the same for both. */
const CASES = [
  ...oneWay(false).map((way) => ({ ...MERCADO_PAGO, ...way })),
  ...(EVERY_WAY ? oneWay(true) : []).map((way) => ({ ...WOOVI, ...way })),
];

longTest.each(CASES)(
  "a seller connects $title, a buyer pays, and a part goes back, at $width px, script $javaScript",
  async ({ name, title, toggle, keyMissing, accepted, keys, enterAddress, width, javaScript }) => {
    const seller = await makeSeller({ name: "Vera Vendedora" });
    const product = await makeProduct(seller);
    const { Cookie: cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie, width, javaScript });
    const typed = keys();

    await page.goto("/settings?tab=gateways");
    const card = page.getByRole("region", { name: title, exact: true });
    await card.getByText("Falta a API Key").waitFor();
    await card.getByText(keyMissing).waitFor();
    await page.getByLabel("Receber por PIX com a PushinPay").uncheck();
    await card.getByLabel(toggle).check();
    for (const [label, value] of Object.entries(typed)) await card.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await card.getByText("Recebendo pagamentos").waitFor();
    for (const value of Object.values(typed)) expect(await page.content()).not.toContain(value);
    await card.getByRole("button", { name: "Testar Webhook" }).click();
    const message = page.getByText(accepted);
    await message.waitFor();
    // Nothing that stays in sight covers it.
    const isUncovered = await message.evaluate((text) => {
      const { left, top, width, height } = text.getBoundingClientRect();
      return text.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isUncovered).toBe(true);
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `gateways-${name}-${width}`);
    // The seller copies the address into the provider's panel.
    const webhookUrl = await card.getByText(new RegExp(`/api/webhooks/${name}/`)).textContent();
    await enterAddress(webhookUrl!, Object.values(typed));
    await page.goto(paths.integrations());
    await page.getByText(title).first().waitFor();

    const buyer = await openPage({ url: app.url, width, javaScript });
    const email = `bia-${crypto.randomUUID()}@gmail.com`;
    await buyer.goto(`/checkout/${product.id}`);
    await fillCheckout(buyer, { email });
    await buyer.getByRole("button", { name: "Comprar Agora" }).click();
    await buyer.getByText("Pague com PIX").waitFor();
    const [made] = await sql`select c.* from charges c inner join sales s on s.id = c.sale_id
      where s.customer_email = ${email}`;
    const { id: chargeId, sale_id: saleId, provider_id: providerId } = made!;
    expect(made).toMatchObject({ provider: name, status: "open" });
    await app.sandbox.pay(providerId, { wait: true });
    await until(async () => {
      const [sale] = await sql`select status from sales where id = ${saleId}`;
      return sale!.status === "completed";
    });
    if (!javaScript) await buyer.reload();
    await buyer.getByRole("heading", { name: "Obrigado pela sua compra!" }).waitFor();

    await page.goto(`/reports/sales/${saleId}`);
    await page.getByRole("button", { name: "Reembolsar uma parte" }).click();
    const dialog = page.getByRole("dialog", { name: "Reembolsar uma parte?" });
    await dialog.getByLabel("Valor a devolver").fill("19,90");
    await dialog.getByRole("button", { name: "Reembolsar esta parte" }).click();
    await page.getByText("Reembolso aceito", { exact: true }).waitFor();
    await until(async () => (await app.sandbox.transaction(providerId)).refunds[0]?.status === "confirmed");
    await checkNow(chargeId);
    await until(async () => {
      const [sale] = await sql`select refunded_cents from sales where id = ${saleId}`;
      return sale!.refunded_cents === 1990;
    });
    await page.goto(`/reports/sales/${saleId}`);
    await page.getByText("Reembolsado em parte").waitFor();
    await expectNoSidewaysScroll(page);
    const { refunds } = await app.sandbox.transaction(providerId);
    expect(refunds).toMatchObject([{ cents: 1990, status: "confirmed" }]);
  },
);

test.each(oneWay(true).map((way) => ({ ...way, dark: !way.javaScript })))(
  "a seller with two providers chooses the one that is tried first, at $width px, script $javaScript",
  async ({ width, javaScript, dark }) => {
    const seller = await makeSeller({ name: "Vera Vendedora" });
    await makeGateway(seller);
    await makeGateway(seller, { provider: "woovi", apiKey: "sandbox-vera" });
    const { Cookie: cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie, width, javaScript, dark });
    await page.goto("/settings?tab=gateways");
    const status = (title: string, text: string) =>
      page.getByRole("region", { name: title, exact: true }).getByText(text, { exact: true }).waitFor();
    await status("Woovi", "Reserva");
    await page.getByLabel("Gerar o PIX primeiro por").selectOption("Woovi");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await status("Woovi", "Recebendo pagamentos");
    await status("PushInPay", "Reserva");
    expect(await page.getByLabel("Gerar o PIX primeiro por").inputValue()).toBe("woovi");
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `gateways-first-${width}`);
  },
);
