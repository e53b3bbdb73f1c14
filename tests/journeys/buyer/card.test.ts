import { beforeEach, describe, expect, test } from "vitest";
import { orderCard } from "#tests/integration/cards/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
  typeCard,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { longTest, testInTurn } from "#tests/support/run/ways.ts";

let app: App;
let productId: number;

beforeEach(async () => {
  app = await sharedApp();
  const seller = await makeSeller({ name: "Cordas & Cia" });
  await makeGateway(seller);
  await makeCardGateway(seller);
  productId = (await makeProduct(seller)).id;
});

type Page = Awaited<ReturnType<typeof openPage>>;

/** An order that is to be paid with a card, at its page. */
async function orderByCard(page: Page): Promise<string> {
  await page.goto(`/checkout/${productId}`);
  await fillCheckout(page, { email: `${crypto.randomUUID()}@gmail.com` });
  await page.getByRole("radio", { name: /Cartão de crédito/ }).check();
  await expectNoSidewaysScroll(page);
  await savePicture(page, `card-checkout-${page.viewportSize()!.width}`);
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/cartao/**");
  return new URL(page.url()).pathname.split("/").at(-1)!;
}

/** Whether the chosen text of a list is wider than its field. */
function isCut(select: HTMLElement | SVGElement): boolean {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = font;
  const { width } = context.measureText((select as HTMLSelectElement).selectedOptions[0]!.text);
  return width > select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

describe.each([360, 1280])("with JavaScript, %i px wide", (width) => {
  const it = testInTurn(width === 360 ? 0 : 1);
  it("a declined card says what to do and keeps what was typed, and the next one pays", async () => {
    const page = await openPage({ javaScript: true, width, url: app.url });
    const saleId = await orderByCard(page);
    await page.locator("form[data-card][data-ready]").waitFor();
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `card-${width}`);
    await typeCard(page, "FUND");
    await expect.poll(() => page.locator("select option").count()).toBe(12);
    await page.getByLabel("Parcelas").selectOption("12");
    expect(await page.getByLabel("Parcelas").evaluate(isCut), "the total with interest is in sight").toBe(
      false,
    );
    await page.getByLabel("Parcelas").selectOption("3");
    allowTroubles(/402/);
    await page.getByRole("button", { name: "Pagar com cartão" }).click();
    await page.getByText("O limite do cartão não é suficiente.").waitFor();
    await savePicture(page, `card-declined-${width}`);
    expect(await page.frameLocator("#numero-cartao iframe").locator("input").inputValue()).toContain("4235");
    expect(await page.getByLabel("Parcelas").inputValue()).toBe("3");
    await page.getByLabel("Nome impresso no cartão").fill("APRO");
    await page.getByRole("button", { name: "Pagar com cartão" }).click();
    await page.waitForURL("**/thank-you/**");
    const charges =
      await sql`select status, instalments from charges where sale_id = ${saleId} order by created_at`;
    expect(charges.map((charge) => ({ ...charge }))).toEqual([
      { status: "declined", instalments: 3 },
      { status: "paid", instalments: 3 },
    ]);
  });

  it("a payment in review is explained, and the page follows its end", async () => {
    const page = await openPage({ javaScript: true, width, url: app.url });
    const saleId = await orderCard(productId);
    await page.goto(`/checkout/cartao/${saleId}`);
    await page.locator("form[data-card][data-ready]").waitFor();
    await typeCard(page, "CONT");
    await page.getByRole("button", { name: "Pagar com cartão" }).click();
    await page.getByRole("heading", { name: "O seu pagamento está em análise" }).waitFor();
    await expectNoSeriousAxe(page);
    await savePicture(page, `card-review-${width}`);
    const [charge] = await sql`select provider_id, next_check_at from charges where sale_id = ${saleId}`;
    await app.sandbox.decideCard(charge!.provider_id, "approve");
    await sql`update charges set next_check_at = now() where sale_id = ${saleId}`;
    await page.waitForURL("**/thank-you/**");
  });
});

longTest("a reload of the checkout keeps the chosen card beside what was typed", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  await page.goto(`/checkout/${productId}`);
  await page.getByLabel("Nome completo").fill("Ana Lima");
  await page.getByRole("radio", { name: /Cartão de crédito/ }).check();
  await page.reload();
  await expect.poll(() => page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
  expect(await page.getByRole("radio", { name: /Cartão de crédito/ }).isChecked()).toBe(true);
});

test("a mistake in the holder's fields is named beside its field before the card is sent", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  const saleId = await orderCard(productId);
  await page.goto(`/checkout/cartao/${saleId}`);
  await page.locator("form[data-card][data-ready]").waitFor();
  await typeCard(page, "AB");
  await page.getByLabel("CPF do titular").fill("123.456.789-00");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
  const name = page.getByLabel("Nome impresso no cartão");
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByText("Escreva o nome como está no cartão").waitFor();
  await page.getByText("CPF/CNPJ inválido").waitFor();
  expect(await page.getByLabel("CPF do titular").getAttribute("aria-describedby")).toBe(
    "holder_document-erro",
  );
  await typeCard(page, "APRO");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
  await page.waitForURL("**/thank-you/**");
  expect(await sql`select status from charges where sale_id = ${saleId}`).toEqual([{ status: "paid" }]);
});

