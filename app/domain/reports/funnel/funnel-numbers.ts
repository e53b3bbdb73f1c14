import { percentOf } from "#app/domain/reports/figures/percent.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** The numbers of a funnel. Money in cents. */
export type FunnelNumbers = {
  /** Reported by the page's script. */
  seen: number;
  begun: number;
  /** The orders of those days, from the sales. */
  pix: number;
  paid: number;
  upsells: number;
  upsellsPaid: number;
  reminded: number;
  recovered: number;
  recoveredCents: number;
  /** Of those paid whose browser reported when it first showed the checkout: how long it took, by `WAIT_LIMITS`. */
  waits: number[];
};

/** The upper limits of `waits` in seconds; the last is unlimited. */
export const WAIT_LIMITS = [2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, DAY, Number.POSITIVE_INFINITY].map(
  (wait) => wait / SECOND,
);

/** The funnel's steps in order. */
export const STEPS = ["seen", "begun", "pix", "paid", "upsells"] as const;
export type Step = (typeof STEPS)[number];

/** How many reached each step. */
export type FunnelCounts = Pick<FunnelNumbers, Step>;

const NUMBERS = [...STEPS, "upsellsPaid", "reminded", "recovered", "recoveredCents"] as const;

/** The sum of several. */
export function addNumbers(parts: FunnelNumbers[]): FunnelNumbers {
  const sum = (valueIn: (part: FunnelNumbers) => number) =>
    parts.reduce((total, part) => total + valueIn(part), 0);
  const numbers = NUMBERS.map((name) => [name, sum((part) => part[name])] as const);
  const waits = WAIT_LIMITS.map((_, at) => sum((part) => part.waits[at]!));
  return { ...(Object.fromEntries(numbers) as Omit<FunnelNumbers, "waits">), waits };
}

/** The rest of a whole without some of its parts. */
export function subtractParts(whole: FunnelCounts, parts: FunnelCounts[]): FunnelCounts {
  const remaining = (step: Step) => parts.reduce((rest, part) => rest - part[step], whole[step]);
  return Object.fromEntries(STEPS.map((step) => [step, remaining(step)])) as FunnelCounts;
}

/** A step: how many reached it, and their share (per cent) of the step before; null where that is zero or smaller. */
export type StepReached = { step: Step; count: number; share: number | null; lost: number };

/**
 * The steps of a funnel. Orders without our script, or by the API, first count at the PIX: then a step may exceed the one
 * before it, and has no share.
 */
export function toSteps(numbers: FunnelCounts): StepReached[] {
  return STEPS.map((step, at) => {
    const count = numbers[step];
    const previousCount = at === 0 ? 0 : numbers[STEPS[at - 1]!];
    return {
      step,
      count,
      share: shareOf(count, previousCount),
      lost: at === 0 ? 0 : Math.max(0, previousCount - count),
    };
  });
}

/** A share in per cent; null of nothing, and where the part is more than the whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 || part > whole ? null : percentOf(part, whole);
}

/** The step with the biggest loss, up to the payment; null where nobody was lost. */
export function biggestLoss(steps: StepReached[]): StepReached | null {
  const [biggest] = steps
    .filter(({ step, lost }) => step !== "upsells" && lost > 0)
    .sort((a, b) => b.lost - a.lost);
  return biggest ?? null;
}

/** The limit in `WAIT_LIMITS` that half of the payments did not exceed; null where none is known. */
export function medianWait(waits: number[]): number | null {
  const total = waits.reduce((sum, count) => sum + count, 0);
  let cumulative = 0;
  return total === 0
    ? null
    : waits.findIndex((count) => {
        cumulative += count;
        return cumulative * 2 >= total;
      });
}
