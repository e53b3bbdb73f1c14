import { expect, test } from "vitest";
import { seed } from "#scripts/seed.ts";
import { stopUnderWork } from "#scripts/stop-under-work.ts";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";

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
