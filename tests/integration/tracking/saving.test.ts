import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { findConnection, ORDERS_URL } from "#app/domain/delivery/utmify/connection.server.ts";
import { pageTrackedProducts } from "#app/domain/delivery/utmify/product-list.server.ts";
import {
  changesReceiver,
  saveConnection,
  saveConnectionCard,
  saveEvents,
  saveTrackedProducts,
  saveTracking,
  showTracking,
} from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { connectionForm, trackingForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import type { NamedCursor } from "#app/kit/paginate.ts";
import { maskSecret } from "#app/platform/secrets.server.ts";
import * as eventsApi from "#app/routes/api/utmfy/events.ts";
import * as productsApi from "#app/routes/api/utmfy/product-tracking.ts";
import * as settingsApi from "#app/routes/api/utmfy/settings.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

test("the page's form saves connection, events and products together, or none of them", async () => {
  const seller = await makeSeller();
  const [on, off] = [await makeProduct(seller, { name: "A" }), await makeProduct(seller, { name: "B" })];
  const form = (fields = {}) =>
    trackingForm.parse({
      ...{ api_token: "tok-1234-ABCD", source_id: "loja", is_enabled: true, products: [on.id] },
      ...{ purchase: true, chargeback: true, ...fields },
    });
  await saveTracking(seller.id, form());
  const shown = await showTracking(seller.id);
  expect(shown.connection).toMatchObject({
    ...{ token: "••••••••ABCD", sourceId: "loja", enabled: true },
    events: { purchase: true, refund: false, chargeback: true },
  });
  expect(shown.products.map(({ id, isEnabled }) => [id, isEnabled])).toEqual([
    [on.id, true],
    [off.id, false],
  ]);
  const inside = saveTracking(seller.id, form({ api_url: "https://169.254.169.254/" }));
  await expect(inside).rejects.toMatchObject({ field: "api_url" });
  const other = form({ source_id: "outra", products: [off.id] });
  await expect(saveTracking(seller.id, other, undefined, "old")).rejects.toMatchObject({ code: "stale" });
  expect(await showTracking(seller.id)).toEqual(shown);
  await saveTracking(seller.id, other, undefined, shown.version);
  const saved = await showTracking(seller.id);
  expect(saved.connection.sourceId).toBe("outra");
  expect(saved.products.map(({ isEnabled }) => isEnabled)).toEqual([false, true]);
});

test("of many products those are switched that the page's search shows, and the others stay as they are", async () => {
  const seller = await makeSeller();
  await sql`insert into products (seller_id, name, price_cents, checkout_slug)
    select ${seller.id}, 'Aula ' || lpad(n::text, 5, '0'), 100, ${seller.id} || '-' || n from generate_series(1, 5200) n`;
  const last = await makeProduct(seller, { name: "Último café" });
  const base = { api_token: "tok-1234-ABCD", is_enabled: true, purchase: true };
  const shown = await showTracking(seller.id);
  expect([shown.products.length, shown.isMore]).toEqual([500, true]);
  const off = shown.products[0]!.id;
  const on = shown.products.slice(1).map(({ id }) => id);
  await saveTracking(seller.id, trackingForm.parse({ ...base, products: on }), undefined, shown.version);
  const found = await showTracking(seller.id, "CAFE");
  expect(found).toMatchObject({ products: [{ id: last.id, isEnabled: true }], isMore: false });
  const searched = trackingForm.parse({ ...base, product_search: "CAFE" });
  await saveTracking(seller.id, searched, undefined, found.version);
  const [row] = await sql`select except_product_ids as ids from destinations where seller_id = ${seller.id}`;
  expect(row!.ids.map(Number).sort()).toEqual([off, last.id].sort());
});

test("the settings' card changes what it was given, and an empty one nothing", async () => {
  const seller = await makeSeller();
  const saved = () => findConnection(seller.id);
  await makeTracking(seller, { token: "tok-antes", sourceId: "loja" });
  await saveConnectionCard(seller.id, { enabled: false }, db);
  expect(await saved()).toMatchObject({ token: "tok-antes", sourceId: "loja", enabled: false });
  const reasons = () => sql`select stopped_reason from destinations where seller_id = ${seller.id}`;
  expect(await reasons()).toEqual([{ stopped_reason: "seller" }]);
  await saveConnectionCard(seller.id, { enabled: true, token: maskSecret("tok-antes"), sourceId: "" }, db);
  expect(await saved()).toMatchObject({ token: "tok-antes", sourceId: "loja", enabled: true });
  await saveConnectionCard(seller.id, { token: "tok-depois", sourceId: "outra" }, db);
  expect(await saved()).toMatchObject({ token: "tok-depois", sourceId: "outra", enabled: true });
  expect(await reasons()).toEqual([{ stopped_reason: null }]);
  const { count } = await countStatements(() => saveConnectionCard(seller.id, {}, db));
  expect(count).toBe(0);
});

test.each([
  ["the saved token", { api_token: "tok-saved" }, false],
  ["its mask", { api_token: maskSecret("tok-saved") }, false],
  ["no token", { api_token: "" }, false],
  ["another token", { api_token: "tok-other" }, true],
  ["another address", { api_token: "", api_url: "https://example.com/orders" }, true],
])("whether sales go to somebody else with %s is known before it is saved", async (_, fields, isChange) => {
  const seller = await makeSeller();
  await makeTracking(seller, { token: "tok-saved" });
  expect(await changesReceiver(seller.id, connectionForm.parse(fields))).toBe(isChange);
});

test("products are paged by name in both directions, those of the seller that are not archived", async () => {
  const seller = await makeSeller();
  const names = ["C", "A", "B"];
  for (const name of names) await makeProduct(seller, { name });
  await makeProduct(seller, { name: "D", deactivatedAt: new Date() });
  await makeProduct(seller, { name: "AA", archivedAt: new Date() });
  await makeProduct(await makeSeller(), { name: "AB" });
  const page = async (from: { before?: NamedCursor; after?: NamedCursor }) => {
    const all = { limit: 2, before: null, after: null, ...from };
    const { items, newer, older } = await pageTrackedProducts(seller.id, all);
    return { names: items.map(({ name }) => name), items, newer, older };
  };
  const first = await page({});
  expect([first.names, first.newer]).toEqual([["A", "B"], null]);
  const second = await page({ before: first.older! });
  expect([second.names, second.older]).toEqual([["C", "D"], null]);
  expect(second.items.map(({ isActive }) => isActive)).toEqual([true, false]);
  expect((await page({ after: second.newer! })).names).toEqual(["A", "B"]);
});

test("UTMify keeps failing, and the time it asked for, where something else is saved; switched on again it begins anew", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeTracking(seller);
  await sql`update destinations set failing_since = now(), backoff_until = now() + interval '1 hour' where seller_id = ${seller.id}`;
  const paceOf = async () => {
    const [row] = await sql`select failing_since is not null as failing, backoff_until is not null as waiting
      from destinations where seller_id = ${seller.id}`;
    return row;
  };
  await saveEvents(seller.id, { refund: false });
  await saveTrackedProducts(seller.id, new Map([[product.id, false]]));
  await saveConnectionCard(seller.id, { enabled: true }, db);
  expect(await paceOf()).toEqual({ failing: true, waiting: true });
  for (const enabled of [false, true]) await saveConnectionCard(seller.id, { enabled }, db);
  expect(await paceOf()).toEqual({ failing: false, waiting: false });
});

