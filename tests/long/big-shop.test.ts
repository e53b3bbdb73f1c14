import { expect, test } from "vitest";
import { dearer, openBigShop } from "#tests/integration/harness/big-shop.ts";
import { startApp } from "#tests/support/app.ts";

await startApp({ web: 0, worker: 0 });

test("every page, file and answer, every job, queue and measurement costs hardly more with 500,000 sales of one product and a million overpaid charges", async () => {
  const { fill, costs } = await openBigShop();
  await fill(50_000);
  const few = await costs();
  await fill(450_000);
  const many = await costs();
  expect(dearer(few, many).join("\n")).toBe("");
});
