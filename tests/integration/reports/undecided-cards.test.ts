import { expect, test } from "vitest";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { recordNotCharged } from "#app/domain/charge/record-not-charged.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const ago = (days: number) => new Date(Date.now() - days * DAY);

async function cardOf(
  product: Awaited<ReturnType<typeof makeProduct>>,
  status: ChargeStatus,
  days: number,
  saleStatus: "pending" | "failed" = "pending",
) {
  const sale = await makeSale(product, { createdAt: ago(days), status: saleStatus });
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

test("a card is undecided beside an order that failed with its PIX, too", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product, { createdAt: ago(40), status: "failed" });
  const { sale } = await cardOf(product, "in_review", 35, "failed");
  expect(await findActionItems(seller.id)).toMatchObject([{ kind: "card-undecided", saleId: sale.id }]);
  expect((await showSale(seller.id, sale.id)).undecidedCards).toHaveLength(1);
});

test.each(["pending", "failed"] as const)(
  "a card is found behind however many newer %s orders without one",
  async (saleStatus) => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const { sale } = await cardOf(product, "in_review", 90, saleStatus);
    await sql`insert into sales (seller_id, product_id, amount_cents, order_key, status, created_at)
      select ${seller.id}, ${product.id}, 100, n, ${saleStatus}, ${ago(40)} from generate_series(1, 250) n`;
    expect(await findActionItems(seller.id)).toMatchObject([{ kind: "card-undecided", saleId: sale.id }]);
  },
);

test.each(["pending", "failed"] as const)(
  "what its seller found not charged ends, once, and a %s order can be paid again; a payment that is confirmed later counts",
  async (saleStatus) => {
    const seller = await makeSeller();
    const { sale, card } = await cardOf(await makeProduct(seller), "in_review", 31, saleStatus);
    const stateOf = async () => {
      const [row] = await sql`select s.status as sale, c.status as card from sales s
        inner join charges c on c.sale_id = s.id where s.id = ${sale.id}`;
      return row;
    };
    expect((await showSale(seller.id, sale.id)).undecidedCards).toMatchObject([
      { chargeId: card.id, since: card.createdAt },
    ]);
    const asked = await Promise.allSettled([1, 2].map(() => recordNotCharged(seller.id, card.id)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await stateOf()).toEqual({ sale: "failed", card: "cancelled" });
    expect(await findActionItems(seller.id)).toEqual([]);
    const shown = await showSale(seller.id, sale.id);
    expect(shown.undecidedCards).toEqual([]);
    expect(shown.timeline.map(describeTimelineEntry)).toContain("Você marcou: não foi cobrado");
    expect(await sql`select id from mails where sale_id = ${sale.id} and kind = 'failed-payment'`).toEqual(
      [],
    );
    const [left] = await sql`select exists (select from charges where sale_id = ${sale.id}
      and status in ('creating', 'unknown', 'in_review')) as pending`;
    expect(left).toEqual({ pending: false });
    await settleCharge(card.id, {
      ...{
        providerId: card.providerId!,
        state: "paid",
        providerStatus: "paid",
        amountCents: card.amountCents,
      },
      ...{ feeCents: null, refundedCents: null, webhookUrl: null },
    });
    expect(await stateOf()).toEqual({ sale: "completed", card: "paid" });
  },
);

test("only an own card that has been undecided for long can be recorded as not charged", async () => {
  const product = await makeProduct(await makeSeller());
  const other = await makeSeller();
  const { card } = await cardOf(product, "unknown", 31);
  await expect(recordNotCharged(other.id, card.id)).rejects.toThrow("Pagamento não encontrado");
  for (const [status, days] of [
    ["in_review", 29],
    ["cancelled", 40],
    ["paid", 40],
  ] as const) {
    const { sale, card: one } = await cardOf(product, status, days);
    await expect(recordNotCharged(sale.sellerId, one.id)).rejects.toThrow("não espera mais uma resposta");
  }
});

test("an order with a code that can be paid stays pending", async () => {
  const seller = await makeSeller();
  const { sale, card } = await cardOf(await makeProduct(seller), "unknown", 31);
  await makeCharge(sale, { status: "open", expiresAt: new Date(Date.now() + DAY) });
  await recordNotCharged(seller.id, card.id);
  const [row] = await sql`select status from sales where id = ${sale.id}`;
  expect(row).toEqual({ status: "pending" });
});
