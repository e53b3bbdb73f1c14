import { beforeAll, test } from "vitest";
import { openWorld } from "#tests/histories-model/postgres-books.ts";
import { play } from "#tests/histories-model/run.ts";
import type { Step } from "#tests/histories-model/steps.ts";
import { everyNth } from "#tests/support/run/ways.ts";

/** What random search rarely finds: a payment that is booked, and then disputed. */
let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  world = await openWorld();
});

const well = { trouble: null, dies: null } as const;
const notified: Step[] = [
  { do: "news", code: 0, says: "truth", dies: null },
  { do: "wait", seconds: 125 },
  { do: "work", ...well },
];
const paid: Step[] = [
  { do: "order", buyer: 0, ...well },
  { do: "pay", code: 0, amount: "right" },
  ...notified,
];
const bank = (how: "contest" | "accept" | "reject"): Step[] => [{ do: "dispute", code: 0, how }, ...notified];
const seller = (what: "open" | "won" | "lost", dies: number | null = null): Step => ({
  do: "record-dispute",
  sale: 0,
  what,
  dies,
});
const refund = { do: "refund", code: 0, part: false, later: true, ...well } as const;

const HISTORIES: Record<string, Step[]> = {
  "contested, then taken": [...paid, ...bank("contest"), ...bank("accept")],
  "contested, rejected, contested again": [
    ...paid,
    ...bank("contest"),
    ...bank("reject"),
    ...bank("contest"),
  ],
  "contested and taken before the payment is booked": [
    ...paid.slice(0, 2),
    { do: "dispute", code: 0, how: "contest" },
    { do: "dispute", code: 0, how: "accept" },
    ...notified,
  ],
  "contested while a refund is under way, which is done after it was rejected": [
    ...paid,
    refund,
    ...bank("contest"),
    { do: "confirm" },
    ...bank("reject"),
    { do: "confirm" },
    ...notified,
  ],
  "taken while a refund is under way": [...paid, refund, ...bank("contest"), ...bank("accept")],
  "entered by hand by a process that dies, entered again, then taken": [
    ...paid,
    { do: "dispute", code: 0, how: "contest" },
    seller("open", 5),
    seller("open"),
    ...bank("accept"),
  ],
  "entered by hand and given back by hand meanwhile": [
    ...paid,
    seller("open"),
    { do: "record", sale: 0, dies: null },
    seller("won"),
  ],
  "entered by hand, won, and lost at last": [
    ...paid,
    seller("open"),
    seller("won"),
    seller("open"),
    seller("lost"),
    ...notified,
  ],
  "a second payment contested and taken": [
    ...paid.slice(0, 1),
    { do: "wait", seconds: 3660 },
    { do: "code", sale: 0, ...well },
    { do: "pay", code: 1, amount: "right" },
    { do: "news", code: 1, says: "truth", dies: null },
    { do: "work", ...well },
    { do: "pay", code: 0, amount: "right" },
    ...notified,
    ...bank("contest"),
    ...bank("accept"),
  ],
};

for (const provider of ["pushinpay", "segundo"] as const)
  for (const [name, steps] of everyNth(2, Object.entries(HISTORIES), provider === "segundo" ? 1 : 0))
    test(`${name} (${provider})`, () => play({ provider, steps }, world.open));
