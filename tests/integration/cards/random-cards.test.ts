import { expect, test } from "vitest";
import { holdForCards } from "#tests/integration/cards/hold-for-cards.ts";
import { cardShop } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";

const app = await startApp({ web: 0, worker: 0 });

/** `tests/long/random-cards` plays 2,000. */
const COUNT = EVERY_WAY ? 40 : 20;

test(`whatever gets lost, our books are the provider's, and no order is charged twice: ${COUNT} histories`, async () => {
  const played = await holdForCards(app, await cardShop(), COUNT);
  const { paid, unpaid, declined, lost } = played;
  expect(Math.min(paid, unpaid, declined, lost), JSON.stringify(played)).toBeGreaterThan(0);
});
