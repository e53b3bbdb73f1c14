import { expect, test } from "vitest";
import {
  findFullRefundState,
  type KnownCharge,
  type KnownSale,
  summarizePayments,
} from "#app/domain/sale/payment-summary.ts";
import type { KnownRefund } from "#app/domain/sale/payments.ts";

const NOW = new Date("2026-11-25T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const charge = (fields: Partial<KnownCharge>): KnownCharge => ({
  ...{ id: "1", method: "pix", status: "open", createdAt: NOW, expiresAt: null, announcedAt: null },
  ...{ paidAt: null, amountCents: 4700, paidCents: null, feeCents: null, overpaidAt: null, refunds: [] },
  ...fields,
});
const paid = (fields: Partial<KnownCharge>): KnownCharge =>
  charge({ status: "paid", paidAt: NOW, paidCents: 4700, feeCents: 35, ...fields });
const refund = (fields: Partial<KnownRefund>): KnownRefund => ({
  ...{ status: "done", origin: "requested", amountCents: 4700, requestedAt: NOW },
  ...{ acceptedAt: null, endedAt: NOW, dismissedAt: null },
  ...fields,
});

type Status = KnownSale["status"];

function summaryOf(status: Status, charges: KnownCharge[]) {
  const sale = { status, amountCents: 4700, completedAt: null, feeCents: null, refundedCents: 0, charges };
  return summarizePayments(sale, NOW);
}

const of = (status: Status, charges: KnownCharge[]) => {
  const { buyer, apiStatus: api } = summaryOf(status, charges);
  return { buyer, api };
};

const itemsOf = (status: Status, one: KnownCharge) =>
  summaryOf(status, [one]).actionItems.map(({ kind }) => kind);

test("an order for which no code could be made states it, and not that a payment was refused", () => {
  expect(of("pending", [charge({ status: "failed" })])).toEqual({ buyer: "unmade", api: "pending" });
  expect(of("failed", [charge({ status: "failed" })])).toEqual({ buyer: "unmade", api: "failed" });
  const ended = charge({ id: "2", status: "expired", createdAt: new Date("2026-11-25T11:00:00Z") });
  expect(of("pending", [charge({ status: "failed" }), ended])).toEqual({ buyer: "unmade", api: "pending" });
  // Its order failed by the provider's refusal: that is another text.
  expect(of("failed", [charge({ status: "failed" }), ended])).toEqual({ buyer: "failed", api: "failed" });
  expect(of("pending", [])).toEqual({ buyer: "unmade", api: "pending" });
});

test("an overpayment that its bank disputes is said to be disputed, and not to be given back", () => {
  const overpayment = paid({ overpaidAt: NOW });
  expect(itemsOf("completed", overpayment)).toEqual(["surplus"]);
  expect(itemsOf("completed", { ...overpayment, isDisputed: true })).toEqual(["extra-disputed"]);
});

test("a card that its bank challenges is neither in review nor payable another way", () => {
  const sent = charge({ id: "2", method: "card", status: "in_review" });
  const open = charge({ expiresAt: new Date("2026-11-25T13:00:00Z") });
  expect(of("pending", [open, { ...sent, isChallenged: true }])).toEqual({
    buyer: "challenged",
    api: "pending",
  });
  expect(of("pending", [open, sent])).toEqual({ buyer: "in-review", api: "pending" });
});

test("a code that brought another amount was used, also once that went back", () => {
  const mismatched = paid({ status: "mispaid", paidCents: 1000 });
  const back = { ...mismatched, refunds: [refund({ amountCents: 1000 })] };
  expect(of("pending", [mismatched])).toEqual({ buyer: "mispaid", api: "pending" });
  // The webhook that announced it is still known.
  expect(of("pending", [{ ...mismatched, announcedAt: NOW }])).toEqual({ buyer: "mispaid", api: "pending" });
  expect(of("pending", [back])).toEqual({ buyer: "used", api: "pending" });
  // Its order failed by another code meanwhile: every view says so.
  expect(of("failed", [back])).toEqual({ buyer: "used", api: "failed" });
});

test.each([
  ["completed", "paid"],
  ["disputed", "paid"],
  ["refunded", "returned"],
  ["chargedback", "returned"],
] as const)("a sale that is %s is %s for its buyer, whatever else was announced", (status, buyer) => {
  expect(of(status, [paid({}), charge({ announcedAt: NOW })])).toEqual({ buyer, api: "completed" });
});

