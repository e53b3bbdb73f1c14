import { beforeEach, describe, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  fillCheckout,
  openPage,
  savePicture,
  typeCard,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCardGateway,
  makeCoupon,
  makeGateway,
  makeProduct,
  makeSeller,
} from "#tests/support/make.ts";
import { longTest, testInTurn } from "#tests/support/run/ways.ts";

let app: App;
let seller: { id: string };
/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;
const path = () => `/checkout/s/cupons-${shop}`;

beforeEach(async () => {
  shop++;
  seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: `cupons-${shop}` });
  await makeBump(product);
  app = await sharedApp();
});

const amountOfSale = async () => {
  const [sale] = await sql<{ amount: number; code: string | null }[]>`
    select amount_cents as amount, coupon_code as code from sales where seller_id = ${seller.id}`;
  return sale;
};

describe.each([{ javaScript: true }, { javaScript: false }])("at 360 px, $javaScript", ({ javaScript }) => {
  const it = testInTurn(javaScript ? 0 : 1);

  it("a wrong code is named, a right one lowers the total, and nothing typed is lost", async () => {
    allowTroubles(/status of 409/);
    await makeCoupon(seller, { percent: 50, includesBumps: true });
    const page = await openPage({ url: app.url, width: 360, javaScript });
    await page.goto(path());
    expect(await page.getByLabel("Código do cupom").isVisible()).toBe(false);
    await fillCheckout(page, { email: "ana@gmail.com" });
    await page.getByLabel("Apostila de cifras").check();
    await page.getByText("Tem um cupom?").click();
    await page.getByLabel("Código do cupom").fill("menos20");
    await page.getByRole("button", { name: "Aplicar" }).click();
    await page.locator("#coupon-erro", { hasText: "O cupom MENOS20 não existe" }).waitFor();
    expect(await page.getByLabel("Código do cupom").inputValue()).toBe("menos20");
    await page.getByLabel("Código do cupom").fill("menos10");
    await page.getByRole("button", { name: "Aplicar" }).click();
    await page.getByText("Cupom MENOS10 aplicado: 50% de desconto em tudo").waitFor();
    expect(await page.locator(".total [data-total]").textContent()).toBe("R$ 58,45");
    expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
    expect(await page.getByLabel("Apostila de cifras").isChecked()).toBe(true);
    await expectNoSeriousAxe(page);
    await savePicture(page, `coupon-360-${javaScript ? "script" : "plain"}`);
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.getByLabel("Código PIX copia e cola").waitFor();
    expect(await amountOfSale()).toEqual({ amount: 5845, code: "MENOS10" });
  });

  it("a link brings its coupon; the last use is one of two buyers', and the other sees both totals", async () => {
    allowTroubles(/status of 409/);
    await makeCoupon(seller, { percent: 20, maxUses: 1 });
    const pages = await Promise.all([1, 2].map(() => openPage({ url: app.url, width: 360, javaScript })));
    for (const [at, page] of pages.entries()) {
      await page.goto(`${path()}?cupom=menos10`);
      await fillCheckout(page, { email: `buyer${at}@gmail.com` });
    }
    await Promise.all(pages.map((page) => page.getByRole("button", { name: "Comprar Agora" }).click()));
    const outcomes = await Promise.all(
      pages.map((page) =>
        page
          .locator("#coupon-erro")
          .or(page.getByLabel("Código PIX copia e cola"))
          .first()
          .waitFor()
          .then(() => page.locator("#coupon-erro").count()),
      ),
    );
    expect(outcomes.toSorted()).toEqual([0, 1]);
    const late = pages[outcomes.indexOf(1)]!;
    await late.getByText("O cupom MENOS10 esgotou.").first().waitFor();
    await late.getByText("agora o total é R$ 97,00 (antes, R$ 77,60)").waitFor();
    await late.getByLabel("Código do cupom").fill("");
    await late.getByRole("button", { name: "Comprar Agora" }).click();
    await late.getByLabel("Código PIX copia e cola").waitFor();
    const amounts = await sql`select amount_cents from sales where seller_id = ${seller.id} order by 1`;
    expect(amounts.map(({ amount_cents }) => amount_cents)).toEqual([7760, 9700]);
  });
});

