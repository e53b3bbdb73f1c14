import { expect, test } from "vitest";
import { holdForCarts } from "#tests/integration/orders/carts/hold-for-carts.ts";
import { PROGRAMS, UNREAD_KINDS } from "#tests/integration/orders/carts/program-views.ts";
import { PAID_VIEWS } from "#tests/integration/orders/carts/sale-views.ts";
import { SHOP_VIEWS } from "#tests/integration/orders/carts/shop-views.ts";
import { VIEWS, type View } from "#tests/integration/scenarios/views.ts";
import { startApp } from "#tests/support/app.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";

await startApp({ web: 0, worker: 0 });

/** How the views of every scenario are called here; null for those that show no prices. */
const READ_AS: Record<View, string | null> = {
  "PIX screen": "PIX screen",
  "thank-you page": "thank-you page",
  receipt: "receipt",
  "buyer portal": "buyer portal",
  "mails to buyer": "mails",
  "event stream": null,
  "status API": "status API",
  "mails to seller": "mails",
  "action items": null,
  "sales list": "sales list",
  "sale details": "sale details",
  "sale API": "sale API",
  CSV: "CSV",
  reports: "reports",
  funnel: null,
  webhook: "standard",
  "Kiwify webhook": "kiwify",
  "Hotmart webhook": "hotmart",
  pixels: "meta",
  UTMify: "utmify",
};

test("no view and no kind of destination is left out", () => {
  const read = new Set([...Object.keys(PAID_VIEWS), ...Object.keys(SHOP_VIEWS), ...PROGRAMS]);
  expect(VIEWS.map((view) => READ_AS[view]).filter((name) => name !== null && !read.has(name))).toEqual([]);
  expect(UNREAD_KINDS).toEqual([]);
});

/** `tests/long/random-carts` plays 1,000. */
const COUNT = EVERY_WAY ? 12 : 8;

test(`every view of a cart says what it costs: ${COUNT} carts`, async () => {
  const played = await holdForCarts(COUNT);
  // The same words for any seed, but never for orders of one kind alone.
  expect(Math.min(played.refused, played.paid, played.refunded), JSON.stringify(played)).toBeGreaterThan(0);
});
