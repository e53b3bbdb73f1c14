import { randomUUID } from "node:crypto";

/** One sending domain of an account. */
export interface Domain {
  id: string;
  name: string;
  region: string;
  status: "not_started" | "pending" | "verified" | "failed";
  createdAt: string;
}

/** A mail as posted, with its later events. `at` is ISO 8601. */
export interface Mail {
  id: string;
  at: string;
  token: string;
  headers: Record<string, unknown>;
  idempotencyKey: string | null;
  body: Record<string, unknown>;
  lastEvent: string;
}

export interface WebhookEndpoint {
  id: string;
  endpoint: string;
  events: string[];
  signingSecret: string;
  createdAt: string;
  /** Disabled in the account's panel: nothing is sent to it. */
  isDisabled?: boolean;
}

/** The data of one API key. `onboarding@resend.dev` may only write to `ownAddress`. */
export interface Account {
  token: string;
  ownAddress: string;
  domains: Domain[];
  endpoints: WebhookEndpoint[];
  /** By idempotency key: the posted payload's hash, the response, and its time. */
  answers: Map<string, { hash: string; answer: object; at: number }>;
  /** Requests in the current second, for the `ratelimit-*` headers. */
  window: { startedAt: number; count: number };
}

export interface ResendState {
  account(token: string): Account;
  mails: Mail[];
  reset(): void;
}

const VERIFIED_AT_START = ["sandbox.local", "checkintelli.local", "exemplo.com.br"];
const OWN_ADDRESSES: Record<string, string> = {
  "re_sandbox-platform": "conta@checkintelli.local",
  "re_sandbox-demo": "vendedor@exemplo.com.br",
};

/** Accounts are created at their first call: any well-formed key has one. */
export function createResendState(): ResendState {
  const accounts = new Map<string, Account>();
  const state: ResendState = {
    mails: [],
    account(token) {
      const known = accounts.get(token);
      if (known) return known;
      const account: Account = {
        token,
        ownAddress: OWN_ADDRESSES[token] ?? "conta@exemplo.com.br",
        domains: VERIFIED_AT_START.map((name) => ({ ...newDomain(name), status: "verified" })),
        endpoints: [],
        answers: new Map(),
        window: { startedAt: 0, count: 0 },
      };
      accounts.set(token, account);
      return account;
    },
    reset() {
      accounts.clear();
      state.mails = [];
    },
  };
  return state;
}

export function newDomain(name: string, region = "us-east-1"): Domain {
  return { id: randomUUID(), name, region, status: "not_started", createdAt: new Date().toISOString() };
}
