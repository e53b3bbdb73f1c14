import { expect, test } from "vitest";
import { deleteProduct } from "#app/domain/catalog/delete-product.server.ts";
import * as api from "#app/routes/api/settings/webhooks/one.ts";
import * as page from "#app/routes/seller/settings/destinations/destination.tsx";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { showMemberArea } from "#tests/support/rows/destinations.ts";
import { MEMBER_KEY, makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";

type Seller = Awaited<ReturnType<typeof makeSeller>>;

/** Posts the form of a destination's page. */
async function save(seller: Seller, path: string, id: string, fields: [string, string][]) {
  const body = new URLSearchParams([["intent", "save"], ...fields]);
  const headers = await signedIn(seller);
  const answer = await call(page, `/settings/${path}/${id}`, {
    method: "POST",
    params: { id },
    headers,
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

const versionIn = async (seller: Seller, path: string, id: string) => {
  const headers = await signedIn(seller);
  const shown = await call(page, `/settings/${path}/${id}`, { params: { id }, headers });
  return ((await shown.json()) as { version: string }).version;
};

test("a webhook's form that ticks a product that was deleted meanwhile keeps what was typed", async () => {
  const seller = await makeSeller();
  const [product, stays] = [await makeProduct(seller), await makeProduct(seller)];
  const id = await makeWebhook(seller, { name: "CRM" });
  const version = await versionIn(seller, "webhooks", id);
  const typed: [string, string][] = [
    ...Object.entries({ version, name: "Nome novo", url: receiverAt("typed"), scope: "some" }),
    ["events", "sale.paid"],
    ["products", String(stays.id)],
  ];
  await deleteProduct(seller.id, product.id);
  const refused = await save(seller, "webhooks", id, [...typed, ["products", String(product.id)]]);
  expect(refused.status).toBe(404);
  const { result } = JSON.parse(refused.text);
  expect(result.error).toEqual({ "": ["Produto não encontrado"] });
  expect(result.initialValue).toMatchObject({ name: "Nome novo", url: receiverAt("typed") });
  expect((await save(seller, "webhooks", id, typed)).status).toBe(302);
  await sql`update destinations set deleted_at = now() where id = ${id}`;
  expect((await save(seller, "webhooks", id, typed)).text).not.toContain("Nome novo");
});

test("a member area's form is saved without the bumps and upsells that were removed while it was filled in", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [empty, linked, upsell] = [
    await makeBump(product),
    await makeBump(product),
    await makeUpsell(product),
  ];
  const before = { item: `bump-${linked.id}`, ids: [77] };
  const id = await makeMemberArea(seller, "memberkit", { classes: [before], productIds: [product.id] });
  const version = await versionIn(seller, "member-areas", id);
  await sql`delete from order_bumps where product_id = ${product.id}`;
  await sql`delete from upsells where id = ${upsell.id}`;
  const rows = [
    [`bump-${empty.id}`, ""],
    [before.item, "102"],
    [`offer-${upsell.id}`, "103"],
    [String(product.id), "101"],
  ];
  const answer = await save(seller, "member-areas", id, [
    ...Object.entries({ version, kind: "memberkit", name: "Escola nova", token: MEMBER_KEY }),
    ...rows.flatMap(([item, ids], row): [string, string][] => [
      [`classes[${row}].item`, item!],
      [`classes[${row}].ids`, ids!],
    ]),
  ]);
  expect(answer.status).toBe(302);
  const { name, classes, productIds } = await showMemberArea(seller.id, id);
  expect({ name, productIds }).toEqual({ name: "Escola nova", productIds: [product.id] });
  // What a removed one led to stays: a purchase of it may still be refunded.
  expect(classes).toEqual([{ item: String(product.id), ids: [101] }, before]);
});

test("a program saves a webhook again as it read it, though one of its products was deleted since", async () => {
  const seller = await makeSeller();
  const [deleted, other] = [await makeProduct(seller), await makeProduct(seller)];
  const id = await makeWebhook(seller, { name: "list", productIds: [deleted.id] });
  await deleteProduct(seller.id, deleted.id);
  const headers = await signedIn(seller);
  const options = { params: { webhookId: id }, headers };
  const read = await (await call(api, `/api/settings/webhooks/${id}`, options)).json();
  const put = async (fields: object) => {
    const { name, url, events, scope, products } = read;
    const body = { name, url, events, scope, products, ...fields };
    const answer = await call(api, `/api/settings/webhooks/${id}`, { ...options, method: "PUT", body });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await put({ name: "Outro" })).toMatchObject({
    status: 200,
    body: { name: "Outro", products: [deleted.id] },
  });
  expect(await put({ products: [deleted.id, other.id] })).toMatchObject({ status: 200 });
  const elses = await makeProduct(await makeSeller());
  expect((await put({ products: [deleted.id, elses.id] })).status).toBe(404);
  expect(await put({ products: [other.id] })).toMatchObject({ status: 200 });
  expect((await put({ products: [deleted.id, other.id] })).status).toBe(404);
});

test("a pixel and a Cademí area with a deleted product in their lists are saved by their forms", async () => {
  const seller = await makeSeller();
  const deleted = await makeProduct(seller);
  const pixel = await makePixel(seller, "meta", { productIds: [deleted.id] });
  const area = await makeMemberArea(seller, "cademi", { productIds: [deleted.id] });
  const versions = [await versionIn(seller, "pixels", pixel), await versionIn(seller, "member-areas", area)];
  await deleteProduct(seller.id, deleted.id);
  const fields = { name: "Outro", scope: "some", products: String(deleted.id), token: "sandbox-outra-chave" };
  const meta = { kind: "meta", pixel_id: "1234567890123456", events: "sale.paid", version: versions[0]! };
  const cademi = { kind: "cademi", area: "minha-escola", version: versions[1]! };
  const saved = [
    await save(seller, "pixels", pixel, Object.entries({ ...fields, ...meta })),
    await save(seller, "member-areas", area, Object.entries({ ...fields, ...cademi })),
  ];
  expect(saved.map(({ status }) => status)).toEqual([302, 302]);
  expect(await showMemberArea(seller.id, area)).toMatchObject({ name: "Outro", productIds: [deleted.id] });
});
