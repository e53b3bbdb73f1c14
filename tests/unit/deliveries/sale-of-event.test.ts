import { expect, test } from "vitest";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { asOfEvent, itemCode } from "#app/domain/delivery/sale-notification.ts";
import { sampleNotification } from "#app/domain/delivery/sample-notification.ts";
import { MINUTE } from "#app/kit/duration.ts";

const AT = new Date("2026-06-08T14:53:07Z");

/** The sale of a test of this event. */
const sampleOf = (event: DeliveryEvent) =>
  sampleNotification(event, { subjectId: "sale", sellerId: "seller", createdAt: AT });

test.each<[DeliveryEvent, { paid: boolean; refunded: number; byEvent: number | null }]>([
  ["checkout.started", { paid: false, refunded: 0, byEvent: null }],
  ["pix.generated", { paid: false, refunded: 0, byEvent: null }],
  ["pix.expired", { paid: false, refunded: 0, byEvent: null }],
  ["sale.paid", { paid: true, refunded: 0, byEvent: null }],
  ["sale.refused", { paid: false, refunded: 0, byEvent: null }],
  ["refund.requested", { paid: true, refunded: 0, byEvent: null }],
  ["sale.partially_refunded", { paid: true, refunded: 500, byEvent: 500 }],
  ["sale.refunded", { paid: true, refunded: 1990, byEvent: 1990 }],
  ["sale.disputed", { paid: true, refunded: 0, byEvent: null }],
  ["sale.dispute_won", { paid: true, refunded: 0, byEvent: null }],
  ["sale.chargedback", { paid: true, refunded: 1990, byEvent: 1990 }],
  ["access.granted", { paid: true, refunded: 0, byEvent: null }],
  ["access.revoked", { paid: true, refunded: 1990, byEvent: null }],
])("a test of %s is about a sale in that state", (event, { paid, refunded, byEvent }) => {
  const { sale, moneyReturned, refundRequest } = sampleOf(event);
  const isReturned = refunded === 1990;
  expect(sale).toMatchObject({
    amountCents: 1990,
    completedAt: paid ? AT : null,
    feeCents: paid ? 35 : null,
    refundedAt: isReturned && event !== "sale.chargedback" ? AT : null,
    refundedCents: refunded,
    refundCents: byEvent,
  });
  expect(moneyReturned).toBe(isReturned);
  expect(refundRequest).toBe(event === "refund.requested" ? "right" : null);
});

test("a test's sale is marked as one; it was placed minutes ago, and its PIX is valid for a quarter of an hour", () => {
  const { isTest, sale, lines, pix, suspended } = sampleOf("pix.generated");
  expect([isTest, suspended]).toEqual([true, false]);
  expect(lines.map(({ priceCents }) => priceCents)).toEqual([sale.amountCents]);
  expect(sale.createdAt).toEqual(new Date(AT.getTime() - 5 * MINUTE));
  expect(pix!.expiresAt).toEqual(new Date(AT.getTime() + 15 * MINUTE));
});

test.each<[DeliveryEvent, object]>([
  ["checkout.started", { completedAt: null, feeCents: null, refundedAt: null, refundedCents: 0 }],
  ["sale.refused", { completedAt: null, feeCents: null, refundedAt: null, refundedCents: 0 }],
  ["sale.paid", { completedAt: AT, feeCents: 35, refundedAt: null, refundedCents: 0 }],
  ["sale.disputed", { completedAt: AT, feeCents: 35, refundedAt: null, refundedCents: 0 }],
  ["sale.partially_refunded", { completedAt: AT, feeCents: 35, refundedAt: null, refundedCents: 1990 }],
  ["sale.refunded", { completedAt: AT, feeCents: 35, refundedAt: AT, refundedCents: 1990 }],
  ["sale.chargedback", { completedAt: AT, feeCents: 35, refundedAt: AT, refundedCents: 1990 }],
  ["access.revoked", { completedAt: AT, feeCents: 35, refundedAt: AT, refundedCents: 1990 }],
])("of a sale that was refunded since, %s keeps only what was known then", (event, known) => {
  const since = { ...sampleOf(event), sale: sampleOf("sale.refunded").sale };
  expect(asOfEvent(since).sale).toMatchObject(known);
});

test.each<[DeliveryEvent, number]>([
  ["pix.generated", 0],
  ["sale.paid", 0],
  ["refund.requested", 500],
  ["sale.disputed", 500],
  ["sale.dispute_won", 500],
  ["access.granted", 500],
  ["sale.refunded", 1990],
  ["sale.chargedback", 1990],
])("of a sale that was refunded in parts, %s says what was refunded before it", (event, refundedCents) => {
  const { sale } = sampleOf("sale.refunded");
  const since = { ...sampleOf(event), sale: { ...sale, refundedBeforeCents: 500 } };
  expect(asOfEvent(since).sale.refundedCents).toBe(refundedCents);
});

test("a dispute that was rejected after an event is not in it", () => {
  const openedAt = new Date(AT.getTime() - MINUTE).toISOString();
  const rejected = [0, 1].map((minutes) => ({
    ...{ openedAt, decidedAt: new Date(AT.getTime() + minutes * MINUTE).toISOString() },
  }));
  const since = sampleOf("refund.requested");
  const { sale } = asOfEvent({ ...since, sale: { ...since.sale, rejectedDisputes: rejected } });
  expect(sale.rejectedDisputes).toEqual(rejected.slice(0, 1));
});

test("access that was suspended by a dispute ended before the refund that followed", () => {
  const { sale } = sampleOf("sale.refunded");
  const since = { ...sampleOf("access.revoked"), sale: { ...sale, refundedBeforeCents: 500 } };
  expect(asOfEvent({ ...since, wasDisputed: true }).sale).toMatchObject({
    ...{ completedAt: AT, refundedAt: null, refundedCents: 500 },
  });
});

test("a product's code is its number, others have their kind in it, and what was deleted has none", () => {
  expect(itemCode({ kind: "product", itemId: 7 })).toBe("7");
  expect(itemCode({ kind: "bump", itemId: 7 })).toBe("bump-7");
  expect(itemCode({ kind: "offer", itemId: 7 })).toBe("offer-7");
  expect(itemCode({ kind: "bump", itemId: null })).toBeNull();
});