test("a coupon that the buyer's other order holds leads to that order, from the form and from pages of payment", async () => {
  allowTroubles(/status of 409/);
  await makeCardGateway(seller);
  await makeCoupon(seller, { maxUses: 1 });
  const page = await openPage({ url: app.url, width: 360 });
  const order = async (email: string) => {
    await page.goto(`${path()}?cupom=menos10`);
    await fillCheckout(page, { email });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
  };
  const other = page.getByRole("link", { name: "Ir para o outro pedido" });
  const held = page.getByText("O cupom MENOS10 está no seu outro pedido");
  await order("ana@gmail.com");
  await page.waitForURL("**/checkout/pix/**");
  const first = new URL(page.url()).pathname;
  await order("ana.lima@gmail.com");
  await page.locator("#coupon-erro").filter({ has: other }).waitFor();

  // The first order's code is over, and the second has the coupon.
  await sql`update coupon_uses set released_at = now() where seller_id = ${seller.id}`;
  await sql`update coupons set uses = 0 where seller_id = ${seller.id}`;
  await sql`update charges set status = 'expired', expires_at = now() where seller_id = ${seller.id}`;
  await order("ana.lima@gmail.com");
  await page.waitForURL((url) => url.pathname !== first && url.pathname.startsWith("/checkout/pix/"));
  const second = new URL(page.url()).pathname;
  await page.goto(first);
  await page.getByRole("button", { name: "Gerar novo PIX" }).click();
  await held.waitFor();
  // It reads on after the sentence, in no narrow column.
  expect((await other.boundingBox())!.height).toBeLessThan(60);
  expect(await other.getAttribute("href")).toBe(second);

  await page.getByRole("link", { name: "Pagar com cartão" }).click();
  await page.locator("form[data-card][data-ready]").waitFor();
  await typeCard(page, "APRO");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
  await held.waitFor();
  await other.click();
  await page.waitForURL(`**${second}`);
});

test("while a coupon is applied nothing can be typed that its answer would overwrite, and afterwards it can", async () => {
  await makeCoupon(seller);
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(path());
  const name = page.getByLabel("Nome completo");
  await name.fill("Ana Lima");
  await page.getByText("Tem um cupom?").click();
  const code = page.getByLabel("Código do cupom");
  await code.fill("menos10");
  const widthOfCode = async () => (await code.boundingBox())!.width;
  const width = await widthOfCode();
  const isInert = () => page.locator("form.checkout").evaluate((form: HTMLFormElement) => form.inert);
  let release = (_isCut: boolean) => {};
  await page.route("**/checkout/**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const isCut = await new Promise<boolean>((resolve) => {
      release = resolve;
    });
    return isCut ? route.abort() : route.continue();
  });
  allowTroubles(/ERR_FAILED/);
  for (const isCut of [true, false]) {
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: "Aplicar" }).click();
    await sent;
    expect(await isInert()).toBe(true);
    await name.focus();
    await page.keyboard.type("!");
    expect(await name.inputValue()).toBe("Ana Lima");
    release(isCut);
    if (!isCut) continue;
    await page.getByText("Não conseguimos enviar").waitFor();
    expect(await widthOfCode(), "beside the message").toBe(width);
  }
  await page.getByText("Cupom MENOS10 aplicado").waitFor();
  expect(await isInert()).toBe(false);
  await name.fill("Ana Lima Souza");
});

longTest("Enter in a field of the buyer orders, and Enter in the coupon's applies it", async () => {
  await makeCoupon(seller);
  const page = await openPage({ url: app.url });
  await page.goto(path());
  await page.getByText("Tem um cupom?").click();
  await page.getByLabel("Código do cupom").fill("menos10");
  await page.getByLabel("Código do cupom").press("Enter");
  await page.getByText("Cupom MENOS10 aplicado: − R$ 9,70").waitFor();
  expect(await amountOfSale()).toBeUndefined();
  await fillCheckout(page, { email: "ana@gmail.com" });
  await page.getByLabel("Nome completo").press("Enter");
  await page.getByLabel("Código PIX copia e cola").waitFor();
  expect(await amountOfSale()).toEqual({ amount: 8730, code: "MENOS10" });
});
