import { expect, test } from "vitest";
import { addItem } from "#app/domain/content/save-item.server.ts";
import * as item from "#app/routes/api/content/item.ts";
import * as coupon from "#app/routes/api/coupons/one.ts";
import * as domain from "#app/routes/api/email/domain.ts";
import * as template from "#app/routes/api/email/template.ts";
import * as offer from "#app/routes/api/offers/one.ts";
import * as product from "#app/routes/api/products/one.ts";
import * as customer from "#app/routes/api/sales/customer.ts";
import * as details from "#app/routes/api/sales/details.ts";
import * as gateways from "#app/routes/api/settings/gateways.ts";
import * as store from "#app/routes/api/settings/store.ts";
import * as webhook from "#app/routes/api/settings/webhooks/one.ts";
import * as tracking from "#app/routes/api/utmfy/settings.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { type Call, call, type RouteModule, refused } from "#tests/support/routes/call.ts";
import { connectUtmify } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

type Row = {
  read: RouteModule;
  change?: RouteModule;
  takes: string;
  /** SQL with the seller as `$1` that simulates a concurrent save. */
  elsewhere: string;
  body?: Record<string, unknown>;
};

const rows: Record<string, Row> = {
  "a product": {
    read: product,
    takes: "PUT /api/products/:productId",
    elsewhere: "update products set description = 'Outra' where seller_id = $1",
  },
  "a coupon": {
    read: coupon,
    takes: "PUT /api/coupons/:couponId",
    elsewhere: "update coupons set max_uses = 7 where seller_id = $1",
  },
  "an offer": {
    read: offer,
    takes: "PUT /api/products/:productId/offers/:offerId",
    elsewhere: "update offers set max_units = 7 where seller_id = $1",
  },
  "a sale's customer": {
    read: details,
    change: customer,
    takes: "PUT /api/sales/:saleId/customer",
    elsewhere: "update sales set customer_name = 'Outra' where seller_id = $1",
  },
  "the gateways": {
    read: gateways,
    takes: "POST /api/settings/gateways",
    elsewhere: connectUtmify({ isEnabled: true }),
  },
  "UTMify's source among the gateways": {
    read: gateways,
    takes: "POST /api/settings/gateways",
    elsewhere: connectUtmify({ sourceId: "outra" }),
  },
  "the access while a payment is disputed": {
    read: gateways,
    takes: "POST /api/settings/gateways",
    elsewhere: "update sellers set suspends_disputed = not suspends_disputed where id = $1",
  },
  "the refunds of overpayments": {
    read: gateways,
    takes: "POST /api/settings/gateways",
    elsewhere: "update sellers set refunds_overpayments = not refunds_overpayments where id = $1",
  },
  "the store": {
    read: store,
    takes: "PUT /api/settings/store",
    elsewhere: `insert into store_details (seller_id, legal_name, tax_id, street, number, district, city, state, postal_code, email)
      values ($1, 'Outra', '52998224725', 'Rua B', '2', 'Centro', 'Campinas', 'SP', '13010000', 'outra@exemplo.com.br')`,
  },
  "the sending domain": {
    read: domain,
    takes: "POST /api/email/domain",
    elsewhere:
      "insert into email_domains (seller_id, domain_name, status) values ($1, 'outro.com.br', 'manual') on conflict (seller_id) do update set domain_name = 'outro.com.br'",
  },
  "the mail's template": {
    read: template,
    takes: "POST /api/email/template",
    body: { sender_email: "" },
    elsewhere:
      "insert into email_templates (seller_id, sender_name, sender_email, subject, html_content) values ($1, 'Outra', '', 'S', 'H') on conflict (seller_id) do update set sender_name = 'Outra'",
  },
  "the connection to UTMify": {
    read: tracking,
    takes: "POST /api/utmfy/settings",
    elsewhere: connectUtmify({ sourceId: "outra" }),
  },
};

test.each(Object.entries(rows))(
  "%s is replaced by a request with the current version, and by one without a version",
  async (_, row) => {
    const { read, change } = await shopWith(row);
    const first = (await (await read()).json()) as { version: string };
    expect((await read()).headers.get("etag")).toBe(`"${first.version}"`);
    const changed = await change({ version: first.version });
    expect(changed.status).toBe(200);
    const second = (await read()).headers.get("etag")!;
    expect(changed.headers.get("etag")).toBe(second);
    expect((await change({}, { "If-Match": `W/${second}` })).status).toBe(200);
    expect((await change({}, { "If-Match": "*" })).status).toBe(200);
    expect((await change({})).status).toBe(200);
  },
);

test.each(Object.entries(rows))("%s is not replaced by a request with an older version", async (_, row) => {
  const { seller, read, change } = await shopWith(row);
  const { version } = (await (await read()).json()) as { version: string };
  await sql.unsafe(row.elsewhere, [seller.id]);
  const stands = await (await read()).text();
  const byBody = await change({ version });
  expect([byBody.status, await byBody.json()]).toEqual([409, refused(expect.any(String), { code: "stale" })]);
  expect((await change({}, { "If-Match": `"${version}"` })).status).toBe(412);
  expect(await (await read()).text()).toBe(stands);
});

