import { expect, test } from "vitest";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const ago = (days: number) => new Date(Date.now() - days * DAY);

async function cardOf(product: Awaited<ReturnType<typeof makeProduct>>, status: ChargeStatus, days: number) {
  const sale = await makeSale(product, { createdAt: ago(days) });
  const card = await makeCharge(sale, {
    method: "card",
    instalments: 1,
    status,
    createdAt: ago(days),
  });
  return { sale, card };
}

test("a card that its provider has not decided for 30 days is the seller's to act on, until it is decided", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await cardOf(await makeProduct(await makeSeller()), "in_review", 40);
  await cardOf(product, "in_review", 29);
  await cardOf(product, "cancelled", 40);
  const reviewed = await cardOf(product, "in_review", 31);
  const lost = await cardOf(product, "unknown", 32);
  const found = async () =>
    (await findActionItems(seller.id)).map((item) => [item.kind, "saleId" in item && item.saleId]);
  expect(await found()).toEqual([
    ["card-undecided", reviewed.sale.id],
    ["card-undecided", lost.sale.id],
  ]);
  const [item] = await findActionItems(seller.id);
  expect(item).toMatchObject({ amountCents: reviewed.card.amountCents, since: reviewed.card.createdAt });
  await sql`update charges set status = 'cancelled' where id = ${reviewed.card.id}`;
  expect(await found()).toEqual([["card-undecided", lost.sale.id]]);
});