test.each<[string, Status, Partial<KnownCharge>, string, string]>([
  ["a code that does not expire", "pending", {}, "payable", "pending"],
  ["a code that expires in a moment", "pending", { expiresAt: ago(-1) }, "payable", "pending"],
  ["a code that expires now", "pending", { expiresAt: NOW }, "over", "pending"],
  ["a code that the provider calls expired", "pending", { status: "expired" }, "over", "pending"],
  ["a code that is being created", "pending", { status: "creating" }, "making", "pending"],
  ["a card that is being sent", "pending", { method: "card", status: "creating" }, "verifying", "pending"],
  ["a card without an answer", "pending", { method: "card", status: "unknown" }, "verifying", "pending"],
  ["a declined card", "pending", { method: "card", status: "declined" }, "declined", "pending"],
  ["a declined card, order failed", "failed", { method: "card", status: "declined" }, "declined", "failed"],
  ["a cancelled code", "pending", { status: "cancelled" }, "failed", "pending"],
  ["an expired code, order failed", "failed", { status: "expired" }, "failed", "failed"],
  ["an order that was closed", "cancelled", { status: "expired" }, "closed", "failed"],
  ["a closed order's payment", "cancelled", { status: "expired", announcedAt: NOW }, "announced", "pending"],
])("%s, for its buyer", (_, status, fields, buyer, api) => {
  expect(of(status, [charge(fields)])).toEqual({ buyer, api });
});

test("the charge to show is one that can be paid, else the newest, in whatever order they are read", () => {
  const shown = (older: Partial<KnownCharge>, newer: Partial<KnownCharge>) => {
    const [first, second] = [
      charge({ id: "older", createdAt: ago(60_000), ...older }),
      charge({ id: "newer", ...newer }),
    ];
    return [
      [first, second],
      [second, first],
    ].map((charges) => summaryOf("pending", charges).chargeId);
  };
  expect(shown({}, { status: "expired" })).toEqual(["older", "older"]);
  expect(shown({ status: "expired" }, { status: "expired" })).toEqual(["newer", "newer"]);
  expect(shown({}, {})).toEqual(["newer", "newer"]);
  expect(summaryOf("pending", []).chargeId).toBeNull();
});

test("a sale's money is that of its payments by kind, after refunds and fees", () => {
  const { money, isOverpaid } = summaryOf("completed", [
    paid({ id: "1", refunds: [refund({ amountCents: 700 })] }),
    paid({ id: "2", overpaidAt: NOW, refunds: [refund({ amountCents: 200 })] }),
    paid({ id: "3", status: "mispaid", paidCents: 1000, refunds: [refund({ amountCents: 100 })] }),
  ]);
  expect(money).toEqual({
    ...{ receivedCents: 10400, countedCents: 4000, overpaidCents: 4500, mismatchedCents: 900 },
    ...{ refundedCents: 1000, feeCents: 105, netCents: 9295 },
  });
  expect(isOverpaid).toBe(true);
  expect(summaryOf("completed", [paid({})]).isOverpaid).toBe(false);
});

test("a refund of all that is left is under way, one of a part is not", () => {
  const state = (...refunds: KnownRefund[]) => findFullRefundState({ paidCents: 4700, refunds });
  const pending = (amountCents: number, acceptedAt: Date | null = null) =>
    refund({ status: "pending", amountCents, acceptedAt, endedAt: null });
  expect(state()).toBeNull();
  expect(state(pending(4700))).toBe("requested");
  expect(state(pending(4700, NOW))).toBe("accepted");
  expect(state(pending(4699))).toBeNull();
  expect(state(refund({ amountCents: 1000 }), pending(3700))).toBe("requested");
  expect(state(refund({ status: "refused" }))).toBeNull();
});

test("the seller acts on a payment that is to go back, unless it is on its way or they decided otherwise", () => {
  const overpayment = paid({ overpaidAt: NOW });
  const ended = (status: "unconfirmed" | "refused", dismissedAt: Date | null = null) => ({
    refunds: [refund({ status, dismissedAt })],
  });
  expect(itemsOf("completed", overpayment)).toEqual(["surplus"]);
  expect(itemsOf("completed", { ...overpayment, refunds: [refund({})] })).toEqual([]);
  expect(itemsOf("completed", { ...overpayment, refunds: [refund({ status: "pending" })] })).toEqual([]);
  expect(itemsOf("completed", { ...overpayment, ...ended("unconfirmed") })).toEqual(["refund-unconfirmed"]);
  expect(itemsOf("completed", { ...overpayment, ...ended("unconfirmed", NOW) })).toEqual(["surplus"]);
  expect(itemsOf("pending", paid({ status: "mispaid", paidCents: 1000 }))).toEqual(["mispaid"]);
  expect(itemsOf("completed", paid({}))).toEqual([]);
  expect(itemsOf("completed", paid(ended("refused")))).toEqual(["refund-refused"]);
  expect(itemsOf("completed", paid(ended("refused", NOW)))).toEqual([]);
  expect(itemsOf("completed", paid(ended("unconfirmed", NOW)))).toEqual([]);
  // The bank decides first.
  expect(itemsOf("disputed", paid(ended("refused")))).toEqual([]);
});

test("an announced payment that nobody could check for more than a minute waits for the seller", () => {
  expect(itemsOf("pending", charge({ announcedAt: ago(60_000) }))).toEqual([]);
  expect(itemsOf("pending", charge({ announcedAt: ago(60_001) }))).toEqual(["news-waiting"]);
  expect(itemsOf("completed", paid({ announcedAt: ago(3_600_000) }))).toEqual([]);
  const mismatched = paid({ status: "mispaid", paidCents: 1000, announcedAt: ago(3_600_000) });
  expect(itemsOf("pending", mismatched)).toEqual(["mispaid"]);
});
