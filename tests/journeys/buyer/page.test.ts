import { gzipSync } from "node:zlib";
import type { Route } from "playwright";
import { beforeEach, expect, test } from "vitest";
import { watchShifts } from "#tests/journeys/buyer/layout-shifts.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import { openPage } from "#tests/support/clients/browser.ts";
import { makeBump, makeCoupon, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { EVERYTHING_ON, makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let seller: { id: string };
let productId: number;
const PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='4' height='1'/%3E";

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, {
    checkoutSlug: `tudo-${shop}`,
    originalPriceCents: 19700,
    promotionText: "Só esta semana",
    urgencyText: "Últimas vagas",
    imageUrl: PICTURE,
    bannerImageUrl: PICTURE,
    description: "Quarenta aulas em vídeo, no seu ritmo. ".repeat(6),
  });
  productId = product.id;
  for (const name of ["Apostila", "Bases", "Caderno"]) {
    await makeBump(product, {
      name,
      originalPriceCents: 3990,
      description: "Para tocar junto.",
      imageUrl: PICTURE,
    });
  }
  for (const kind of ["meta", "ga4", "tiktok", "kwai"] as const) await makePixel(seller, kind);
  await makeCoupon(seller);
  await makeCheckoutSettings(seller, { ...EVERYTHING_ON, brand_logo_url: "" });
  app = await sharedApp({ web: 2 });
});

test("with everything switched on the document is at most 14,000 bytes and the script 6,000, both gzipped", async () => {
  const html = await (await app.fetch(`/checkout/s/tudo-${shop}`)).text();
  expect(gzipSync(html).length).toBeLessThanOrEqual(14_000);
  const script = /<script type="module" src="([^"]+)"/.exec(html)![1]!;
  expect(html.match(/<script/g)).toHaveLength(1);
  const code = await app.fetch(script);
  expect(code.headers.get("cache-control")).toContain("immutable");
  expect(gzipSync(await code.text()).length).toBeLessThanOrEqual(6_000);
});

test("the page calls no other site, and nothing on it shifts", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const foreign: string[] = [];
  page.on(
    "request",
    (r) => !r.url().startsWith(app.url) && !r.url().startsWith("data:") && foreign.push(r.url()),
  );
  const shifts = await watchShifts(page);
  // On a slow network the page is painted before its script arrives.
  const script: Route[] = [];
  await page.route("**/*.js", (route) => void script.push(route), { times: 1 });
  await page.goto(`/checkout/s/tudo-${shop}`, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  await until(() => script.length === 1);
  await script[0]!.continue();
  await page.waitForLoadState("networkidle");
  await page.mouse.wheel(0, 3000);
  await page.waitForFunction(() => scrollY > 0 && [...document.images].every((image) => image.complete));
  // What moved was reported by the time the browser is idle.
  await page.evaluate(
    () =>
      new Promise((idle) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(idle))),
      ),
  );
  expect(await shifts()).toEqual([]);
  expect(foreign).toEqual([]);
});

test("a browser that has the page gets 304, until it changes", async () => {
  const first = await app.fetch(`/checkout/s/tudo-${shop}`);
  const etag = first.headers.get("etag")!;
  expect(first.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
  const again = () =>
    app.fetch(`/checkout/s/tudo-${shop}?utm_source=x`, { headers: { "If-None-Match": etag } });
  expect((await again()).status).toBe(304);
  await makeCheckoutSettings(seller, {
    ...EVERYTHING_ON,
    brand_logo_url: "",
    button_text: "Garantir a vaga",
  });
  const fresh = await again();
  expect(fresh.status).toBe(200);
  expect(await fresh.text()).toContain("Garantir a vaga");
});

test("each change shows on the next request, in every process, for slug and number alike", async () => {
  for (let i = 0; i < (EVERY_WAY ? 30 : 10); i++) {
    await makeCheckoutSettings(seller, { button_text: `Comprar ${i}.` });
    const addresses = app.web.flatMap(({ url }) => [
      `${url}/checkout/s/tudo-${shop}`,
      `${url}/checkout/${productId}`,
    ]);
    const pages = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    for (const html of pages) expect(html).toContain(`Comprar ${i}.`);
  }
});

test("the policy allows our script and the inlined styles alone", async () => {
  const policy = (await app.fetch(`/checkout/s/tudo-${shop}`)).headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'sha256-");
  expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'; object-src 'none'");
  expect(policy).not.toContain("unsafe");
});
