import { beforeAll, expect, test } from "vitest";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { order } from "#tests/integration/payments/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeProduct,
  makeSeller,
  markPaid,
  signedIn,
} from "#tests/support/make.ts";
import { longTest, WIDTHS } from "#tests/support/run/ways.ts";

let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

/** Three orders: with a coupon and paid, with it and unpaid, without it and paid. */
async function makeShop() {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const bump = await makeBump(product);
  await makeCoupon(seller, { code: "VOLTA20", percent: 20, includesBumps: true });
  const [coupon] = await findCoupons(seller.id, ["VOLTA20"]);
  const place = (name: string, withCoupon: boolean) => {
    const customer = { ...order(product.id).customer, name, email: `${name.toLowerCase()}@exemplo.com.br` };
    return placeSale(
      order(product.id, { customer, bumpIds: [bump.id], coupon: withCoupon ? coupon! : null }),
    );
  };
  const [ana, bia, caio] = [await place("Ana", true), await place("Bia", true), await place("Caio", false)];
  await markPaid(ana.saleId);
  await markPaid(caio.saleId);
  return { seller, ana, bia };
}

longTest.each(WIDTHS)("at %i px a coupon's sales are listed, summed up and named in each", async (width) => {
  const { seller, ana } = await makeShop();
  const page = await openPage({ url: app.url, width, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/reports?range=7d");
  const row = page.getByRole("row", { name: /^VOLTA20/ });
  const text = (await row.innerText()).replace(/\s+/g, " ");
  // 20 % off R$ 97,00 and R$ 19,90: R$ 77,60 and R$ 15,92.
  expect(text).toContain("R$ 93,52");
  expect(text).toMatch(/\b1\b.*\b2\b.*R\$ 23,38/);
  await page.getByLabel("Cupom").selectOption({ label: "VOLTA20" });
  const list = page.getByRole("table", { name: "Vendas recentes" });
  await list.getByRole("link", { name: "Detalhes da venda de Caio" }).waitFor({ state: "detached" });
  expect(await list.getByRole("link", { name: /^Detalhes da venda de (Ana|Bia)/ }).count()).toBe(2);
  expect(await page.getByRole("link", { name: /CSV|Exportar/ }).getAttribute("href")).toContain("coupon=");
  await expectNoSeriousAxe(page);
  await expectNoSidewaysScroll(page);
  await savePicture(page, `coupon-report-${width}`);
  await page.goto(`/reports/sales/${ana.saleId}`);
  await page.getByText("Cupom VOLTA20").first().waitFor();
  await expectNoSidewaysScroll(page);
  await savePicture(page, `coupon-sale-${width}`);
});

test.each(WIDTHS)("at %i px the buyer's pages name it, and none scrolls sideways", async (width) => {
  const { ana, bia } = await makeShop();
  const page = await openPage({
    url: app.url,
    width,
    cookie: (await inPortal("ana@exemplo.com.br")).Cookie!,
  });
  for (const [name, path] of Object.entries({
    receipt: `/minhas-compras/${ana.saleId}`,
    portal: "/minhas-compras",
    thanks: `/thank-you/${ana.saleId}`,
    pix: `/checkout/pix/${bia.saleId}`,
  })) {
    await page.goto(path);
    await page.getByText("VOLTA20").first().waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, `coupon-${name}-${width}`);
  }
});
