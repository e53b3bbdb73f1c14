import { beforeEach, expect, test } from "vitest";
import { attackCheckout, inspectCheckout } from "#tests/journeys/buyer/attack-checkout.ts";
import { checkSheets, FULL_ZONE, rememberPlain } from "#tests/journeys/buyer/protected-parts.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import { allowTroubles, openPage } from "#tests/support/clients/browser.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { longTest, WIDTHS } from "#tests/support/run/ways.ts";
import { HOSTILE_SHAPES, randomSheet } from "./hostile-shapes.ts";
import { HOSTILE_CSS, HOSTILE_HTML } from "./hostile-snippets.ts";

let app: App;
let seller: { id: string };

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, {
    checkoutSlug: `alvo-${shop}`,
    originalPriceCents: 19700,
    description: "Quarenta aulas em vídeo, no seu ritmo.",
  });
  await makeBump(product);
  app = await sharedApp();
});

/** All hooks but the banner are on the page, and a zone above that cannot grow. */
const ALL_HOOKS = {
  custom_header: FULL_ZONE,
  custom_footer: '<p class="a">a</p>',
  urgency_timer_enabled: true,
  order_bump_subtitle: "Só nesta página",
  // Without one the product's name is alone below, on a phone.
  brand_name: "Aurora",
};

// Every one on a page of its own: tests/long/hostile.test.ts.
const PIECES = HOSTILE_HTML.filter((_, at) => at % 18 === 0);
const SHEETS = [...HOSTILE_CSS, ...HOSTILE_SHAPES].filter((_, at) => at % 60 === 0);

test("every eighteenth hostile piece of HTML and every sixtieth sheet run nothing, hide nothing and call no site", async () => {
  expect(HOSTILE_HTML.length).toBeGreaterThanOrEqual(150);
  const page = await openPage({ url: app.url });
  const failed = await attackCheckout(page, seller, `/checkout/s/alvo-${shop}`, [
    ...PIECES.map((html, i) => (i % 2 ? { custom_header: html } : { custom_footer: html })),
    ...SHEETS.map((css) => ({ custom_css: css, custom_header: '<p class="a">a</p>' })),
  ]);
  allowTroubles(/net::ERR_FAILED|status of 404/);
  expect(failed).toEqual([]);
});

longTest.each(WIDTHS)(
  "no sheet changes a box, a font, the order or a text of a protected element, at %i px",
  async (width) => {
    expect(new Set([...HOSTILE_CSS, ...HOSTILE_SHAPES]).size).toBeGreaterThanOrEqual(500);
    await makeCheckoutSettings(seller, ALL_HOOKS);
    const page = await openPage({ url: app.url, width });
    await page.goto(`/checkout/s/alvo-${shop}`);
    await rememberPlain(page);
    const random = Array.from({ length: 40 }, (_, seed) => randomSheet(seed));
    expect(await checkSheets(page, [...HOSTILE_CSS, ...HOSTILE_SHAPES, ...random])).toEqual({});
  },
);

longTest("the test above would see each of these, were they not sanitised", async () => {
  await makeCheckoutSettings(seller, ALL_HOOKS);
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/s/alvo-${shop}`);
  await rememberPlain(page);
  const sheets = [
    "body{font-family:Wingdings}",
    "main{line-height:1.51}",
    ".ck-brand{line-height:1000}",
    ".ck-product-name{padding:600px}",
    ".prices b{display:none}",
    ".total{order:9}",
    ".sum::after{content:'R$ 1,00'}",
    ".ck-product-description{margin-bottom:-60px;position:relative;background:red;padding-bottom:60px}",
    ".notice{opacity:.9}",
    ".buy{text-transform:uppercase}",
    "label{width:50%}",
    ".foot{color:#ddd}",
  ];
  expect(Object.keys(await checkSheets(page, sheets, (sheet) => sheet))).toEqual(sheets);
});

test("allowed styles do show, and a hidden button is detected", async () => {
  await makeCheckoutSettings(seller, {
    custom_header: '<p class="nota" style="text-align:center">Bem-vinda</p>',
    custom_css:
      "body{font-family:Georgia,serif;background:#fdf4ff} .nota{color:#ff0000} .ck-product-name{letter-spacing:2px;border-radius:999px} .buy{display:none}",
  });
  const page = await openPage({ url: app.url });
  await page.goto(`/checkout/s/alvo-${shop}`);
  const style = (selector: string, property: string) =>
    page.locator(selector).evaluate((el, name) => getComputedStyle(el).getPropertyValue(name), property);
  expect(await style(".zone p", "color")).toBe("rgb(255, 0, 0)");
  expect(await style(".zone p", "text-align")).toBe("center");
  expect(await style(".ck-product-name", "letter-spacing")).toBe("2px");
  expect(await style(".ck-product-name", "border-radius")).toBe("999px");
  expect(await style("body", "background-color")).toBe("rgb(253, 244, 255)");
  expect(await style(".ck-brand", "font-family")).toBe("Georgia, serif");
  expect(await style(".zone p", "font-family")).toBe("Georgia, serif");
  const before = await inspectCheckout(page);
  await page.locator(".buy").evaluate((el) => el.setAttribute("hidden", ""));
  expect((await inspectCheckout(page)).looks).not.toEqual(before.looks);
});
