import { beforeAll, test } from "vitest";
import { openWorld } from "#tests/histories-model/postgres-books.ts";
import { play } from "#tests/histories-model/run.ts";
import type { History, Step } from "#tests/histories-model/steps.ts";

/** Histories that random search found to be reported or booked wrongly, each by its name. */
let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  world = await openWorld();
});

const well = { trouble: null, dies: null } as const;
const order: Step = { do: "order", buyer: 0, ...well };
const code: Step = { do: "code", sale: 0, ...well };
const pay: Step = { do: "pay", code: 0, amount: "right" };
const notified: Step = { do: "news", code: 0, says: "truth", dies: null };
const work: Step = { do: "work", ...well };
const refund = { do: "refund", code: 0, part: false, later: false, ...well } as const;
const wait = (seconds: number): Step => ({ do: "wait", seconds });
const partBack: Step = { do: "return", code: 0, part: true };
const cancelled: Step = { do: "end", code: 0, how: "cancelled" };
const recordExtra: Step = { do: "record-extra", code: 0, dies: null };
const correct: Step = { do: "correct", code: 0 };

const FOUND: Record<string, History> = {
  "a wrong amount that its seller returned at the bank, and that is corrected to less then, went back once": {
    provider: "segundo",
    steps: [
      order,
      { ...pay, amount: "more" },
      notified,
      work,
      recordExtra,
      correct,
      notified,
      wait(61),
      work,
    ],
  },
  "and likewise where its sale was paid by another code meanwhile": {
    provider: "segundo",
    steps: [
      ...[order, wait(3660), { do: "code", sale: 0, trouble: null, dies: null } as const],
      ...[{ ...pay, amount: "more" } as const, notified, work, recordExtra],
      ...[{ ...pay, code: 1 }, { ...notified, code: 1 }, work, correct, notified, wait(61), work],
    ],
  },
  "a payment that is announced while nobody can check it for three days is checked as soon as somebody can": {
    provider: "segundo",
    steps: [
      order,
      wait(86_400),
      { do: "freeze", sale: 0, meanwhile: "made" },
      { do: "news", code: 0, says: "paid", dies: null },
      wait(259_200),
      { ...work, trouble: "refused" },
    ],
  },
  "the status API and the event stream know of an order's code": { provider: "pushinpay", steps: [order] },
  "a code that could not be made leaves the sale pending for buyer and seller alike": {
    provider: "pushinpay",
    steps: [{ ...order, trouble: "busy" }],
  },
  "a part that went back before the first look is booked with the payment": {
    provider: "segundo",
    steps: [order, pay, partBack, notified, work],
  },
  "so is the part of a surplus payment and of a wrong amount": {
    provider: "segundo",
    steps: [
      order,
      wait(3660),
      code,
      pay,
      { ...pay, code: 1 },
      { ...partBack, code: 1 },
      notified,
      work,
      { ...notified, code: 1 },
      work,
      { do: "order", buyer: 1, ...well },
      { do: "pay", code: 2, amount: "less" },
      { ...partBack, code: 2 },
      { ...notified, code: 2 },
      work,
    ],
  },
  "a contested payment has gone back in each view, also where a refund was under way": {
    provider: "segundo",
    steps: [
      order,
      pay,
      notified,
      work,
      { ...refund, part: true, later: true },
      { do: "record-dispute", sale: 0, what: "lost", dies: null },
      { do: "confirm" },
      notified,
      work,
    ],
  },
  "whoever asks for another code of a closed order gets it, and the order waits again": {
    provider: "pushinpay",
    steps: [order, wait(3 * 86_400), { do: "close", dies: null }, code, { do: "close", dies: null }],
  },
  "an old code is cancelled after the newest ran out: the sale failed, and every view says so": {
    provider: "pushinpay",
    steps: [order, wait(3660), code, wait(3660), cancelled, notified, work],
  },
  "a process taken for dead opens its code after another one's was refused: the sale waits again, and the code shows":
    {
      provider: "pushinpay",
      steps: [order, wait(3660), { do: "freeze", sale: 0, meanwhile: "refused" }, code],
    },
  "a part given back in the provider's panel does not hide a refund that is under way": {
    provider: "segundo",
    steps: [
      order,
      pay,
      notified,
      work,
      { ...refund, trouble: "lost-before" },
      partBack,
      notified,
      work,
      { ...refund, part: true },
    ],
  },
  "a refund that came to nothing can be asked for again, also where an earlier part was given back": {
    provider: "segundo",
    steps: [
      order,
      pay,
      notified,
      work,
      { ...refund, part: true },
      notified,
      work,
      { ...refund, part: true, trouble: "lost-before" },
      wait(3 * 86_400 + 61),
      { do: "sweep", dies: null },
      work,
      { ...refund, part: true },
    ],
  },
  "an order whose card was sent by a process that died is not closed before its card is": {
    ...{ provider: "pushinpay", cards: true },
    steps: [
      order,
      { do: "card", sale: 0, answer: "approved", dies: 7, trouble: null },
      wait(3 * 86_400),
      { do: "close", dies: null },
    ],
  },
  "news that an overpayment was given back, which no check could confirm for days, are not given up": {
    provider: "segundo",
    steps: [
      order,
      wait(3660),
      code,
      pay,
      { do: "pay", code: 1, amount: "right" },
      notified,
      wait(125),
      work,
      { do: "news", code: 1, says: "truth", dies: null },
      wait(125),
      work,
      { do: "return", code: 0, part: false },
      { do: "dispute", code: 1, how: "contest" },
      notified,
      wait(259_200),
      { ...work, trouble: "refused" },
    ],
  },
  "a part that went back of a wrong amount is booked once, also where the provider corrects the amount": {
    provider: "segundo",
    steps: [
      order,
      { ...pay, amount: "less" },
      partBack,
      notified,
      work,
      { do: "correct", code: 0 },
      notified,
      work,
    ],
  },
  "a card is declined, then the code is cancelled: the sale failed, and every view says so": {
    ...{ provider: "pushinpay", cards: true },
    steps: [
      order,
      { do: "card", sale: 0, answer: "declined", dies: null, trouble: null },
      cancelled,
      notified,
      wait(125),
      work,
    ],
  },
  "news of a payment that was given back, which no check could confirm for days, are not given up": {
    ...{ provider: "pushinpay", spare: true },
    steps: [
      order,
      pay,
      { do: "return", code: 0, part: false },
      notified,
      wait(3 * 86_400),
      { ...code, trouble: "refused" },
      wait(5),
    ],
  },
};

for (const [name, history] of Object.entries(FOUND)) test(name, () => play(history, world.open));
