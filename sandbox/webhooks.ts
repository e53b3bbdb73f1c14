import { randomUUID } from "node:crypto";
import type { Time } from "./time.ts";
import type { Provider, Refund, Status, Transaction } from "./transactions.ts";
import {
  type Message,
  type PushinPayEncoding,
  pushinpayFormat,
  type WebhookFormat,
  type WebhookFormats,
} from "./webhook-formats.ts";

/**
 * How the providers' webhooks are sent until this is changed or reset.
 *
 * - `provider`: the only one that `copies`, `delayMs`, `drop`, `order` and `created` are about; null: each of them.
 * - `copies`: identical deliveries sent at once.
 * - `delayMs`: wait before the first attempt.
 * - `drop`: send none.
 * - `order`: `reversed` sends a late `created` after the `paid`.
 * - `created`: also send `created` when a charge is created.
 */
export interface WebhookSettings extends PushinPayEncoding {
  provider: Provider | null;
  copies: number;
  delayMs: number;
  drop: boolean;
  order: "normal" | "reversed";
  created: boolean;
}

/**
 * One delivery and its attempts; `status` is the last HTTP status, null without a response, and `late` if none came in
 * time.
 */
interface Delivery {
  id: string;
  provider: Provider;
  url: string;
  body: string;
  attempts: { at: string; tookMs: number; status: number | null; late?: true; error?: string }[];
}

/**
 * How long the app took over all attempts, from the call to the whole response, at most what its provider waits. Each late
 * one is sent again.
 */
export interface AnswerTimes {
  attempts: number;
  late: number;
  p50Ms: number;
  p95Ms: number;
  slowestMs: number;
}

export interface Webhooks {
  settings(): WebhookSettings;
  change(settings: Partial<WebhookSettings>): void;
  deliveries(): Delivery[];
  answerTimes(): AnswerTimes;
  /** Whether a new charge is reported as well. */
  reportsCreated(provider: Provider): boolean;
  /** Where a transaction's webhooks go. */
  urlOf(transaction: Transaction): string | null;
  /** Sends the transaction's present status, or one refund of it. Resolves when delivered or given up. */
  notify(transaction: Transaction, refund?: Refund): Promise<void>;
  /** Sends one forged webhook now, as this provider would, without retries. `status` is null without a response. */
  forge(url: string, body: unknown, provider: Provider): Promise<{ status: number | null; body: string }>;
  /** The headers and the body with which this provider would send something. */
  wrap(body: unknown, provider: Provider): Message;
  reset(): void;
}

const DEFAULTS: WebhookSettings = {
  provider: null,
  encoding: "form",
  copies: 1,
  delayMs: 0,
  drop: false,
  order: "normal",
  created: false,
  idCase: "upper",
  header: null,
};

const MAX_DELIVERIES = 500;
const MAX_TIMES = 5000;

/** What `provider` limits has its default for the others. */
type Delivering = Pick<WebhookSettings, "copies" | "delayMs" | "drop" | "order" | "created">;

export function createWebhooks(time: Time, others: Omit<WebhookFormats, "pushinpay">): Webhooks {
  let settings = { ...DEFAULTS };
  let deliveries: Delivery[] = [];
  let times: number[] = [];
  let late = 0;

  const formats: WebhookFormats = { ...others, pushinpay: pushinpayFormat(() => settings) };

  function settingsOf(provider: Provider): Delivering {
    return settings.provider === null || settings.provider === provider ? settings : DEFAULTS;
  }

  async function attempt(delivery: Delivery, { body, headers }: Message, format: WebhookFormat) {
    const begun = performance.now();
    const isCurrent = time.begin();
    const answer = await post(delivery.url, body, headers, format.answerWithin);
    // What was counted before a reset is gone.
    if (!isCurrent()) return answer;
    const tookMs = Math.round(performance.now() - begun);
    times = [...times.slice(1 - MAX_TIMES), tookMs];
    if (answer.late) late += 1;
    delivery.attempts.push({
      at: new Date(time.now()).toISOString(),
      tookMs,
      status: answer.status,
      ...(answer.late ? { late: true } : {}),
      ...(answer.status === null ? { error: answer.body } : {}),
    });
    return answer;
  }

  function record(provider: Provider, url: string, body: string) {
    const delivery: Delivery = { id: randomUUID(), provider, url, body, attempts: [] };
    deliveries = [...deliveries.slice(1 - MAX_DELIVERIES), delivery];
    return delivery;
  }

  async function deliver(transaction: Transaction, status: Status, refund?: Refund) {
    const format = formats[transaction.provider];
    const url = format.urlOf(transaction);
    const message = format.message(transaction, status, refund);
    const other = refund ? null : format.ofOtherTopic?.(transaction);
    await Promise.all([
      ...(url && message ? [send(transaction.provider, url, message)] : []),
      ...(other ? [send(transaction.provider, other.url, other.message)] : []),
    ]);
  }

  async function send(provider: Provider, url: string, message: Message) {
    const format = formats[provider];
    const delivery = record(provider, url, message.body);
    const isCurrent = time.begin();
    for (const wait of [0, ...format.retryWaits]) {
      if (wait > 0 && !(await time.sleep(wait))) return;
      const { status } = await attempt(delivery, message, format);
      if (!isCurrent() || (status !== null && status >= 200 && status < 300)) return;
    }
  }

  return {
    settings: () => settings,
    change(changes) {
      settings = { ...settings, ...changes };
    },
    deliveries: () => deliveries,
    answerTimes() {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return { attempts: sorted.length, late, p50Ms: at(0.5), p95Ms: at(0.95), slowestMs: at(1) };
    },
    reportsCreated: (provider) => settingsOf(provider).created,
    urlOf: (transaction) => formats[transaction.provider].urlOf(transaction),
    async notify(transaction, refund) {
      const { copies, order, delayMs, drop } = settingsOf(transaction.provider);
      if (drop) return;
      // The webhook reports the state of this moment, even if it is delivered later.
      const snapshot = { ...transaction };
      if (delayMs > 0 && !(await time.sleep(delayMs))) return;
      await Promise.all(Array.from({ length: copies }, () => deliver(snapshot, snapshot.status, refund)));
      if (order === "reversed" && snapshot.status === "paid") await deliver(snapshot, "created");
    },
    async forge(url, body, provider) {
      const format = formats[provider];
      const message = format.wrap(body);
      const answer = await attempt(record(provider, url, message.body), message, format);
      return { status: answer.status, body: answer.body };
    },
    wrap: (body, provider) => formats[provider].wrap(body),
    reset() {
      settings = { ...DEFAULTS };
      deliveries = [];
      times = [];
      late = 0;
    },
  };
}

async function post(url: string, body: string, headers: Record<string, string>, answerWithin: number) {
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithin),
      headers,
    });
    return { status: response.status, body: (await response.text()).slice(0, 10_000), late: false };
  } catch (error) {
    const { name, cause } = error as Error;
    const body = cause instanceof Error ? cause.message : String(error);
    return { status: null, body, late: name === "TimeoutError" };
  }
}
