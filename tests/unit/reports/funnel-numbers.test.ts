import { expect, test } from "vitest";
import {
  addNumbers,
  biggestLoss,
  type FunnelNumbers,
  medianWait,
  shareOf,
  subtractParts,
  toSteps,
  WAIT_LIMITS,
} from "#app/domain/reports/funnel/funnel-numbers.ts";

const COUNTS = { seen: 100, begun: 40, pix: 25, paid: 20, upsells: 5 };
const NUMBERS: FunnelNumbers = {
  ...COUNTS,
  ...{ upsellsPaid: 2, reminded: 8, recovered: 3, recoveredCents: 29_100, waits: [1, 2, 3, 4, 5, 6] },
};

test("waits end at 2, 5 and 15 minutes, an hour, a day, and never", () => {
  expect(WAIT_LIMITS).toEqual([120, 300, 900, 3600, 86_400, Number.POSITIVE_INFINITY]);
});

test("funnels are added number by number, and rest what is left without their parts", () => {
  const second = { ...NUMBERS, seen: 1, recoveredCents: 100, waits: [0, 0, 10, 0, 0, 0] };
  expect(addNumbers([NUMBERS, second])).toEqual({
    ...{ seen: 101, begun: 80, pix: 50, paid: 40, upsells: 10 },
    ...{ upsellsPaid: 4, reminded: 16, recovered: 6, recoveredCents: 29_200, waits: [1, 2, 13, 4, 5, 6] },
  });
  expect(addNumbers([])).toMatchObject({ seen: 0, recoveredCents: 0, waits: [0, 0, 0, 0, 0, 0] });
  const part = { seen: 30, begun: 10, pix: 5, paid: 4, upsells: 1 };
  expect(subtractParts(COUNTS, [part, part])).toEqual({ seen: 40, begun: 20, pix: 15, paid: 12, upsells: 3 });
  expect(subtractParts(COUNTS, [])).toEqual(COUNTS);
});

test("each step has its share of the one before, and what was lost there; the first has neither", () => {
  expect(toSteps(COUNTS)).toEqual([
    { step: "seen", count: 100, share: null, lost: 0 },
    { step: "begun", count: 40, share: 40, lost: 60 },
    { step: "pix", count: 25, share: 62.5, lost: 15 },
    { step: "paid", count: 20, share: 80, lost: 5 },
    { step: "upsells", count: 5, share: 25, lost: 15 },
  ]);
});

test("a step that more reached than the one before has no share, and nobody was lost", () => {
  const [, , pix, paid] = toSteps({ ...COUNTS, begun: 10, paid: 25 });
  expect(pix).toEqual({ step: "pix", count: 25, share: null, lost: 0 });
  expect(paid).toEqual({ step: "paid", count: 25, share: 100, lost: 0 });
});

test("nothing has no share, and all is 100 per cent", () => {
  expect([shareOf(0, 0), shareOf(2, 1), shareOf(1, 1), shareOf(0, 4), shareOf(1, 4)]).toEqual([
    null,
    null,
    100,
    0,
    25,
  ]);
});

test("the biggest loss is the step that lost most up to the payment, wherever it is", () => {
  const lossOf = (counts: Partial<typeof COUNTS>) => biggestLoss(toSteps({ ...COUNTS, ...counts }))?.step;
  expect(lossOf({})).toBe("begun");
  expect(lossOf({ begun: 90 })).toBe("pix");
  expect(lossOf({ begun: 95, pix: 90 })).toBe("paid");
  expect(lossOf({ seen: 20, begun: 20, pix: 20, upsells: 0 })).toBeUndefined();
  expect(biggestLoss(toSteps({ ...COUNTS, seen: 20, begun: 20, pix: 20, upsells: 0 }))).toBeNull();
});

test("the median wait is the limit that half of the payments did not exceed", () => {
  expect(medianWait([0, 0, 0, 0, 0, 0])).toBeNull();
  expect(medianWait([3, 1, 0, 0, 0, 1])).toBe(0);
  // Exactly half within two minutes.
  expect(medianWait([2, 1, 1, 0, 0, 0])).toBe(0);
  expect(medianWait([2, 2, 1, 0, 0, 0])).toBe(1);
  expect(medianWait([1, 1, 1, 1, 1, 6])).toBe(5);
});
