import { beforeEach, describe, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
  waitForThanks,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { EVERY_WAY, oneScript, WAYS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller({ name: "Cordas & Cia" });
  await makeGateway(seller);
  const product = await makeProduct(seller, {
    checkoutSlug: `violao-${shop}`,
    originalPriceCents: 19700,
    promotionText: "Acesso vitalício",
  });
  await makeBump(product, { originalPriceCents: 3990 });
  app = await sharedApp();
});

describe.each(WAYS)("with JavaScript $javaScript, $width px wide", ({ javaScript, width }) => {
  const name = `${width}-${javaScript ? "js" : "plain"}`;

  test("a buyer chooses a bump, pays the PIX and gets the product", async () => {
    const page = await openPage({ javaScript, width, url: app.url });
    await page.goto(`/checkout/s/violao-${shop}?utm_source=instagram&sck=abc`);
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `checkout-${name}`);

    await fillCheckout(page, { email: `ana-${name}@gmail.com` });
    await page.getByRole("checkbox", { name: /Apostila de cifras/ }).check();
    if (javaScript) {
      await expect.poll(() => page.locator(".sum[data-total]").textContent()).toBe("R$ 116,90");
      expect(await page.getByText("Economia de R$ 120,00").isVisible()).toBe(true);
    }
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL("**/checkout/pix/**");

    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Pagamento Iniciado");
    expect(await page.getByText("R$ 116,90").count()).toBeGreaterThan(0);
    expect(await page.getByText("A PUSHIN PAY atua exclusivamente").isVisible()).toBe(true);
    const code = await page.getByLabel("Código PIX copia e cola").inputValue();
    expect(code).toMatch(/^000201.*6304[0-9A-F]{4}$/);
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `pix-${name}`);

    const saleId = new URL(page.url()).pathname.split("/").at(-1)!;
    const [transaction] = (await app.sandbox.transactions()).filter((t) => t.qr_code === code);
    await app.sandbox.pay(transaction!.id);
    // By itself: by the server's event, or by the page's own refresh, which is awaited with all variants.
    if (!javaScript)
      expect(await page.locator("noscript meta[http-equiv=refresh]").getAttribute("content")).toBe("15");
    if (EVERY_WAY) await page.waitForURL("**/thank-you/**");
    else await waitForThanks(page);

    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Obrigado pela sua compra!");
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `thank-you-${name}`);
    const href = await page.getByRole("link", { name: "Baixar Produto" }).getAttribute("href");
    expect(href).toMatch(new RegExp(`^/download/${saleId}/`));
    const file = await app.fetch(href!);
    expect(file.status).toBe(302);
    expect(file.headers.get("location")).toBe("https://arquivos.exemplo.com.br/curso.pdf");

    const [sale] =
      await sql`select status, amount_cents, utm_source, campaign from sales where id = ${saleId}`;
    expect(sale).toMatchObject({
      status: "completed",
      amount_cents: 11690,
      utm_source: "instagram",
      campaign: { sck: "abc" },
    });
    await until(async () => (await app.sandbox.emails()).some((m) => JSON.stringify(m).includes(saleId)), {
      what: "the purchase mail",
    });
  });
});

test("every mistake is shown at once, with the fields kept and the focus on the summary", async () => {
  const page = await openPage({ width: 360, url: app.url });
  await page.goto(`/checkout/s/violao-${shop}?utm_source=x`);
  await page.getByLabel("Nome completo").fill("Ana Lima");
  await page.locator("form.checkout").evaluate((form: HTMLFormElement) => form.submit());
  await page.waitForLoadState();
  const summary = page.getByRole("alert");
  expect(await summary.innerText()).toContain("E-mail é obrigatório");
  expect(await summary.innerText()).toContain("CPF/CNPJ é obrigatório");
  expect(await summary.innerText()).toContain("Telefone é obrigatório");
  expect(await summary.evaluate((el) => el === document.activeElement)).toBe(true);
  expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
  expect(page.url()).toContain("utm_source=x");
  await expectNoSeriousAxe(page);
  allowTroubles(/status of 400/);
});

test("where the provider gives no PIX the form comes back filled, with a message and nothing to pay", async () => {
  const page = await openPage({ javaScript: false, width: 360, url: app.url });
  await page.goto(`/checkout/s/violao-${shop}`);
  await fillCheckout(page, { email: "falha@gmail.com" });
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500", times: 1 });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  expect(await page.getByRole("alert").innerText()).toContain("Nada foi cobrado");
  expect(await page.getByLabel("Seu melhor e-mail").inputValue()).toBe("falha@gmail.com");
  expect(await page.getByText("copia e cola").count()).toBe(0);
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/pix/**");
  allowTroubles(/status of 503/);
});

test("'Já paguei' before the payment states that it is still pending", async () => {
  for (const javaScript of oneScript(true)) {
    const page = await openPage({ javaScript, width: 360, url: app.url });
    await page.goto(`/checkout/s/violao-${shop}`);
    await fillCheckout(page, { email: `pendente-${javaScript}@gmail.com` });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL("**/checkout/pix/**");
    await page.getByRole("button", { name: "Já paguei - Verificar status" }).click();
    await page
      .getByText("Pagamento ainda está pendente. Aguarde ou tente novamente em alguns instantes.")
      .waitFor();
  }
});

test("a product that does not exist is the not-found screen", async () => {
  const answer = await app.fetch("/checkout/s/nada");
  expect(answer.status).toBe(404);
  const html = await answer.text();
  expect(html).toContain("Produto não encontrado");
  expect(html).toContain("O produto que você está procurando não existe ou não está mais disponível.");
});