test("a connection that was saved since is not replaced", async () => {
  const seller = await makeSeller();
  await makeTracking(seller, { sourceId: "loja" });
  const form = connectionForm.parse({ api_token: maskSecret("sandbox-utmify"), source_id: "outra" });
  const late = saveConnection(seller.id, form, undefined, "old");
  await expect(late).rejects.toMatchObject({ code: "stale" });
  expect(await findConnection(seller.id)).toMatchObject({ sourceId: "loja" });
});

test("a program changes what it sends of the connection, and nothing else", async () => {
  const seller = await makeSeller();
  const at = { method: "POST", headers: await signedIn(seller) };
  const send = async (body: object) =>
    expect((await call(settingsApi, "/", { ...at, body })).status).toBe(200);
  const url = "https://example.com/orders";
  await send({ api_token: "tok-antes-1234", api_url: url, source_id: "loja", is_enabled: true });
  const saved = { token: "tok-antes-1234", apiUrl: url, sourceId: "loja", enabled: true };
  expect(await findConnection(seller.id)).toMatchObject(saved);
  await send({ source_id: "outra", api_token: null });
  expect(await findConnection(seller.id)).toMatchObject({ ...saved, sourceId: "outra" });
  await send({ is_enabled: false });
  expect(await findConnection(seller.id)).toMatchObject({ ...saved, sourceId: "outra", enabled: false });
  await send({ api_token: "", api_url: "" });
  expect(await findConnection(seller.id)).toMatchObject({ token: null, apiUrl: ORDERS_URL, enabled: false });
});

test("a program changes the events it sends, and the others stay", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const send = async (body: object) => {
    expect((await call(eventsApi, "/", { method: "POST", headers, body })).status).toBe(200);
    return (await findConnection(seller.id)).events;
  };
  expect(await send({ refund: true })).toEqual({ purchase: true, refund: true, chargeback: false });
  expect(await send({ purchase: false, refund: null })).toEqual({
    ...{ purchase: false, refund: true, chargeback: false },
  });
});

test("products deleted meanwhile are passed over, and another seller's is refused", async () => {
  const seller = await makeSeller();
  const [kept, deleted] = [await makeProduct(seller), await makeProduct(seller)];
  await sql`update products set archived_at = now() where id = ${deleted.id}`;
  const headers = await signedIn(seller);
  const send = async (body: object) =>
    (await call(productsApi, "/", { method: "POST", headers, body })).status;
  const read = async () =>
    (await showTracking(seller.id)).products.map(({ id, isEnabled }) => [id, isEnabled]);
  expect(await send({ [kept.id]: false, [deleted.id]: false, 999999999: true })).toBe(200);
  expect(await read()).toEqual([[kept.id, false]]);
  const other = await makeProduct(await makeSeller());
  expect(await send({ [kept.id]: true, [other.id]: false })).toBe(404);
  expect(await read()).toEqual([[kept.id, false]]);
});

test("the products that are off are stored in the order of their numbers, and a form lists up to five thousand", async () => {
  const seller = await makeSeller();
  const ids = [(await makeProduct(seller)).id, (await makeProduct(seller)).id];
  await saveTrackedProducts(seller.id, new Map(ids.toReversed().map((id) => [id, false])));
  expect(
    await sql`select except_product_ids::int[] as off from destinations where seller_id = ${seller.id}`,
  ).toEqual([{ off: ids }]);
  const isAccepted = (count: number) =>
    trackingForm.safeParse({ products: Array(count).fill(ids[0]) }).success;
  expect([isAccepted(5000), isAccepted(5001)]).toEqual([true, false]);
});