test("an ETag that a proxy renamed when it compressed the answer names the same version", async () => {
  const { seller, read, change } = await shopWith(rows["a coupon"]!);
  await change({});
  for (const encoding of ["gzip", "zstd", "br"]) {
    const renamed = (await read()).headers.get("etag")!.replace(/"$/, `-${encoding}"`);
    expect((await change({}, { "If-Match": renamed })).status).toBe(200);
  }
  const before = (await read()).headers.get("etag")!.replace(/"$/, '-gzip"');
  await sql.unsafe(rows["a coupon"]!.elsewhere, [seller.id]);
  expect((await change({}, { "If-Match": before })).status).toBe(412);
});

test("of several ETags in If-Match one has to be the current one, for a change and a deletion alike", async () => {
  const { seller, read, change } = await shopWith(rows["a coupon"]!);
  const [row] = await sql<{ id: string }[]>`select id from coupons where seller_id = ${seller.id}`;
  const current = (await read()).headers.get("etag")!;
  const older = `"${"0".repeat(24)}"`;
  expect((await change({}, { "If-Match": `${older}, ${older}` })).status).toBe(412);
  expect((await change({}, { "If-Match": `${older}, W/${current.replace(/"$/, '-gzip"')}` })).status).toBe(
    200,
  );
  const named = (await read()).headers.get("etag")!;
  const erase = async (tags: string) =>
    call(coupon, "/api/coupons/:couponId", {
      ...{ method: "DELETE", params: { couponId: row!.id } },
      headers: { ...(await signedIn(seller)), "If-Match": tags },
    });
  await sql.unsafe(rows["a coupon"]!.elsewhere, [seller.id]);
  expect((await erase(`${older},${named}`)).status).toBe(412);
  expect((await erase(`${older},${(await read()).headers.get("etag")}`)).status).toBe(200);
});

test("a version that is no text is refused, not ignored", async () => {
  const { change } = await shopWith(rows["a product"]!);
  expect((await change({ version: 3 })).status).toBe(400);
});

/** What is deleted, and SQL with the seller as `$1` that simulates a concurrent save. */
const deletable: [what: string, route: RouteModule, address: string, elsewhere: string][] = [
  ["a product", product, "/api/products/:productId", rows["a product"]!.elsewhere],
  ["a coupon", coupon, "/api/coupons/:couponId", rows["a coupon"]!.elsewhere],
  ["an offer", offer, "/api/products/:productId/offers/:offerId", rows["an offer"]!.elsewhere],
  [
    "an item of a content",
    item,
    "/api/products/:productId/content/:itemId",
    "update content_items set name = 'Outra' where seller_id = $1",
  ],
  [
    "a webhook",
    webhook,
    "/api/settings/webhooks/:webhookId",
    "update destinations set name = 'Outra' where seller_id = $1",
  ],
];

test.each(deletable)(
  "%s that was saved since it was read is not deleted",
  async (_, route, address, save) => {
    const seller = await makeSeller();
    const sold = await makeProduct(seller);
    const link = { kind: "link", name: "Grupo", url: "https://exemplo.com.br/grupo" } as const;
    const at: Call = {
      headers: await signedIn(seller),
      params: {
        productId: String(sold.id),
        couponId: (await makeCoupon(seller)).id,
        offerId: (await makeOffer(sold)).id,
        itemId: await addItem(seller.id, sold.id, { kind: "product", id: sold.id }, link),
        webhookId: await makeWebhook(seller, { name: "CRM" }),
      },
    };
    const read = () => call(route, address, at);
    const erase = (version: string) =>
      call(route, address, { ...at, method: "DELETE", headers: { ...at.headers, "If-Match": version } });
    const before = (await read()).headers.get("etag")!;
    await sql.unsafe(save, [seller.id]);
    const stale = await erase(before);
    expect([stale.status, await stale.json()]).toEqual([412, refused(expect.any(String), { code: "stale" })]);
    const after = (await read()).headers.get("etag")!;
    expect(after).not.toBe(before);
    expect((await erase(after)).status).toBe(200);
    expect((await read()).status).toBe(404);
  },
);

async function shopWith({ read, change = read, takes: accepts, body = {} }: Row) {
  const seller = await makeSeller();
  const sold = await makeProduct(seller);
  const sale = await makeSale(sold, { status: "completed" });
  const at: Call = {
    headers: await signedIn(seller),
    params: {
      productId: String(sold.id),
      saleId: sale.id,
      couponId: (await makeCoupon(seller)).id,
      offerId: (await makeOffer(sold)).id,
    },
  };
  const [method = "", address = ""] = accepts.split(" ");
  return {
    seller,
    read: () => call(read, address, at),
    change: (more: object, headers: Record<string, string> = {}) =>
      call(change, address, {
        ...at,
        method,
        headers: { ...at.headers, ...headers },
        body: { ...apiBodies[accepts], ...body, ...more },
      }),
  };
}
