import { beforeAll, expect, test } from "vitest";
import { expectOneGrid } from "#tests/journeys/buyer/grid.ts";
import { openStill } from "#tests/journeys/buyer/still.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  enlargeText,
  expectNoAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  sticksOut,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { holdLock, sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  signedIn,
} from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { EVERY_WAY, everyNth, longTest } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

/**
 * The dashboard's screens by their routes, each with the addresses that are tested. `$PRODUCT` and the like are the
 * seller's own.
 */
const SCREENS: Record<string, string[]> = {
  "/dashboard": ["/dashboard"],
  "/products": ["/products", "/products?search=nada"],
  "/products/create": ["/products/create"],
  "/products/:productId/edit": ["/products/$PRODUCT/edit"],
  "/products/:productId/links": ["/products/$PRODUCT/links"],
  "/products/:productId/offers": ["/products/$PRODUCT/offers"],
  "/products/:productId/offers/create": ["/products/$PRODUCT/offers/create"],
  "/products/:productId/offers/:offerId/edit": ["/products/$PRODUCT/offers/$OFFER/edit"],
  "/coupons": ["/coupons"],
  "/coupons/create": ["/coupons/create"],
  "/coupons/:couponId/edit": ["/coupons/$COUPON/edit"],
  "/reports": ["/reports", "/reports?tab=emails", "/reports?tab=refunds", "/reports?search=ninguem"],
  "/reports/import": ["/reports/import"],
  "/reports/conciliacao": ["/reports/conciliacao", "/reports/conciliacao?month=2024-02"],
  "/reports/sales/:saleId": ["/reports/sales/$SALE", "/reports/sales/$SALE?edit=customer"],
  "/checkout-customization": ["/checkout-customization"],
  "/thank-you-customization": ["/thank-you-customization"],
  "/settings": [
    "/settings",
    "/settings?tab=gateways",
    "/settings?tab=notificacoes",
    "/settings?tab=seguranca",
  ],
  "/settings/gateways/:provider/webhook": ["/settings/gateways/mercadopago/webhook"],
  "/settings/store": ["/settings/store"],
  "/settings/integrations": ["/settings/integrations"],
  "/settings/access": ["/settings/access"],
  "/settings/close": ["/settings/close"],
  "/settings/email": ["/settings/email", "/settings/email?tab=domain", "/settings/email?tab=anti-spam"],
  "/settings/utmfy": ["/settings/utmfy"],
  "/settings/utmfy/debug": ["/settings/utmfy/debug"],
  "/settings/webhooks": ["/settings/webhooks"],
  "/settings/webhooks/new": ["/settings/webhooks/new"],
  "/settings/webhooks/:webhookId": [
    "/settings/webhooks/$WEBHOOK",
    "/settings/webhooks/$WEBHOOK?tab=configuracao",
  ],
  "/settings/pixels": ["/settings/pixels"],
  "/settings/pixels/new": ["/settings/pixels/new", "/settings/pixels/new?kind=meta"],
  "/settings/pixels/:pixelId": ["/settings/pixels/$PIXEL", "/settings/pixels/$PIXEL?tab=configuracao"],
  "/settings/member-areas": ["/settings/member-areas"],
  "/settings/member-areas/new": [
    "/settings/member-areas/new",
    "/settings/member-areas/new?kind=cademi",
    "/settings/member-areas/new?kind=memberkit",
  ],
  "/settings/member-areas/:areaId": [
    "/settings/member-areas/$AREA",
    "/settings/member-areas/$AREA?tab=configuracao",
    "/settings/member-areas/$AREA?tab=produtos",
  ],
  "/products/:productId/content": ["/products/$PRODUCT/content"],
};

/** Answers that are no screen: a file, a preview's frame, or where a form is sent. */
const NO_SCREEN = /\/(export|dados\.json|comprovantes\.pdf|preview|qrcode|refund|downloads|logout|theme)$/;

// The screens of every tenth route, and of each the first: all of them in `npm run test:long`.
test("every screen of the dashboard is listed here", async () => {
  const seller = (await routeTable()).filter(({ file }) => file.startsWith("routes/seller/"));
  const screens = seller.map(({ address }) => address).filter((address) => !NO_SCREEN.test(address));
  expect(Object.keys(SCREENS).sort()).toEqual([...new Set(screens)].sort());
});

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const LOOKS = [
  { width: 360, dark: false, shop: "long words" },
  // With all variants, as `npm run test:long` does.
  ...(EVERY_WAY ? [{ width: 1280, dark: true, shop: "nothing" }] : []),
];

