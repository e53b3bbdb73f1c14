import { expect, test } from "vitest";
import { DAY } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { resendIntent } from "#app/ui/seller/sale/resend-button.tsx";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";

const app = await startApp({ worker: 0 });

async function soldSale() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: "bia@exemplo.com.br" });
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const post = (query: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    return app.fetch(paths.sale(sale.id, query), { method: "POST", redirect: "manual", headers, body });
  };
  return { product, sale, headers, post };
}

const CORRECTION = { customer_name: "Bia", customer_email: "bia.certa@exemplo.com.br" };

test("the sale's screen leads to what its buyer receives, also once the product was deleted", async () => {
  const { product, sale, headers } = await soldSale();
  await sql`update products set archived_at = now() where id = ${product.id}`;
  const html = await (await app.fetch(paths.sale(sale.id), { headers })).text();
  const [, path] = html.match(/href="([^"]*)"[^>]*>O que recebe quem compra</)!;
  const content = await app.fetch(path!, { headers });
  expect([content.status, await content.text()]).toEqual([
    200,
    expect.stringContaining("Este produto foi apagado"),
  ]);
});

test("the sale's screen says when lines of its history are left out, and then shows the newest", async () => {
  const { sale, headers } = await soldSale();
  const shown = async () => (await app.fetch(paths.sale(sale.id), { headers })).text();
  expect(await shown()).not.toContain("registros mais recentes");
  await sql`insert into sale_events (sale_id, seller_id, kind, data, cause, at)
    select ${sale.id}, ${sale.sellerId}, 'viewed', '{}', 'buyer', now() + n * interval '1 second' from generate_series(1, 501) n`;
  expect((await shown()).replaceAll("<!-- -->", "")).toContain(
    "Mostramos só os 500 registros mais recentes;",
  );
});

test("sending the access again leaves the open form of the buyer open, saving it closes it", async () => {
  const { sale, headers, post } = await soldSale();
  const resent = await post("edit=customer&range=30d", { intent: resendIntent(sale.id) });
  expect(resent.headers.get("location")).toBe(paths.sale(sale.id, "edit=customer&range=30d"));
  const page = await (await app.fetch(resent.headers.get("location")!, { headers })).text();
  const version = /name="version" value="([^"]+)"/.exec(page)![1]!;
  const saved = await post("edit=customer&range=30d", { ...CORRECTION, version });
  expect(saved.headers.get("location")).toBe(paths.sale(sale.id, "range=30d"));
});

test("a purchase without an e-mail can be given one without a script", async () => {
  const { sale, headers, post } = await soldSale();
  await sql`update sales set customer_email = null where id = ${sale.id}`;
  const page = await (await app.fetch(paths.sale(sale.id, "edit=customer"), { headers })).text();
  expect(page).toContain('name="customer_email"');
  expect(page).not.toContain("<fieldset disabled");
  const version = /name="version" value="([^"]+)"/.exec(page)![1]!;
  expect((await post("edit=customer", { ...CORRECTION, version })).status).toBe(302);
  expect(await sql`select customer_email from sales where id = ${sale.id}`).toEqual([
    { customer_email: CORRECTION.customer_email },
  ]);
});

test("a correction that is refused since the buyer was erased meanwhile says so", async () => {
  const { sale, post } = await soldSale();
  await sql`update sales set anonymized_at = now(), anonymized_as = 'alguem', customer_name = null,
    customer_email = null, customer_phone = null where id = ${sale.id}`;
  const refused = await post("edit=customer", CORRECTION);
  expect(refused.status).toBe(409);
  const html = await refused.text();
  expect(html).not.toContain('name="customer_email"');
  expect(html).toContain("Nada foi salvo: os dados do comprador foram apagados");
});

test("the sale's screen asks its seller what became of a card that nobody decided, until they say so", async () => {
  const seller = await makeSeller();
  const createdAt = new Date(Date.now() - 40 * DAY);
  const sale = await makeSale(await makeProduct(seller), { createdAt });
  const card = await makeCharge(sale, { method: "card", instalments: 1, status: "in_review", createdAt });
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const page = async () => (await app.fetch(paths.sale(sale.id), { headers })).text();
  const before = await page();
  expect(before).toContain("Cartão sem resposta");
  expect(before).toContain("Confira no painel do provedor.");
  const said = await app.fetch(paths.refund(sale.id), {
    ...{ method: "POST", redirect: "manual", headers },
    body: new URLSearchParams({ intent: "not-charged", charge_id: card.id }),
  });
  expect(said.headers.get("location")).toBe(paths.sale(sale.id));
  const after = await page();
  expect(after).not.toContain("Cartão sem resposta");
  expect(after).toContain("Você marcou: não foi cobrado");
});

/** The access button of a sale on each of the seller's screens with one: whether there is one, or the text in its place. */
async function accessOffers(fields: Parameters<typeof makeSale>[1]) {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), fields);
  await writeMail({ ...sale, customerEmail: "antigo@exemplo.com.br" }, { status: "failed" });
  const headers = await signedIn(seller);
  const pages = ["/reports", "/reports?tab=emails", paths.sale(sale.id)];
  return Promise.all(
    pages.map(async (path) => {
      const html = await (await app.fetch(path, { headers })).text();
      const [, afterIntent] = html.split(`value="${resendIntent(sale.id)}"`);
      return afterIntent?.split("</form>")[0] ?? (html.includes("sem e-mail") ? "sem e-mail" : null);
    }),
  );
}

test("a sale without access, and one without an address, offer no resending anywhere, as the API refuses it", async () => {
  expect(await accessOffers({ status: "refunded" })).toEqual([null, null, null]);
  expect(await accessOffers({ status: "disputed", accessSuspendedAt: new Date() })).toEqual([
    null,
    null,
    null,
  ]);
  const texts = Array(3).fill("sem e-mail");
  expect(await accessOffers({ status: "completed", customerEmail: null })).toEqual(texts);
});

test.each(["completed", "disputed"] as const)(
  "a %s sale with access offers to send it to the buyer's present address",
  async (status) => {
    const offers = await accessOffers({ status, customerEmail: "novo@exemplo.com.br" });
    for (const offer of offers) {
      expect(offer).toContain("novo@exemplo.com.br");
      expect(offer).not.toContain("antigo@exemplo.com.br");
    }
  },
);
