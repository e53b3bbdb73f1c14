import { HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";

/** How many, and within how many milliseconds. */
export type Limit = readonly [attempts: number, within: number];
export type Limits = { client: Limit; target: Limit; pair?: Limit };

/**
 * Attempts by kind, counted by all processes together: per client, per target (an e-mail address, or the id of a seller,
 * a sale or a payment), and per client and target. These and the numbers below, with their reasons: docs/decisions/limits-by-client.md.
 */
export const ATTEMPTS = {
  "sign-in": { client: [100, 15 * MINUTE], target: [100, 15 * MINUTE], pair: [10, 15 * MINUTE] },
  register: { client: [30, HOUR], target: [5, HOUR] },
  reset: { client: [30, HOUR], target: [5, HOUR] },
  access: { client: [30, HOUR], target: [5, HOUR] },
  correct: { client: [30, HOUR], target: [5, HOUR] },
  "edit-customer": { client: [120, HOUR], target: [60, HOUR] },
  "edit-customer-to": { client: [120, HOUR], target: [10, HOUR] },
  "ask-refund": { client: [30, HOUR], target: [5, HOUR] },
  erase: { client: [30, HOUR], target: [5, HOUR] },
  "take-along": { client: [60, HOUR], target: [20, HOUR] },
  receipt: { client: [120, HOUR], target: [30, HOUR] },
  resend: { client: [30, HOUR], target: [5, HOUR] },
  confirm: { client: [30, HOUR], target: [5, HOUR] },
  "test-mail": { client: [60, HOUR], target: [20, HOUR] },
  "test-mail-to-stranger": { client: [20, HOUR], target: [5, HOUR] },
  "held-form": { client: [60, HOUR], target: [30, HOUR] },
  "import-statement": { client: [60, HOUR], target: [30, HOUR] },
  reconcile: { client: [60, HOUR], target: [20, HOUR] },
  "announce-file": { client: [240, MINUTE], target: [60, MINUTE] },
  "announce-picture": { client: [120, MINUTE], target: [30, MINUTE] },
  // Stolen cards are tried out where nobody counts.
  card: { client: [40, HOUR], target: [60, HOUR], pair: [12, HOUR] },
  "card-brand": { client: [240, HOUR], target: [60, HOUR] },
  "checkout-link": { client: [1200, MINUTE], target: [600, MINUTE] },
  "outside-call": { client: [200, 15 * MINUTE], target: [60, 15 * MINUTE] },
} as const satisfies Record<string, Limits>;

/** Requests counted in each process: per client, `preview` also per seller, and `policy-log` for all clients together. */
export const REQUESTS = {
  visit: [120, 10 * SECOND],
  "policy-report": [20, 10 * SECOND],
  "policy-log": [60, MINUTE],
  preview: [30, 20 * SECOND],
  "oauth-code": [60, 10 * MINUTE],
  "unknown-coupon-typed": [30, 10 * MINUTE],
  // One wrong link in an advertisement is opened by many buyers behind one address.
  "unknown-coupon-linked": [200, 10 * MINUTE],
  // A mobile network's buyers share an address and come by few campaigns.
  "campaign-of-checkout": [10, HOUR],
} as const satisfies Record<string, Limit>;

/** Event streams that a process holds at once. */
export const STREAMS = { sale: 4, client: 60, process: 4000 };
