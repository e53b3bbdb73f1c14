import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;

/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller();
  await makeGateway(seller);
  product = await makeProduct(seller, { checkoutSlug: `meu-${shop}` });
  await makeBump(product);
  await makeUpsell(product, { fileUrl: "https://arquivos.exemplo.com.br/oferta.pdf" });
  app = await sharedApp();
});

async function paid(status: "completed" | "refunded" | "pending" = "completed") {
  const sale = await makeSale(product, { status });
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${sale.id}`;
  return { sale, lineId: line!.id };
}

const status = async (path: string, init?: RequestInit) => (await app.fetch(path, init)).status;

test("guessed ids are not found, whatever their format", async () => {
  for (const id of [randomUUID(), "1", "0", "x", "%00", "'", "9".repeat(40), randomUUID().toUpperCase()]) {
    for (const path of [
      `/checkout/pix/${id}`,
      `/checkout/pix/${id}/events`,
      `/thank-you/${id}`,
      `/api/sales/${id}`,
    ]) {
      expect(await status(path), path).toBe(404);
    }
    expect(await status(`/download/${id}/${id}?ate=9999999999&assinatura=x`), id).toBe(404);
    expect(
      await status(`/checkout/pix/${id}`, { method: "POST", body: new URLSearchParams({ intent: "again" }) }),
    ).toBe(404);
  }
});

test("a download opens only with its own link, until it expires or is refunded", async () => {
  const mine = await paid();
  const other = await paid();
  expect(await status(downloadUrl(mine.sale.id, mine.lineId))).toBe(302);
  const signature = new URL(downloadUrl(mine.sale.id, mine.lineId), app.url).search;
  expect(await status(`/download/${other.sale.id}/${other.lineId}${signature}`)).toBe(404);
  expect(await status(`/download/${mine.sale.id}/${other.lineId}${signature}`)).toBe(404);
  // The address without a signature is permanent: it redirects whoever has the sale's address to a signed one.
  const lasting = await app.fetch(`/download/${mine.sale.id}/${mine.lineId}`);
  expect(lasting.headers.get("location")).toContain(`/download/${mine.sale.id}/${mine.lineId}?ate=`);
  expect(await status(`/download/${mine.sale.id}/${other.lineId}`)).toBe(404);
  expect(await status(`/download/${mine.sale.id}/${mine.lineId}${signature.replace("ate=1", "ate=2")}`)).toBe(
    404,
  );
  expect(await status(downloadUrl(mine.sale.id, mine.lineId, Date.now() - DAY))).toBe(403);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${mine.sale.id}`;
  expect(await status(downloadUrl(mine.sale.id, mine.lineId))).toBe(403);
  expect(await status(`/download/${mine.sale.id}/${mine.lineId}`)).toBe(403);
  const unpaid = await paid("pending");
  expect(await status(downloadUrl(unpaid.sale.id, unpaid.lineId))).toBe(403);
});

test("no public answer holds a file's address or the buyer's data", async () => {
  const { sale } = await paid();
  await sql`update upsell_showings set answer = 'declined' where sale_id = ${sale.id}`;
  const paths = [
    `/checkout/s/meu-${shop}`,
    `/checkout/${product.id}`,
    `/api/checkout/products/${product.id}`,
    `/api/checkout/products/s/meu-${shop}`,
    `/api/checkout/customization/${product.id}`,
    `/api/thank-you/customization/${product.id}`,
    `/api/products/${product.id}/upsells`,
    `/api/sales/${sale.id}`,
    `/thank-you/${sale.id}`,
    `/upsell/${product.id}?sale=${sale.id}`,
  ];
  for (const path of paths) {
    const answer = await app.fetch(path);
    expect(answer.status, path).toBe(200);
    const body = await answer.text();
    for (const secret of ["arquivos.exemplo", "file_url", sale.customerEmail, sale.customerName]) {
      expect(body, path).not.toContain(secret);
    }
  }
});

test("upsells are for paid buyers: not for an unpaid sale, another product's buyer, or a stranger", async () => {
  const unpaid = await paid("pending");
  const other = await makeSeller();
  await makeGateway(other);
  const elsewhere = await makeSale(await makeProduct(other), { status: "completed" });
  const [upsell] = await sql<{ id: number }[]>`select id::int from upsells where product_id = ${product.id}`;
  const accept = {
    method: "POST",
    body: new URLSearchParams({ intent: "accept", offer: String(upsell!.id) }),
  };
  for (const saleId of [unpaid.sale.id, elsewhere.id, randomUUID()]) {
    const page = await (await app.fetch(`/upsell/${product.id}?sale=${saleId}`)).text();
    expect(page).toContain("Nenhuma compra encontrada");
    expect(await status(`/upsell/${product.id}?sale=${saleId}`, accept)).toBe(404);
    expect(await status(`/thank-you/${saleId}`, accept)).toBe(404);
  }
  expect(await sql`select 1 from sales where parent_sale_id is not null`).toHaveLength(0);
});

test("a product that is inactive, or archived, is not found, and its price cannot be chosen from outside", async () => {
  const gone = await makeProduct(await makeSeller(), { checkoutSlug: "foi", deactivatedAt: new Date() });
  expect(await status("/checkout/s/foi")).toBe(404);
  expect(await status(`/checkout/${gone.id}`)).toBe(404);
  expect(await status("/checkout/s/foi", { method: "POST", body: new URLSearchParams() })).toBe(404);
  const body = new URLSearchParams({
    customer_name: "Ana",
    customer_email: "ana@gmail.com",
    customer_document: "52998224725",
    customer_phone: "11987654321",
    price: "1",
    amount: "1",
    order_bumps: "999999",
  });
  expect(await status(`/checkout/s/meu-${shop}`, { method: "POST", body })).toBe(409);
  body.delete("order_bumps");
  const answer = await app.fetch(`/checkout/s/meu-${shop}`, { method: "POST", body });
  expect(answer.status).toBe(303);
  const saleId = answer.headers.get("location")!.split("/").at(-1)!;
  expect(await sql`select amount_cents from sales where id = ${saleId}`).toEqual([{ amount_cents: 9700 }]);
});

test("a method a page does not have is refused", async () => {
  const answer = await app.fetch(`/checkout/s/meu-${shop}`, { method: "PUT" });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, POST");
});
