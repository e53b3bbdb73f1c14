import { fc } from "#tests/support/random.ts";

/**
 * How a provider may fail in a call. `lost-before`: the call never arrived. `lost-after`: the provider acted, but its
 * answer was lost. The others are named as the provider names them.
 */
export const TROUBLES = ["refused", "credentials", "busy", "nonsense", "lost-before", "lost-after"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What may go wrong in a step of ours: the provider fails, or our process dies before its n-th statement or call. */
export type Harm = { trouble: Trouble | null; dies: number | null };

/** How a card is answered: approved, declined, or reviewed until the provider decides. */
export const CARD_ANSWERS = ["approved", "approved", "declined", "reviewed"] as const;

/** What a forged webhook may claim. */
export const CLAIMS = ["paid", "refunded", "cancelled"] as const;

/**
 * One step of a history. `sale` and `code` are counted from 0, modulo the existing ones. In the text of
 * `describeStep` the actor comes before the dot.
 */
export type Step =
  | ({ do: "order"; buyer: number } & Harm)
  | ({ do: "code"; sale: number } & Harm)
  | ({ do: "card"; sale: number; answer: (typeof CARD_ANSWERS)[number] } & Harm)
  | { do: "review"; code: number; how: "approve" | "decline" }
  | { do: "freeze"; sale: number; meanwhile: "made" | "refused" | "swept" }
  | { do: "pay"; code: number; amount: "right" | "less" | "more" }
  | { do: "correct"; code: number }
  | { do: "end"; code: number; how: "expired" | "cancelled" }
  | { do: "return"; code: number; part: boolean }
  | { do: "confirm" }
  | ({ do: "news"; code: number; says: "truth" | (typeof CLAIMS)[number] } & Pick<Harm, "dies">)
  | ({ do: "press"; sale: number } & Harm)
  | ({ do: "look"; sale: number } & Harm)
  | ({ do: "work" } & Harm)
  | ({ do: "sweep" } & Pick<Harm, "dies">)
  | ({ do: "close" } & Pick<Harm, "dies">)
  | ({ do: "remind"; sale: number } & Harm)
  | ({ do: "refund"; code: number; part: boolean; later: boolean } & Harm)
  | ({ do: "record"; sale: number } & Pick<Harm, "dies">)
  | ({ do: "record-extra"; code: number } & Pick<Harm, "dies">)
  | { do: "dispute"; code: number; how: "contest" | "accept" | "reject" }
  | ({ do: "record-dispute"; sale: number; what: "open" | "won" | "lost" } & Pick<Harm, "dies">)
  | { do: "wait"; seconds: number };

/**
 * A history, and which of the two providers the seller has, or has first: with `spare` the other one creates the codes that
 * it does not. Only the first one has troubles with creating them. With `cards` the second provider takes cards; with `refunds`
 * every overpayment is refunded automatically. Books in memory have none of the three.
 */
export type History = {
  provider: "pushinpay" | "segundo";
  spare?: boolean;
  cards?: boolean;
  refunds?: boolean;
  steps: Step[];
};

const WAITS = [5, 61, 95, 125, 31 * 60, 61 * 60, 86_400, 3 * 86_400];

const few = fc.nat({ max: 3 });
const dies = fc.option(fc.nat({ max: 14 }), { freq: 8, nil: null });
const harm = { dies, trouble: fc.option(fc.constantFrom(...TROUBLES), { freq: 8, nil: null }) };
const is = <T extends string>(word: T) => fc.constant(word);

/** Any step; those that make and move money come often. */
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: is("order"), buyer: fc.nat({ max: 1 }), ...harm }) },
  { weight: 3, arbitrary: fc.record({ do: is("code"), sale: few, ...harm }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: is("card"), sale: few, answer: fc.constantFrom(...CARD_ANSWERS), ...harm }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: is("review"), code: few, how: fc.constantFrom("approve", "decline") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is("freeze"),
      sale: few,
      meanwhile: fc.constantFrom("made", "refused", "swept"),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: is("pay"),
      code: few,
      amount: fc.constantFrom("right", "right", "right", "less", "more"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("correct"), code: few }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: is("end"), code: few, how: fc.constantFrom("expired", "cancelled") }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("return"), code: few, part: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: is("confirm") }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: is("news"),
      code: few,
      says: fc.constantFrom("truth", "truth", "truth", ...CLAIMS),
      dies,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("press"), sale: few, ...harm }) },
  { weight: 2, arbitrary: fc.record({ do: is("look"), sale: few, ...harm }) },
  { weight: 4, arbitrary: fc.record({ do: is("work"), ...harm }) },
  { weight: 3, arbitrary: fc.record({ do: is("sweep"), dies }) },
  { weight: 1, arbitrary: fc.record({ do: is("close"), dies }) },
  { weight: 1, arbitrary: fc.record({ do: is("remind"), sale: few, ...harm }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is("refund"),
      code: few,
      part: fc.boolean(),
      later: fc.boolean(),
      ...harm,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("record"), sale: few, dies }) },
  { weight: 1, arbitrary: fc.record({ do: is("record-extra"), code: few, dies }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("dispute"),
      code: few,
      how: fc.constantFrom("contest", "contest", "accept", "reject"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is("record-dispute"),
      sale: few,
      what: fc.constantFrom("open", "open", "won", "lost"),
      dies,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: is("wait"), seconds: fc.constantFrom(...WAITS) }) },
);

const well = { trouble: null, dies: null } as const;
const ORDER: Step = { do: "order", buyer: 0, ...well };
const pay = (code: number): Step => ({ do: "pay", code, amount: "right" });
const card = (answer: "approved" | "reviewed"): Step => ({ do: "card", sale: 0, answer, ...well });
/** The first code has expired on the page; the first provider may create no other one. */
const secondCode = (trouble: "busy" | null): Step[] => [
  { do: "wait", seconds: 3660 },
  { do: "code", sale: 0, trouble, dies: null },
];
const bookedCode = (code: number): Step[] => [
  { do: "news", code, says: "truth", dies: null },
  { do: "wait", seconds: 125 },
  { do: "work", ...well },
];
const booked = [0, 1].flatMap(bookedCode);

/**
 * How histories begin: with an order, and often with two payments of it, or one of another amount, part of which went back,
 * which random steps seldom lead to.
 */
const BEGINNINGS: Step[][] = [
  [ORDER],
  [ORDER],
  [ORDER, ...secondCode(null), pay(0), pay(1), ...booked],
  [ORDER, ...secondCode("busy"), pay(0), pay(1), ...booked],
  [ORDER, card("approved"), pay(0), ...booked],
  [ORDER, card("reviewed"), pay(0)],
  [ORDER, { do: "pay", code: 0, amount: "less" }, { do: "return", code: 0, part: true }, ...bookedCode(0)],
];

/** A history begins with an order; without one nothing can happen. */
export const histories: fc.Arbitrary<History> = fc.record({
  provider: fc.constantFrom("pushinpay", "segundo"),
  spare: fc.boolean(),
  cards: fc.boolean(),
  refunds: fc.boolean(),
  steps: fc
    .tuple(fc.constantFrom(...BEGINNINGS), fc.array(anyStep, { minLength: 1, maxLength: 24, size: "max" }))
    .map((parts) => parts.flat()),
});
