import { beforeAll, expect, test } from "vitest";
import { oddAddresses, oddBodies, oddForms, textsForRows } from "#tests/integration/outside/odd-requests.ts";
import { openOddShop } from "#tests/integration/outside/odd-shop.ts";
import { expectNoFailure } from "#tests/integration/outside/send-odd.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { seeded } from "#tests/support/rows/make-reports.ts";

/** A sample that is the same each time; tests/long/outside-fields.test.ts sends all of them. */
const next = seeded(7);
const few = <T>(values: T[]) => values.filter(() => next() < 0.25 / values.length);

let app: App;
let shop: Awaited<ReturnType<typeof openOddShop>>;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  shop = await openOddShop();
});

test("odd texts in addresses and queries are no failure", async () => {
  await expectNoFailure(app, await oddAddresses(app, shop, few));
});

test("odd texts in the fields of forms, and odd fields, are no failure", async () => {
  const requests = await oddForms(app, shop, few);
  expect(requests.length).toBeGreaterThan(100);
  await expectNoFailure(app, requests);
});

test("a text in place of a form's rows is no failure", async () => {
  const requests = await textsForRows(app, shop);
  const lists = new Set(requests.map(({ what }) => what.split(" ")[3]));
  expect([...lists]).toEqual(expect.arrayContaining(["orderBumps", "upsells", "classes"]));
  await expectNoFailure(app, requests);
});

test("odd values in the bodies of the API are no failure", async () => {
  await expectNoFailure(app, oddBodies(shop, few));
});

test("every method that changes something at the API has a body in the table", async () => {
  const rows: string[] = [];
  for (const { address, file } of await routeTable()) {
    if (!file.startsWith("routes/api/")) continue;
    const path = address.replace(/:\w+/g, "x");
    const { headers } = await app.fetch(path, {
      method: "PATCH",
      headers: { "Sec-Fetch-Site": "same-origin" },
    });
    const allowed = (headers.get("allow") ?? "").split(", ");
    rows.push(
      ...allowed.filter((method) => !["", "GET"].includes(method)).map((method) => `${method} ${address}`),
    );
  }
  expect(rows.length).toBeGreaterThan(15);
  expect(Object.keys(apiBodies).sort()).toEqual(rows.sort());
});
