import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { readMailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import * as api from "#app/routes/api/payments/pushinpay.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { TYPED } from "#tests/integration/payments/buyer-at.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailRow, renderMails } from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });
let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});

const email = () => `bia-${randomUUID()}@exemplo.com.br`;

async function bought() {
  const customerEmail = email();
  const sale = await makeSale(shop.product, {
    status: "completed",
    customerEmail,
    customerName: TYPED.customer_name,
  });
  return { customerEmail, saleId: sale.id };
}

/** An order with this address; `placed` is a sale in the browser's cookie. */
async function order(address: string, way: "page" | "api", placed?: string, fields = {}) {
  const cookie = placed && (await rememberSale(new Request("http://localhost"), placed))[0]!.split(";")[0]!;
  const headers = { "X-Forwarded-For": newAddress(), ...(cookie ? { Cookie: cookie } : {}) };
  const typed = { ...TYPED, customer_email: address, ...fields };
  const id = String(shop.product.id);
  const { result, statements } = await countStatements(() =>
    way === "page"
      ? call(checkout, `/checkout/${id}`, {
          method: "POST",
          params: { productId: id },
          headers,
          body: new URLSearchParams(typed),
        })
      : call(api, "/api/payments/pushinpay", { method: "POST", headers, body: { ...typed, product_id: id } }),
  );
  return { answer: result, text: await result.text(), statements };
}

/** An answer without what differs in every order. */
function shape({ answer, text }: { answer: Response; text: string }) {
  const headers = [...answer.headers]
    .filter(([name]) => !/etag|date/.test(name))
    .map(([name, value]) => [
      name,
      value.replace(/[0-9a-f-]{36}/, "<id>").replace(/(-[0-9a-f]{8})?=[^;]+;/, "=…;"),
    ]);
  const fields = text.startsWith("{") ? Object.keys(JSON.parse(text)) : text;
  return { status: answer.status, headers, fields };
}

test.each(["page", "api"] as const)(
  "by the %s a stranger cannot find out whether an address bought the product",
  async (way) => {
    const { customerEmail } = await bought();
    // Both forms have been sent once, so that neither fills a cache.
    await order(email(), way);
    const [buyers, nobodys] = [await order(customerEmail, way), await order(email(), way)];
    expect(buyers.answer.status).toBe(way === "page" ? 303 : 200);
    expect(shape(buyers)).toEqual(shape(nobodys));
    expect(buyers.statements).toEqual(nobodys.statements);
  },
);

test("only the browser that bought it is informed, and may continue", async () => {
  const { customerEmail, saleId } = await bought();
  const answered = await order(customerEmail, "page", saleId);
  expect(answered.answer.status).toBe(409);
  expect(answered.text).toContain("Você já comprou este produto.");
  const another = await bought();
  expect((await order(customerEmail, "page", another.saleId)).answer.status).toBe(303);
  expect((await order(email(), "page", saleId)).answer.status).toBe(303);
});

test("who wants it again is not asked a second time because of a mistake or a coupon", async () => {
  const { customerEmail, saleId } = await bought();
  const AGAIN = '<input type="hidden" name="again" value="1"/>';
  for (const fields of [{ customer_phone: "1" }, { intent: "coupon", coupon: "NENHUM" }]) {
    const send = (again: object) => order(customerEmail, "page", saleId, { ...fields, ...again });
    expect((await send({ again: "1" })).text).toContain(AGAIN);
    expect((await send({})).text).not.toContain(AGAIN);
  }
});

const newestOrder = async (address: string) =>
  (await sql`select id from sales where customer_email = ${address} order by created_at desc limit 1`)[0]!;

/** The mail about the newest order of an address, as the job writes it. */
async function pixMailTo(address: string) {
  const sale = await newestOrder(address);
  const [mail] = await sql`select id from mails where sale_id = ${sale.id} and kind = 'pix'`;
  await renderMails();
  return mailRow(mail!.id);
}

test("the owner of the address learns it from the mail, with the link to the purchase", async () => {
  const { customerEmail, saleId } = await bought();
  await order(customerEmail, "page");
  const { payload } = await pixMailTo(customerEmail);
  expect(payload.text).toContain("Você já tem este produto");
  expect(payload.html).toContain(`/thank-you/${saleId}`);
  const other = email();
  await order(other, "page");
  expect((await pixMailTo(other)).payload.text).not.toContain("Você já tem este produto");
});

test("a product that was refunded, is disputed without access, bought by another, or is another one does not count as owned", async () => {
  const customerEmail = email();
  await makeSale(shop.product, { status: "refunded", customerEmail });
  const accessSuspendedAt = new Date();
  const disputed = await makeSale(shop.product, { status: "disputed", customerEmail, accessSuspendedAt });
  await makeSale(await makeProduct(shop.seller), { status: "completed", customerEmail });
  await order(customerEmail, "page");
  expect((await pixMailTo(customerEmail)).payload.text).not.toContain("Você já tem este produto");
  // Its seller keeps the access during a dispute.
  await sql`update sales set access_suspended_at = null where id = ${disputed.id}`;
  const kept = await readMailedSale((await newestOrder(customerEmail)).id, customerEmail);
  expect(kept!.owned).toMatchObject({ saleId: disputed.id });
});
