import { beforeAll, expect } from "vitest";
import { splitBy } from "#app/db/schema/funnel.server.ts";
import { type App, startApp, type WebProcess } from "#tests/support/app.ts";
import { newAddress, PHONE } from "#tests/support/clients/client-address.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ web: 2, worker: 0, sandbox: false });
});

function see(web: WebProcess, productId: number) {
  const headers = { "User-Agent": PHONE, "X-Forwarded-For": newAddress() };
  return fetch(`${web.url}/checkout/visita`, {
    method: "POST",
    body: `seen/checkout/${productId}?utm_source=google`,
    headers,
  });
}

async function seen(sellerId: string): Promise<number> {
  const [row] = await sql`select coalesce(sum(seen), 0)::int as seen from funnel_views
    where seller_id = ${sellerId} and split = ${splitBy({ device: true })}`;
  return row!.seen;
}

longTest("two processes add up what each of them counted, and a stop loses nothing of it", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (let n = 0; n < 20; n++)
    for (const web of app.web) expect((await see(web, product.id)).status).toBe(204);
  await until(async () => (await seen(seller.id)) === 40, { what: "both to have added" });
  for (let n = 0; n < 10; n++) await see(app.web[1]!, product.id);
  await app.web[1]!.stop();
  expect(await seen(seller.id)).toBe(50);
  await app.web[1]!.start();
});

longTest(
  "while the table is held nobody waits for it, and what was counted is added afterwards",
  async () => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const held = await holdLock((tx) => tx`lock table funnel_views in access exclusive mode`);
    await see(app.web[0]!, product.id);
    await untilLockedOut();
    for (let n = 0; n < 5; n++) expect((await see(app.web[0]!, product.id)).status).toBe(204);
    await held.release();
    await until(async () => (await seen(seller.id)) === 6, { what: "all to be added" });
  },
);

longTest("a process that is killed loses what it had in memory, and goes on counting", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await see(app.web[1]!, product.id);
  await app.web[1]!.kill();
  await app.web[1]!.start();
  await see(app.web[1]!, product.id);
  await until(async () => (await seen(seller.id)) >= 1, { what: "the second view" });
  expect(await seen(seller.id)).toBe(1);
});
