import { expect, test } from "vitest";
import { holdForCards } from "#tests/integration/cards/hold-for-cards.ts";
import { cardShop } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 0, worker: 0 });

test("whatever gets lost, our books are the provider's, and no order is charged twice: 2,000 histories", {
  timeout: 120 * 60_000,
}, async () => {
  const played = await holdForCards(app, await cardShop(), 2000);
  expect(Math.min(...Object.values(played)), JSON.stringify(played)).toBeGreaterThan(0);
});
