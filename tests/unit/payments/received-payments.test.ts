import { expect, test } from "vitest";
import { sumPayments } from "#app/domain/sale/payment-totals.ts";
import {
  computeUnrefundedCents,
  derivePayments,
  describePlan,
  type KnownRefund,
  type PaidCharge,
  type PaidSale,
} from "#app/domain/sale/payments.ts";

const NOW = new Date("2026-11-25T12:00:00Z");
const before = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);

/** A completed sale of R$ 47,00. */
const sale = (fields: Partial<PaidSale>): PaidSale => ({
  ...{ status: "completed", amountCents: 4700, completedAt: NOW, feeCents: 35, refundedCents: 0 },
  charges: [],
  ...fields,
});
const charge = (fields: Partial<PaidCharge>): PaidCharge => ({
  ...{ id: "1", status: "paid", paidAt: NOW, amountCents: 4700, paidCents: 4700, feeCents: 35 },
  ...{ overpaidAt: null, refunds: [] },
  ...fields,
});
const refund = (fields: Partial<KnownRefund>): KnownRefund => ({
  ...{ status: "done", origin: "requested", amountCents: 4700, requestedAt: NOW },
  ...{ acceptedAt: null, endedAt: NOW, dismissedAt: null },
  ...fields,
});

/** The payment of a completed sale with one charge. */
const paymentOf = (fields: Partial<PaidCharge>) => derivePayments(sale({ charges: [charge(fields)] }))[0]!;

test("payments are listed by their time, each with its kind", () => {
  const charges = [
    charge({ id: "second", paidAt: before(1), overpaidAt: before(1) }),
    charge({ id: "own", paidAt: before(2) }),
    charge({ id: "wrong", status: "mispaid", paidCents: 1000, paidAt: before(3) }),
    charge({ id: "code", status: "open", paidAt: null, paidCents: null }),
  ];
  const listed = derivePayments(sale({ charges })).map(({ chargeId, kind }) => `${chargeId}: ${kind}`);
  expect(listed).toEqual(["wrong: amount-mismatch", "own: counts", "second: overpayment"]);
});

test("a sale booked by hand has a payment of its own, beside that of a code paid later", () => {
  const later = charge({ overpaidAt: NOW });
  const own = sale({ completedAt: before(1), charges: [later] });
  expect(derivePayments(own).map(({ kind }) => kind)).toEqual(["counts", "overpayment"]);
});

test("a free order and one that is not paid have no payment", () => {
  expect(derivePayments(sale({ amountCents: 0 }))).toEqual([]);
  expect(derivePayments(sale({ status: "pending", completedAt: null }))).toEqual([]);
});

test.each([
  ["completed", 0, "none", 0, 4665, false],
  ["completed", 1000, "part", 1000, 3665, false],
  ["refunded", 4700, "done", 4700, -35, false],
  ["chargedback", 0, "contested", 4700, -35, true],
] as const)("of a sale without a charge that is %s, %i cents back: %s", (status, back, ...expected) => {
  const [state, refundedCents, netCents, isRefundRecorded] = expected;
  expect(derivePayments(sale({ status, refundedCents: back }))).toEqual([
    {
      ...{ chargeId: null, kind: "counts", card: null, paidAt: NOW, lastRefund: null, refundedAt: null },
      ...{ receivedCents: 4700, feeCents: 35, refund: state, refundedCents, netCents, isRefundRecorded },
    },
  ]);
});

test("what the bank took back is refunded in full, and only the payment that counts", () => {
  const contested = (refunds: KnownRefund[]) => {
    const charges = [charge({ refunds }), charge({ id: "2", overpaidAt: NOW })];
    return derivePayments(sale({ status: "chargedback", charges }));
  };
  const taken = { chargeId: "1", refund: "contested", refundedCents: 4700, netCents: -35 };
  const beside = { chargeId: "2", refund: "none", refundedCents: 0, isRefundRecorded: false };
  expect(contested([])).toMatchObject([{ ...taken, isRefundRecorded: true }, beside]);
  // The provider reported it.
  expect(contested([refund({})])).toMatchObject([{ ...taken, isRefundRecorded: false }, beside]);
});

test.each<[string, Partial<KnownRefund>[]]>([
  ["none", []],
  ["requested", [{ status: "pending" }]],
  ["accepted", [{ status: "pending", acceptedAt: NOW }]],
  ["refused", [{ status: "refused" }]],
  ["unconfirmed", [{ status: "unconfirmed" }]],
  ["part", [{ amountCents: 4699 }]],
  ["done", [{}]],
  ["done", [{ amountCents: 4000 }, { amountCents: 700 }]],
  // One that is under way says more than a part that went back meanwhile.
  ["requested", [{ status: "pending", amountCents: 3700 }, { amountCents: 1000 }]],
])("a payment's refund is “%s”", (state, refunds) => {
  expect(paymentOf({ refunds: refunds.map(refund) }).refund).toBe(state);
});

test("a payment names its newest refund that was done, and who says so", () => {
  const done = refund({ origin: "recorded", amountCents: 1000, endedAt: before(1) });
  const refused = refund({ status: "refused", amountCents: 3700 });
  expect(paymentOf({ refunds: [done, refused] })).toMatchObject({
    ...{ refundedCents: 1000, netCents: 3665, refund: "refused", lastRefund: refused },
    ...{ refundedAt: before(1), isRefundRecorded: true },
  });
  expect(paymentOf({ refunds: [refund({})] })).toMatchObject({ refundedAt: NOW, isRefundRecorded: false });
  expect(paymentOf({})).toMatchObject({ refundedAt: null, isRefundRecorded: false, lastRefund: null });
});

test("a card's payment has its instalments and what they add up to; only several name the sum", () => {
  const plan = { instalments: 12, buyerCents: 5510 };
  expect(paymentOf(plan).card).toEqual(plan);
  expect(paymentOf({ instalments: 1, buyerCents: null }).card).toEqual({ instalments: 1, buyerCents: 4700 });
  expect(paymentOf({ instalments: null }).card).toBeNull();
  expect(describePlan({ instalments: 1, buyerCents: 4700 })).toBe("1x");
  expect(describePlan({ instalments: 2, buyerCents: 11020 })).toBe("2x (total R$ 110,20)");
});

test("the sums of payments know a fee where one of them does, and a net where anything came in", () => {
  const sums = (...fees: (number | null)[]) =>
    sumPayments(fees.map((feeCents) => paymentOf({ feeCents, refunds: [refund({ amountCents: 1000 })] })));
  expect(sums()).toEqual({ receivedCents: 0, refundedCents: 0, feeCents: null, netCents: null });
  expect(sums(null)).toEqual({ receivedCents: 4700, refundedCents: 1000, feeCents: null, netCents: 3700 });
  const one = { receivedCents: 4700, refundedCents: 1000, feeCents: 35, netCents: 3665 };
  expect(sums(35)).toEqual(one);
  expect(sums(35, null)).toEqual({ ...one, receivedCents: 9400, refundedCents: 2000, netCents: 7365 });
  expect(computeUnrefundedCents({ paidCents: null, refunds: [] })).toBe(0);
});
