import { beforeAll, test } from "vitest";
import { oddAddresses, oddBodies, oddForms } from "#tests/integration/outside/odd-requests.ts";
import { openOddShop } from "#tests/integration/outside/odd-shop.ts";
import { expectNoFailure } from "#tests/integration/outside/send-odd.ts";
import { type App, startApp } from "#tests/support/app.ts";

const all = <T>(values: T[]) => values;

let app: App;
let shop: Awaited<ReturnType<typeof openOddShop>>;

beforeAll(async () => {
  app = await startApp({ worker: 0, env: { TRUSTED_PROXY_HOPS: "1" } });
  shop = await openOddShop();
});

test("every odd text in every part of every address and query is no failure", async () => {
  await expectNoFailure(app, await oddAddresses(app, shop, all));
});

test("every odd text in every field of every form, and every odd field, is no failure", async () => {
  await expectNoFailure(app, await oddForms(app, shop, all));
});

test("every odd value in every field of every body of the API is no failure", async () => {
  await expectNoFailure(app, oddBodies(shop, all));
});
