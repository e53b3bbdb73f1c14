import type { Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";

let app: App;

const PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='4' height='1'/%3E";

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: `curso-${shop}`, imageUrl: PICTURE });
  await makeBump(product);
  await makeCheckoutSettings(seller, { require_email_confirmation: true });
  const quiet = await makeSeller();
  await makeGateway(quiet);
  await makeProduct(quiet, {
    checkoutSlug: `nada-pedido-${shop}`,
    priceCents: 1_000_000_00,
    originalPriceCents: 1_000_000_90,
  });
  await makeProduct(quiet, {
    checkoutSlug: `quase-de-graca-${shop}`,
    priceCents: 90,
    originalPriceCents: 19700,
  });
  const nothing = {
    require_name: false,
    require_email: false,
    require_phone: false,
    require_document: false,
  };
  await makeCheckoutSettings(quiet, { ...nothing, trust_badges_enabled: true });
  app = await sharedApp();
});

async function open(options: { javaScript?: boolean; width?: number } = {}): Promise<Page> {
  const page = await openPage({ url: app.url, width: 360, ...options });
  await page.goto(`/checkout/s/curso-${shop}`);
  return page;
}

const buy = (page: Page) => page.getByRole("button", { name: "Comprar Agora" }).click();
const onPix = (page: Page) => page.waitForURL("**/checkout/pix/**");

test("on a phone the first screen shows the product and its price, and the button comes after the bumps", async () => {
  const page = await open();
  const inSight = async (part: ReturnType<Page["getByText"]>) => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 740;
  };
  const name = page.getByText("Curso de Violão").filter({ visible: true }).first();
  expect(await inSight(name)).toBe(true);
  expect(await inSight(page.locator(".bought").getByText("R$ 97,00"))).toBe(true);
  // As the eye meets them; the heading of the bumps is the seller's.
  const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
  expect(headings.toSpliced(3, 1)).toEqual([
    "Seus dados",
    "Pagamento por PIX",
    "Resumo do pedido",
    "Total a pagar",
  ]);
  const tops = await page
    .locator("h2, .buy")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  await savePicture(page, "checkout-first-360");
});

test("on a phone the total is always in sight, follows the bumps and covers nothing that has the focus", async () => {
  const page = await open();
  const total = page.locator(".total-bar [data-total]");
  await page.getByRole("checkbox").check();
  await expect.poll(() => total.textContent()).toBe("R$ 116,90");
  const fields = page.locator("main input:visible, main button:visible, main a:visible");
  const count = await fields.count();
  const bar = page.locator(".total-bar");
  for (let at = 0; at < count; at++) {
    const field = fields.nth(at);
    await field.evaluate((each) => (each as HTMLElement).focus());
    const [box, under] = [(await field.boundingBox())!, (await bar.boundingBox())!];
    expect(under.y + under.height).toBeLessThanOrEqual(741);
    const isInBar = await field.evaluate((each) => each.closest(".total-bar") !== null);
    expect(isInBar || box.y + box.height <= under.y + 1, await field.innerText()).toBe(true);
  }
  await page.getByRole("link", { name: "Ver pedido" }).click();
  await expect
    .poll(async () => (await page.getByRole("heading", { name: "Resumo do pedido" }).boundingBox())!.y)
    .toBeLessThan(370);
});

