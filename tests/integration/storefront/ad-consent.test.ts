import { expect, test } from "vitest";
import { deleteDestination, pauseDestination } from "#app/domain/delivery/change-destination.server.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct } from "#tests/support/make.ts";
import { createPixel, pixelForm } from "#tests/support/rows/destinations.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";

const app = await startApp({ worker: 0 });

const COOKIES =
  "_fbp=fb.1.1767225600000.1073741823; _ga=GA1.1.12.34; _ga_AB12=GS2.1.s1767225600$o1; _ttp=2abc; cliques=1767225600000.gclid=G-antes";

async function order(productId: number, fields: Record<string, string>, query = "") {
  const answer = await app.fetch(`/checkout/${productId}${query}`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: app.url, Cookie: COOKIES, "User-Agent": "Celular/1", "X-Forwarded-For": newAddress() },
    body: new URLSearchParams({
      customer_name: "Ana Lima",
      customer_email: `ana-${productId}@exemplo.com.br`,
      customer_email_confirmation: `ana-${productId}@exemplo.com.br`,
      customer_phone: "11987654321",
      customer_document: "52998224725",
      ...fields,
    }),
  });
  expect(answer.status).toBe(303);
  const [sale] = await sql`select campaign, ad_consent, ad_ids from sales where product_id = ${productId}`;
  return sale!;
}

const page = async (productId: number) => (await app.fetch(`/checkout/${productId}`)).text();

test("a buyer is asked for consent only if somebody would be notified, and the cached page follows at once", async () => {
  const { seller, product } = await openShop();
  const other = await makeProduct(seller);
  expect(await page(product.id)).not.toContain("ad_consent");
  const fields = {
    kind: "meta",
    name: "Conta",
    pixel_id: "1234567890",
    token: "sandbox-1",
    events: ["sale.paid"],
  };
  const some = { ...fields, scope: "some", products: [String(product.id)] };
  const id = await createPixel(seller.id, pixelForm.parse(some), undefined);
  const ga4 = await makePixel(seller, "ga4", { productIds: [product.id] });
  await pauseDestination("pixel", seller.id, ga4);
  expect(await page(product.id)).toMatch(/enviados à Meta para medir/);
  expect(await page(other.id)).not.toContain("ad_consent");
  await deleteDestination("pixel", seller.id, id);
  expect(await page(product.id)).not.toContain("ad_consent");
});

test("the publicly cached page sets no cookie, also with an ad's click", async () => {
  const { seller, product } = await openShop();
  await makePixel(seller, "meta");
  const answer = await app.fetch(`/checkout/${product.id}?fbclid=IwAR0abc123`);
  expect(answer.headers.get("set-cookie")).toBe(null);
  expect(answer.headers.get("cache-control")).toContain("public");
});

test("for a buyer who consents the browser's ids are stored, the address before those of an earlier visit", async () => {
  const { seller, product } = await openShop();
  await makePixel(seller, "meta");
  expect(await order(product.id, { ad_consent: "1" }, "?fbclid=IwAR0abc123&utm_source=ig")).toMatchObject({
    campaign: { fbclid: "IwAR0abc123", gclid: "G-antes" },
    ad_consent: true,
    ad_ids: {
      agent: "Celular/1",
      fbp: "fb.1.1767225600000.1073741823",
      fbc: "fb.0.1767225600000.IwAR0abc123",
      ga: "GA1.1.12.34",
      gaSessions: { AB12: "GS2.1.s1767225600$o1" },
      ttp: "2abc",
      kinds: ["meta"],
    },
  });
});

/** The checkbox for consent as a page shows it. */
const checkbox = (html: string) => /<input[^>]*name="ad_consent"[^>]*>/.exec(html)![0];

test("a buyer consents to the services that the page named, and is asked anew where another one is connected since", async () => {
  const { seller, product } = await openShop();
  await makePixel(seller, "meta");
  const named = / value="([^"]*)"/.exec(checkbox(await page(product.id)))![1]!;
  await makePixel(seller, "tiktok");
  const refused = async (ad_consent: string) => {
    const answer = await app.fetch(`/checkout/${product.id}`, {
      method: "POST",
      headers: { Origin: app.url, "X-Forwarded-For": newAddress() },
      body: new URLSearchParams({ customer_email: "ana", ad_consent }),
    });
    return checkbox(await answer.text());
  };
  expect(await refused(named)).not.toContain("checked");
  expect(await refused(`${named},tiktok`)).toContain("checked");
  expect(await order(product.id, { ad_consent: named })).toMatchObject({
    ad_consent: true,
    ad_ids: { kinds: ["meta"] },
  });
});

test("for a buyer without consent, or without the question, nothing of the browser is stored", async () => {
  const { seller, product } = await openShop();
  await makePixel(seller, "meta");
  const silent = await order(product.id, {}, "?fbclid=IwAR0abc123");
  expect(silent).toEqual({ campaign: { fbclid: "IwAR0abc123" }, ad_consent: false, ad_ids: null });
  const plain = await openShop();
  const unasked = await order(plain.product.id, { ad_consent: "1" });
  expect(unasked).toEqual({ campaign: {}, ad_consent: null, ad_ids: null });
});
