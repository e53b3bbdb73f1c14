import { percentOf } from "#app/domain/reports/figures/percent.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** What a funnel counts. Money in cents. */
export type FunnelNumbers = {
  /** Told by the page's script. */
  seen: number;
  begun: number;
  /** What the sales say, of the orders of those days. */
  pix: number;
  paid: number;
  offers: number;
  offersPaid: number;
  reminded: number;
  recovered: number;
  recoveredCents: number;
  /** Of those paid whose browser told when it first showed the checkout: how long it took, by `WAITS`. */
  waits: number[];
};

/** What `waits` are counted by: each up to so many seconds, the last without end. */
export const WAITS = [2 * MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, DAY, Number.POSITIVE_INFINITY].map(
  (wait) => wait / SECOND,
);

/** The funnel's steps in order. */
export const STEPS = ["seen", "begun", "pix", "paid", "offers"] as const;
export type Step = (typeof STEPS)[number];

/** How many came to each step. */
export type FunnelCounts = Pick<FunnelNumbers, Step>;

const NUMBERS = [...STEPS, "offersPaid", "reminded", "recovered", "recoveredCents"] as const;

/** Several taken together. */
export function addNumbers(parts: FunnelNumbers[]): FunnelNumbers {
  const sum = (of: (part: FunnelNumbers) => number) => parts.reduce((all, part) => all + of(part), 0);
  const numbers = NUMBERS.map((name) => [name, sum((part) => part[name])] as const);
  const waits = WAITS.map((_, at) => sum((part) => part.waits[at]!));
  return { ...(Object.fromEntries(numbers) as Omit<FunnelNumbers, "waits">), waits };
}

/** What is left of a whole without some of its parts. */
export function withoutParts(whole: FunnelCounts, parts: FunnelCounts[]): FunnelCounts {
  const left = (step: Step) => parts.reduce((rest, part) => rest - part[step], whole[step]);
  return Object.fromEntries(STEPS.map((step) => [step, left(step)])) as FunnelCounts;
}

/** A step: how many came so far, and what share (per cent) of those before; null where nobody did, or fewer than came here. */
export type StepReached = { step: Step; count: number; share: number | null; lost: number };

/**
 * How far buyers came. Who orders without our script, or by the API, is first met at the PIX: then more may stand there than
 * before it, and no share is told.
 */
export function stepsOf(numbers: FunnelCounts): StepReached[] {
  return STEPS.map((step, at) => {
    const count = numbers[step];
    const before = at === 0 ? 0 : numbers[STEPS[at - 1]!];
    return { step, count, share: shareOf(count, before), lost: at === 0 ? 0 : Math.max(0, before - count) };
  });
}

/** A share in per cent; null of nothing, and where the part is more than the whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 || part > whole ? null : percentOf(part, whole);
}

/** Where most buyers stop: the step they did not reach, of those up to the payment; null where nobody stopped. */
export function biggestLoss(steps: StepReached[]): StepReached | null {
  const [most] = steps
    .filter(({ step, lost }) => step !== "offers" && lost > 0)
    .sort((a, b) => b.lost - a.lost);
  return most ?? null;
}

/** Which of `WAITS` half of the payments took no longer than; null where none is known. */
export function middleWait(waits: number[]): number | null {
  const all = waits.reduce((sum, count) => sum + count, 0);
  let so = 0;
  return all === 0
    ? null
    : waits.findIndex((count) => {
        so += count;
        return so * 2 >= all;
      });
}
