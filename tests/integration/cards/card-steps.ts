import { fc } from "#tests/support/random.ts";

/** The holder's name decides how a payment ends. */
const HOLDERS = ["APRO", "APRO", "APRO", "CONT", "OTHE", "FUND"] as const;
/** What becomes of a call's answer. */
export const FAULTS = {
  none: null,
  lost: { mode: "reset", after: true },
  "never sent": { mode: "reset" },
  "error after": { mode: "http-500", after: true },
  "cut off": { mode: "malformed", after: true },
  busy: { mode: "http-429" },
  refused: { mode: "http-422" },
} as const;
type FaultName = keyof typeof FAULTS;
/** How a challenge ends; nobody answers the last one. */
export const ANSWERS = ["confirm", "refuse", "expire"] as const;

const faultName = fc.constantFrom<FaultName[]>("none", "none", ...(Object.keys(FAULTS) as FaultName[]));
const contest = fc.record({ does: fc.constant("contest" as const), wantsEvidence: fc.boolean() });
const evidence = fc.record({ does: fc.constant("evidence" as const), fault: faultName });
const verdict = fc.record({ does: fc.constant("verdict" as const), isWon: fc.boolean() });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("card" as const),
      holder: fc.constantFrom(...HOLDERS),
      fault: faultName,
      twice: fc.boolean(),
      isChallenged: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pix" as const), isPaid: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("decide" as const), approve: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("challenge" as const), answer: fc.constantFrom(...ANSWERS) }),
  },
  { weight: 2, arbitrary: fc.constant({ does: "check" as const }) },
  { weight: 3, arbitrary: fc.oneof(contest, evidence, verdict) },
  { weight: 1, arbitrary: fc.constant({ does: "later" as const }) },
  { weight: 1, arbitrary: fc.constant({ does: "sweep" as const }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const before = fc.array(step, { minLength: 1, maxLength: 8 });
// Most random orders have no payment to contest, so every second history ends with a dispute from its beginning on.
/** A random history of an order. */
export const history = fc
  .tuple(before, fc.option(fc.tuple(contest, evidence, fc.option(verdict)), { freq: 2 }))
  .map(([steps, disputed]) => [
    ...steps,
    ...(disputed ?? []).flatMap((one): Step[] => (one ? [one, { does: "check" }] : [])),
  ]);
