import fc from "fast-check";

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
const booked: Step[] = [0, 1].flatMap((code): Step[] => [
  { do: "news", code, says: "truth", dies: null },
  { do: "wait", seconds: 125 },
  { do: "work", ...well },
]);

/** How histories begin: with an order, and often with two payments of it, which random steps seldom lead to. */
const BEGINNINGS: Step[][] = [
  [ORDER],
  [ORDER],
  [ORDER, ...secondCode(null), pay(0), pay(1), ...booked],
  [ORDER, ...secondCode("busy"), pay(0), pay(1), ...booked],
  [ORDER, card("approved"), pay(0), ...booked],
  [ORDER, card("reviewed"), pay(0)],
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

const TROUBLE_TEXTS: Record<Trouble, string> = {
  refused: "the provider refuses",
  credentials: "the provider refuses the key",
  busy: "the provider is busy",
  nonsense: "the provider answers nonsense",
  "lost-before": "the call never arrives",
  "lost-after": "the provider does it, its answer is lost",
};

const MEANWHILE = {
  made: "made by another process",
  refused: "asked for by another process and refused",
  swept: "given up by the sweeper",
};

const BANK_DOES = {
  contest: "contests the payment of",
  accept: "accepts the dispute, and takes the payment of",
  reject: "rejects the dispute of",
};

/** Describes a step in plain text. */
export function describeStep(step: Step): string {
  const harms: string[] = [];
  if ("trouble" in step && step.trouble) harms.push(TROUBLE_TEXTS[step.trouble]);
  if ("dies" in step && step.dies !== null)
    harms.push(`our process dies before its statement or call ${step.dies + 1}`);
  return harms.length > 0 ? `${deed(step)} (${harms.join("; ")})` : deed(step);
}

function deed(step: Step): string {
  switch (step.do) {
    case "order":
      return `buyer ${step.buyer} orders`;
    case "code":
      return `the buyer of sale ${step.sale} asks for a code`;
    case "freeze":
      return `the buyer of sale ${step.sale} asks for a code; our process freezes before it hears the answer, the code is ${MEANWHILE[step.meanwhile]}, and it wakes up`;
    case "card":
      return `the buyer of sale ${step.sale} sends a card, which is ${step.answer}`;
    case "review":
      return `the provider ${step.how === "approve" ? "approves" : "declines"} the reviewed card ${step.code}`;
    case "pay":
      return `code ${step.code} is paid, ${step.amount === "right" ? "the right amount" : `${step.amount} than asked for`}`;
    case "end":
      return `code ${step.code} is ${step.how} at the provider`;
    case "return":
      return `${step.part ? "part of" : "all of"} code ${step.code} is given back in the provider's own panel`;
    case "confirm":
      return "the provider carries out the refunds it accepted";
    case "news":
      return step.says === "truth"
        ? `the provider tells how code ${step.code} stands`
        : `a forger tells that code ${step.code} is ${step.says}`;
    case "press":
      return `the buyer of sale ${step.sale} says 'Já paguei'`;
    case "look":
      return `the seller presses 'Verificar agora' at sale ${step.sale}`;
    case "work":
      return "the worker does what is due";
    case "sweep":
      return "the sweeper runs";
    case "close":
      return "the closer of orders runs";
    case "remind":
      return `the reminder of sale ${step.sale} is due`;
    case "refund":
      return `the seller asks for ${step.part ? "part of" : "all of"} code ${step.code} back${step.later ? ", which the provider does later" : ""}`;
    case "record":
      return `the seller records that sale ${step.sale} was given back`;
    case "record-extra":
      return `the seller records that the extra payment of code ${step.code} was given back`;
    case "dispute":
      return `the payer's bank ${BANK_DOES[step.how]} code ${step.code}`;
    case "record-dispute":
      return `the seller enters that the dispute of sale ${step.sale} is ${step.what}`;
    case "wait":
      return `${step.seconds} seconds pass`;
  }
}
