import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { makeBump, makeCardGateway, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let productId: number;

beforeAll(async () => {
  app = await sharedApp();
  const seller = await makeSeller({ name: "Cordas & Cia" });
  await makeGateway(seller);
  await makeCardGateway(seller);
  await makeCheckoutSettings(seller, { pix_discount_percent: 10 });
  const product = await makeProduct(seller);
  productId = product.id;
  await makeBump(product, { priceCents: 1990 });
  // The provider is asked for the instalments when the page is first opened.
  await until(async () => (await (await app.fetch(`/checkout/${productId}`)).text()).includes("12x de"));
});

const LOOKS = [
  { width: 360, dark: false, javaScript: true },
  { width: 360, dark: true, javaScript: false },
  { width: 1280, dark: true, javaScript: true },
  { width: 1280, dark: false, javaScript: false },
];

// Light is for all variants.
test.each(LOOKS.filter(({ dark }) => EVERY_WAY || dark))(
  "both totals, as bumps are chosen, and the discount of a PIX: %o",
  async (look) => {
    const page = await openPage({ ...look, url: app.url });
    await page.goto(`/checkout/${productId}`);
    const totals = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("order-total [data-total], [data-card-total]")].map((at) =>
          at.textContent?.replace(/\s/g, " "),
        ),
      );
    const money = (...amounts: string[]) => amounts.map((amount) => `R$ ${amount}`);
    expect(await totals()).toEqual(money("87,30", "97,00"));
    expect(await page.locator("[data-instalments]").isVisible()).toBe(true);
    await page.locator(".total").scrollIntoViewIfNeeded();
    await savePicture(page, `pix-discount-${look.width}-${look.dark ? "dark" : "light"}`);
    await page
      .getByRole("checkbox", { name: /Apostila|bump|Order/i })
      .first()
      .check();
    if (look.javaScript) await expect.poll(totals).toEqual(money("105,21", "116,90"));
    // They are of another total.
    expect(await page.locator("[data-instalments]").isVisible()).toBe(false);
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await fillCheckout(page, { email: `${crypto.randomUUID()}@gmail.com` });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL("**/checkout/pix/**");
    const order = page.locator("section", { hasText: "Seu pedido" }).last();
    expect(await order.innerText()).toMatch(/Desconto no PIX\s+− R\$\s11,69\s+Total\s+R\$\s105,21/);
    await savePicture(page, `pix-discount-code-${look.width}-${look.dark ? "dark" : "light"}`);
    await page.getByRole("link", { name: /Pagar com cartão: R\$\s116,90/ }).click();
    await page.waitForURL("**/checkout/cartao/**");
    await page.getByRole("button", { name: /Pagar com PIX: R\$\s105,21/ }).waitFor();
    if (look.javaScript && look.dark) {
      await page.locator("form[data-card][data-ready]").waitFor();
      // A frame of another colour scheme is painted white, and what is typed into it is nearly white here.
      const { channels } = await sharp(await page.locator("#numero-cartao").screenshot()).stats();
      expect(Math.max(...channels.slice(0, 3).map(({ mean }) => mean))).toBeLessThan(64);
    }
    await savePicture(page, `pix-discount-card-${look.width}-${look.dark ? "dark" : "light"}`);
  },
);