test("a card whose connection is cut off says whether it was sent, and keeps what was typed where it was not", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  const saleId = await orderCard(productId);
  await page.goto(`/checkout/cartao/${saleId}`);
  await page.locator("form[data-card][data-ready]").waitFor();
  await typeCard(page, "APRO");
  const press = () => page.getByRole("button", { name: "Pagar com cartão" }).click();
  const cutOff = async (arrives: boolean) => {
    await page.route("**/checkout/cartao/*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      if (arrives) await route.fetch({ maxRedirects: 0 });
      await route.abort("internetdisconnected");
    });
    await press();
  };
  allowTroubles(/ERR_INTERNET_DISCONNECTED/);
  await cutOff(false);
  await page.getByText("o cartão não chegou ao banco: nada foi cobrado até agora").waitFor();
  expect(await page.frameLocator("#numero-cartao iframe").locator("input").inputValue()).toContain("4235");
  expect(await sql`select from charges where sale_id = ${saleId}`).toHaveLength(0);
  await page.unrouteAll();
  await cutOff(true);
  await page.waitForURL("**/thank-you/**");
  expect(await sql`select status from charges where sale_id = ${saleId}`).toEqual([{ status: "paid" }]);
});

longTest("a brand that could not be looked up is looked up again when the card is sent", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  const saleId = await orderByCard(page);
  await page.locator("form[data-card][data-ready]").waitFor();
  await page.route("**/parcelas*", (route) => route.abort(), { times: 1 });
  allowTroubles(/net::ERR_FAILED/);
  await typeCard(page, "APRO");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
  await page.waitForURL("**/thank-you/**");
  const [charge] = await sql`select status from charges where sale_id = ${saleId}`;
  expect(charge!.status).toBe("paid");
});

test("a card with other instalments than its buyer chose is not charged before they are seen", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  const saleId = await orderCard(productId);
  const list = page.getByLabel("Parcelas");
  const press = () => page.getByRole("button", { name: "Pagar com cartão" }).click();
  const chargesOf = () => sql`select status, instalments from charges where sale_id = ${saleId}`;
  const once = { count: 1, text: "1x de R$ 97,00" };
  /** Chooses 12x and presses the button, while the card's own list is looked up for the second time. */
  const pressWith = async (instalments: { count: number; text: string }[]) => {
    // What the provider did not answer lists one payment, of no brand.
    let json = { brand: "", instalments: [once] };
    await page.unrouteAll();
    await page.route("**/parcelas*", (route) => route.fulfill({ json }));
    await page.goto(`/checkout/cartao/${saleId}`);
    await page.locator("form[data-card][data-ready]").waitFor();
    await list.selectOption("12");
    const answered = page.waitForResponse("**/parcelas*");
    await typeCard(page, "APRO");
    await answered;
    json = { brand: "visa", instalments };
    await press();
    await page.getByText("As parcelas deste cartão são outras. Nada foi cobrado").waitFor();
    expect(await chargesOf()).toHaveLength(0);
  };
  await pressWith([once, { count: 2, text: "2x de R$ 50,33 (R$ 100,66)" }]);
  await page.getByText("Este cartão não parcela em 12x. Escolha de novo.").waitFor();
  expect(await list.inputValue()).toBe("1");
  await expectNoSeriousAxe(page);
  await pressWith([once, { count: 12, text: "12x de R$ 9,99 (R$ 119,88)" }]);
  expect(await list.inputValue()).toBe("12");
  await press();
  await page.waitForURL("**/thank-you/**");
  expect([...(await chargesOf())]).toEqual([{ status: "paid", instalments: 12 }]);
});

longTest("where the provider's script is blocked the page says so and offers PIX", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  await page.route("**/sdk/js/v2", (route) => route.abort());
  allowTroubles(/net::ERR_FAILED/);
  await orderByCard(page);
  await page.getByText("Não foi possível carregar os campos do cartão").waitFor();
  await savePicture(page, "card-blocked-360");
  await page.getByRole("button", { name: "Pagar com PIX" }).click();
  await page.waitForURL("**/checkout/pix/**");
  await page.getByText("Copiar código").waitFor();
});

test("where no PIX can be made either, the page that says so is the PIX's own, and its button makes one", async () => {
  const page = await openPage({ javaScript: true, width: 360, url: app.url });
  const saleId = await orderByCard(page);
  const card = page.url();
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "http-500", times: 10 });
  allowTroubles(/status of 503/);
  await page.getByRole("button", { name: "Pagar com PIX" }).click();
  await page.getByRole("heading", { name: "Não foi possível gerar o PIX" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/checkout/pix/${saleId}`);
  await page.goBack();
  await page.locator("form[data-card][data-ready]").waitFor();
  expect(page.url()).toBe(card);
  await page.getByRole("button", { name: "Pagar com PIX" }).click();
  await page.getByRole("heading", { name: "Não foi possível gerar o PIX" }).waitFor();
  await app.sandbox.endFaults("pushinpay");
  await page.getByRole("button", { name: "Gerar novo PIX" }).click();
  await page.getByRole("button", { name: "Copiar código" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/checkout/pix/${saleId}`);
});

test("without JavaScript the page explains it, and a PIX pays the same order", async () => {
  const page = await openPage({ javaScript: false, width: 360, url: app.url });
  const saleId = await orderByCard(page);
  expect(await page.locator("noscript p").textContent()).toContain("o navegador precisa de JavaScript");
  expect(await page.getByLabel("Parcelas").isVisible()).toBe(false);
  await expectNoSeriousAxe(page);
  await expectNoSidewaysScroll(page);
  await savePicture(page, "card-plain-360");
  await page.getByRole("button", { name: "Pagar com PIX" }).click();
  await page.waitForURL(`**/checkout/pix/${saleId}`);
  expect(await page.getByLabel("Código PIX copia e cola").inputValue()).toMatch(/^000201/);
});