for (const { shop, ...scheme } of LOOKS)
  test.each(everyNth(10, Object.entries(SCREENS)))(
    `%s does not shift while its script loads, is in the one grid of the dashboard, and has no finding of axe at ${scheme.width} ${scheme.dark ? "dark" : "light"} with ${shop} in it`,
    async (_, addresses) => {
      const seller = await makeSeller(shop === "nothing" ? {} : { name: LONG, company: LONG });
      const isFull = shop === "long words";
      if (isFull) await makeGateway(seller);
      const product = await makeProduct(seller, isFull ? { name: LONG, description: LONG } : {});
      const sale = await makeSale(product, {
        status: "completed",
        ...(isFull ? { customerName: LONG } : {}),
      });
      if (isFull) await makeCharge(sale, { status: "paid" });
      const webhook = await makeWebhook(seller, { name: isFull ? LONG.slice(0, 60) : "CRM" });
      const coupon = await makeCoupon(seller, {
        ...(isFull
          ? { code: LONG.slice(0, 32).toUpperCase(), maxUses: 50, startsAt: new Date("2099-12-31T23:59:00Z") }
          : {}),
      });
      const offer = await makeOffer(product, isFull ? { name: LONG, maxUnits: 50, maxQuantity: 5 } : {});
      const pixel = await makePixel(seller, "meta", { name: isFull ? LONG.slice(0, 60) : "Conta" });
      const area = await makeMemberArea(seller, "cademi", { name: isFull ? LONG.slice(0, 60) : "Escola" });
      const things: Record<string, string> = {
        $PRODUCT: String(product.id),
        $SALE: sale.id,
        $WEBHOOK: webhook,
        $COUPON: coupon.id,
        $OFFER: offer.id,
        $PIXEL: pixel,
        $AREA: area,
      };
      const bare = await makeSeller();
      for (const address of addresses.slice(0, EVERY_WAY ? undefined : 1)) {
        const owner = isFull || address.includes("$") ? seller : bare;
        const page = await openPage({ ...scheme, url: app.url, cookie: (await signedIn(owner)).Cookie });
        await openStill(
          page,
          address.replace(/\$[A-Z]+/g, (thing) => things[thing]!),
        );
        const name = address.replace(/\W+/g, "-").slice(1);
        await savePicture(page, `desk-${name}-${scheme.width}-${isFull ? "full" : "empty"}`);
        await expectNoSidewaysScroll(page);
        await expectNoAxe(page);
        await expectOneGrid(page);
        await enlargeText(page);
        expect.soft(await sticksOut(page), `${address} with text twice as large`).toEqual([]);
        await page.close();
      }
    },
  );

test("a missing page of the dashboard has no finding of axe", async () => {
  allowTroubles(/404/);
  const page = await openPage({
    url: app.url,
    width: 360,
    cookie: (await signedIn(await makeSeller())).Cookie,
  });
  for (const address of everyNth(10, ["/products/999999/edit", `/reports/sales/${crypto.randomUUID()}`])) {
    await page.goto(address);
    await waitForHydration(page);
    await expectNoAxe(page);
  }
});

for (const { shop, ...scheme } of LOOKS) {
  const shot = (name: string) => `desk-${name}-${scheme.width}`;

  longTest(
    `the messages about a stale save and about too many attempts have no finding of axe at ${scheme.width}, with ${shop}`,
    async () => {
      allowTroubles(/409|429|Failed to load/);
      const seller = await makeSeller({ name: "Vera Vendedora" });
      const { Cookie } = await signedIn(seller);
      const page = await openPage({ ...scheme, url: app.url, cookie: Cookie });
      await page.goto("/settings");
      await waitForHydration(page);
      await page.getByLabel("Nome", { exact: true }).fill("Vera Lúcia");
      await sql`update sellers set company = ${LONG} where id = ${seller.id}`;
      await page.getByRole("button", { name: "Salvar perfil" }).click();
      await page.getByRole("alert").filter({ hasText: "Isto foi salvo em outra aba" }).waitFor();
      await savePicture(page, shot("409"));
      await expectNoSidewaysScroll(page);
      await expectNoAxe(page);

      const body = JSON.stringify({ test_email: "estranha@exemplo.com.br" });
      const headers = { Cookie, "Content-Type": "application/json" };
      for (let at = 0; at < 6; at++) await app.fetch("/api/test/email", { method: "POST", headers, body });
      const mail = await openPage({ ...scheme, url: app.url, cookie: Cookie });
      await mail.goto("/settings/email");
      await waitForHydration(mail);
      await mail.getByLabel("E-mail para teste").fill("estranha@exemplo.com.br");
      await mail.getByRole("button", { name: "Enviar teste" }).click();
      await mail
        .getByRole("alert")
        .filter({ hasText: /Muitas tentativas/ })
        .waitFor();
      await savePicture(mail, shot("429"));
      await expectNoSidewaysScroll(mail);
      await mail.evaluate(() => document.querySelector("iframe")?.remove());
      await expectNoAxe(mail);
    },
  );

  longTest(
    `the message while the database is too slow has no finding of axe at ${scheme.width}, with ${shop}`,
    async () => {
      allowTroubles(/503|Failed to load/);
      const seller = await makeSeller({ name: "Vera Vendedora" });
      const page = await openPage({ ...scheme, url: app.url, cookie: (await signedIn(seller)).Cookie });
      const lock = await holdLock((tx) => tx`lock table products in access exclusive mode`);
      try {
        const answer = await page.goto("/products");
        expect(answer!.status()).toBe(503);
        await savePicture(page, shot("503"));
        await expectNoSidewaysScroll(page);
        await expectNoAxe(page);
      } finally {
        await lock.release();
      }
    },
  );
}