test("every mistake is shown at once beside its field, with the focus on the first, and disappears once fixed", async () => {
  const page = await open();
  await page.getByLabel("CPF").fill("529.982.247-26");
  await page.getByLabel("WhatsApp").fill("(11) 8765-4321");
  await buy(page);
  const messageOf = (label: string) =>
    page.getByLabel(label).evaluate((input) => {
      const by = input.getAttribute("aria-describedby");
      return [input.getAttribute("aria-invalid"), by && document.getElementById(by)?.textContent];
    });
  expect(await messageOf("Nome completo")).toEqual(["true", "Nome é obrigatório"]);
  expect(await messageOf("Seu melhor e-mail")).toEqual(["true", "E-mail é obrigatório"]);
  expect(await messageOf("CPF")).toEqual(["true", "CPF/CNPJ inválido"]);
  expect(await messageOf("WhatsApp")).toEqual([
    "true",
    "Celulares têm 9 dígitos depois do DDD: (11) 98765-4321",
  ]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("customer_name");
  await expectNoSeriousAxe(page);
  await savePicture(page, "checkout-errors-360");
  await page.keyboard.type("Ana");
  expect(await messageOf("Nome completo")).toEqual(["false", ""]);
  await page.getByLabel("Seu melhor e-mail").fill("ana@");
  expect(await messageOf("Seu melhor e-mail")).toEqual(["true", "E-mail inválido"]);
  await page.getByLabel("Seu melhor e-mail").fill("ana@gmail.com");
  await page.getByLabel("Confirme seu e-mail").fill("ana@gmail.co");
  expect(await messageOf("Confirme seu e-mail")).toEqual(["true", "⚠️ Os e-mails não coincidem"]);
  await page.getByLabel("Confirme seu e-mail").fill("ana@gmail.com");
  expect(await messageOf("Confirme seu e-mail")).toEqual(["false", "✅ E-mails coincidem"]);
  await page.getByLabel("CPF").fill("CPF: 52998224725");
  await expect.poll(() => page.getByLabel("CPF").inputValue()).toBe("529.982.247-25");
  await page.getByLabel("WhatsApp").fill("tel: 11 98765-4321");
  await buy(page);
  await onPix(page);
});

test("errors that only the server finds are shown on the same page, with the fields unchanged", async () => {
  const page = await open();
  await fillCheckout(page, { email: "falha@gmail.com" });
  await page.getByLabel("Confirme seu e-mail").fill("falha@gmail.com");
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500", times: 1 });
  await buy(page);
  const alert = page.getByRole("alert");
  expect(await alert.textContent()).toContain("Nada foi cobrado");
  expect(await alert.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await page.getByLabel("CPF").inputValue()).toBe("529.982.247-25");
  await page.getByLabel("CPF").fill("1");
  await buy(page);
  await page.getByText("CPF/CNPJ inválido").waitFor();
  await page.getByLabel("CPF").fill("52998224725");
  await buy(page);
  await onPix(page);
  allowTroubles(/status of 503/);
});

describe("an address that looks mistyped is confirmed before paying", () => {
  const mailOf = async (page: Page) => {
    await onPix(page);
    const saleId = new URL(page.url()).pathname.split("/").at(-1)!;
    const [sale] = await sql<
      { email: string }[]
    >`select customer_email as email from sales where id = ${saleId}`;
    return sale!.email;
  };
  const fill = async (page: Page, email: string) => {
    await fillCheckout(page, { email });
    await page.getByLabel("Confirme seu e-mail").fill(email);
  };

  test("with script: one click selects the suggestion, in both fields", async () => {
    const page = await open();
    await fill(page, "bia@gmial.com");
    await buy(page);
    await page.getByText("Você quis dizer bia@gmail.com?").waitFor();
    const yes = page.getByRole("button", { name: "Sim, usar bia@gmail.com" });
    // A second Enter must not choose an address that the buyer has not read.
    const question = page.locator(".ask");
    expect(await question.evaluate((each) => each === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    expect(page.url()).toContain("/checkout/");
    await yes.waitFor();
    await expectNoSeriousAxe(page);
    await savePicture(page, "checkout-mail-360");
    await yes.click();
    expect(await mailOf(page)).toBe("bia@gmail.com");
  });

  longTest("with script: a second submit is an answer, and so is the other choice", async () => {
    const page = await open();
    await fill(page, "caio@gmial.com");
    await buy(page);
    await page.getByRole("button", { name: "Não, caio@gmial.com está certo" }).waitFor();
    await buy(page);
    expect(await mailOf(page)).toBe("caio@gmial.com");
    const other = await open();
    await fill(other, "davi@gmial.com");
    await buy(other);
    await other.getByRole("button", { name: "Não, davi@gmial.com está certo" }).click();
    expect(await mailOf(other)).toBe("davi@gmial.com");
  });

  longTest(
    "where the server asked, since the script came late, the script's question is focused, too",
    async () => {
      const page = await open();
      await fill(page, "hugo@gmial.com");
      await page
        .locator("form", { has: page.getByLabel("CPF") })
        .evaluate((form: HTMLFormElement) => form.submit());
      await page.getByRole("group", { name: "Você quis dizer hugo@gmail.com?" }).waitFor();
      await fill(page, "ivo@gmial.com");
      await buy(page);
      await page.getByText("Você quis dizer ivo@gmail.com?").waitFor();
      expect(await page.locator(".ask").evaluate((each) => each === document.activeElement)).toBe(true);
      allowTroubles(/status of 400/);
    },
  );

  test.each(
    everyNth(2, [
      ["Sim, usar eva@gmail.com", "eva@gmail.com"],
      ["Não, eva@gmial.com está certo", "eva@gmial.com"],
    ] as const),
  )("without script: the server asks once, and '%s' sends to %s", async (choice, sentTo) => {
    const page = await open({ javaScript: false });
    await fill(page, "eva@gmial.com");
    await page.getByRole("checkbox").check();
    await buy(page);
    await page.getByRole("group", { name: "Você quis dizer eva@gmail.com?" }).waitFor();
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
    await expectNoSeriousAxe(page);
    await savePicture(page, "checkout-mail-plain-360");
    await page.getByRole("radio", { name: choice }).check();
    await buy(page);
    expect(await mailOf(page)).toBe(sentTo);
    allowTroubles(/status of 400/);
  });

  longTest(
    "without script: other errors are shown with the question, and a second submit keeps the address",
    async () => {
      allowTroubles(/status of 400/);
      const page = await open({ javaScript: false });
      await fill(page, "gil@gmial.com");
      await page.getByLabel("CPF").fill("111.111.111-11");
      await buy(page);
      await page.getByRole("group", { name: "Você quis dizer gil@gmail.com?" }).waitFor();
      await page.getByRole("link", { name: "CPF/CNPJ inválido" }).waitFor();
      expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
      await page.getByLabel("CPF").fill("529.982.247-25");
      await buy(page);
      expect(await mailOf(page)).toBe("gil@gmial.com");
    },
  );
});

test("without any field there is no empty card and no mention of mails, and a price of a million stays in one line", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/s/nada-pedido-${shop}`);
  expect(await page.getByRole("heading", { name: "Seus dados" }).count()).toBe(0);
  expect(await page.getByText("Acesso por e-mail").count()).toBe(0);
  for (const price of await page
    .getByText(/^R\$ 1\.000\.000,[09]0$/)
    .filter({ visible: true })
    .all()) {
    const { lines, fits } = await price.evaluate((each) => ({
      lines: each.getClientRects().length,
      fits: each.getBoundingClientRect().right <= innerWidth,
    }));
    expect([lines, fits]).toEqual([1, true]);
  }
  await savePicture(page, "checkout-million-360");
});

test("what still costs something is never 100% off", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/s/quase-de-graca-${shop}`);
  await page.getByText("99% OFF").first().waitFor();
  expect(await page.getByText("100% OFF").count()).toBe(0);
});
