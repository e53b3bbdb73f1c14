import { expect, test } from "vitest";
import { seed } from "#scripts/seed.ts";
import { stopUnderWork } from "#scripts/stop-under-work.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

longTest("a stop lets the PIX, the mail and the report under way end, and exits well", async () => {
  await seed();
  const app = await startApp();
  let requests = 0;
  await stopUnderWork({
    url: app.url,
    sandboxUrl: app.sandbox.url,
    databaseUrl: app.databaseUrl,
    async stop() {
      requests = Date.now();
      const [web, worker] = await Promise.all([app.web[0]!.stop(), app.worker[0]!.stop()]);
      return { web, worker };
    },
  });
  // They were in progress.
  for (const route of ["/reports/export", "/checkout/s/:slug", "/checkout/pix/:saleId/events"]) {
    const ends = app.log().flatMap((line) => (line.route === route ? [Date.parse(String(line.time))] : []));
    expect(Math.max(...ends), route).toBeGreaterThan(requests);
  }
  const late = app.log().filter(({ msg }) => msg === "stopped before all work was finished");
  expect(late).toEqual([]);
});

test("a stop without work in progress logs no error", async () => {
  const app = await startApp({ worker: 0, sandbox: false });
  expect(await app.web[0]!.stop()).toBe(0);
  expect(app.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

longTest("an order in progress is answered whatever signals follow the first", async () => {
  const { product } = await openShop();
  const app = await startApp({ worker: 0 });
  // Longer than the drain.
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "slow-5000", times: 1 });
  const answer = app.fetch("/api/payments/pushinpay", {
    method: "POST",
    body: JSON.stringify({
      product_id: Number(product.id),
      customer_name: "Bia",
      customer_email: "bia@exemplo.com.br",
      customer_phone: "11987654321",
      customer_document: "52998224725",
    }),
  });
  await until(async () => (await sql`select from sales`).length > 0);
  const web = app.web[0]!;
  for (const signal of ["SIGUSR2", "SIGUSR2", "SIGTERM", "SIGTERM"] as const) process.kill(web.pid!, signal);
  expect((await answer).status).toBe(200);
  await until(() => !web.running);
});
