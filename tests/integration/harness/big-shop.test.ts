import { beforeAll, expect, test } from "vitest";
import { jobs } from "#app/jobs/catalogue.server.ts";
import { CLOCKED, dearer, openBigShop } from "#tests/integration/harness/big-shop.ts";
import { startApp } from "#tests/support/app.ts";
import { longTest } from "#tests/support/run/ways.ts";

let shop: Awaited<ReturnType<typeof openBigShop>>;

beforeAll(async () => {
  await startApp({ web: 0, worker: 0 });
  shop = await openBigShop();
});

test("each job runs on the shop in which costs are measured", async () => {
  await shop.fill(5);
  await shop.runJobs();
});

longTest(
  "every page, file and answer, every job, queue and measurement costs hardly more where ten times as much was sold",
  async () => {
    expect(jobs.map(({ name }) => name)).toEqual(expect.arrayContaining(CLOCKED));
    const { fill, costs } = shop;
    await fill(500);
    const few = await costs();
    await fill(4_500);
    const many = await costs();
    expect(dearer(few, many).join("\n")).toBe("");
  },
);
