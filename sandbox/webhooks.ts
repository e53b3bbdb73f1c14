import { randomUUID } from "node:crypto";
import { SECOND, type Time } from "./time.ts";
import type { Status, Transaction } from "./transactions.ts";

/**
 * How PushinPay's webhooks are sent until this is changed or reset.
 *
 * - `encoding`: the real service sends form, its docs show json.
 * - `copies`: identical deliveries sent at once.
 * - `delayMs`: wait before the first attempt.
 * - `drop`: send none.
 * - `order`: `reversed` sends a late `created` after the `paid`.
 * - `created`: also send `created` when a charge is created.
 * - `idCase`, `header`: the real id is UPPERCASE; a header is sent only by accounts that configured one.
 */
export interface WebhookSettings {
  encoding: "form" | "json";
  copies: number;
  delayMs: number;
  drop: boolean;
  order: "normal" | "reversed";
  created: boolean;
  idCase: "upper" | "lower";
  header: { name: string; value: string } | null;
}

/**
 * One delivery and its attempts; `status` is the last HTTP status, null without a response, and `late` if none came in
 * time.
 */
interface Delivery {
  id: string;
  url: string;
  body: string;
  attempts: { at: string; tookMs: number; status: number | null; late?: true; error?: string }[];
}

/**
 * How long the app took over all attempts, from the call to the whole response, at most `ANSWER_WITHIN`. Each late one is
 * sent again.
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
  /** Sends the transaction's present status to its `webhook_url`. Resolves when delivered or given up. */
  notify(transaction: Transaction): Promise<void>;
  /** Sends one forged webhook now, without retries. `status` is null without a response. */
  forge(
    url: string,
    body: unknown,
    encoding?: "form" | "json",
  ): Promise<{ status: number | null; body: string }>;
  reset(): void;
}

const DEFAULTS: WebhookSettings = {
  encoding: "form",
  copies: 1,
  delayMs: 0,
  drop: false,
  order: "normal",
  created: false,
  idCase: "upper",
  header: null,
};

/** After a failed first attempt PushinPay retries three times (contracts 1.5); the intervals are ours. */
const RETRY_WAITS = [SECOND, 2 * SECOND, 4 * SECOND];
const ANSWER_WITHIN = 2 * SECOND;
const MAX_DELIVERIES = 500;
const MAX_TIMES = 5000;

export function createWebhooks(time: Time): Webhooks {
  let settings = { ...DEFAULTS };
  let deliveries: Delivery[] = [];
  let times: number[] = [];
  let late = 0;

  async function attempt(delivery: Delivery, encoding: "form" | "json") {
    const begun = performance.now();
    const answer = await post(delivery.url, delivery.body, encoding, settings.header);
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

  function record(url: string, body: string) {
    const delivery: Delivery = { id: randomUUID(), url, body, attempts: [] };
    deliveries = [...deliveries.slice(1 - MAX_DELIVERIES), delivery];
    return delivery;
  }

  async function deliver(transaction: Transaction, status: Status) {
    if (!transaction.webhookUrl) return;
    const { encoding } = settings;
    const delivery = record(
      transaction.webhookUrl,
      encode(webhookBody({ ...transaction, status }, settings.idCase), encoding),
    );
    for (const wait of [0, ...RETRY_WAITS]) {
      if (wait > 0 && !(await time.sleep(wait))) return;
      const { status } = await attempt(delivery, encoding);
      if (status !== null && status >= 200 && status < 300) return;
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
    async notify(transaction) {
      if (settings.drop) return;
      const { copies, order, delayMs } = settings;
      // The webhook reports the state of this moment, even if it is delivered later.
      const snapshot = { ...transaction };
      if (delayMs > 0 && !(await time.sleep(delayMs))) return;
      await Promise.all(Array.from({ length: copies }, () => deliver(snapshot, snapshot.status)));
      if (order === "reversed" && snapshot.status === "paid") await deliver(snapshot, "created");
    },
    async forge(url, body, encoding = settings.encoding) {
      const answer = await attempt(record(url, encode(body, encoding)), encoding);
      return { status: answer.status, body: answer.body };
    },
    reset() {
      settings = { ...DEFAULTS };
      deliveries = [];
      times = [];
      late = 0;
    },
  };
}

/** The observed fields; the payer's are null until paid. */
function webhookBody(transaction: Transaction, idCase: "upper" | "lower") {
  const paid = transaction.status !== "created";
  return {
    id: idCase === "upper" ? transaction.id.toUpperCase() : transaction.id,
    value: transaction.value,
    status: transaction.status,
    end_to_end_id: paid ? transaction.endToEndId : null,
    payer_name: paid ? transaction.payerName : null,
    payer_national_registration: paid ? transaction.payerDocument : null,
  };
}

/** Text is sent unchanged. A form leaves nulls out, as PHP's `http_build_query` does. */
function encode(body: unknown, encoding: "form" | "json") {
  if (typeof body === "string") return body;
  if (encoding === "json") return JSON.stringify(body);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== null && value !== undefined) form.append(name, String(value));
  }
  return form.toString();
}

async function post(url: string, body: string, encoding: "form" | "json", header: WebhookSettings["header"]) {
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WITHIN),
      headers: {
        "content-type": encoding === "json" ? "application/json" : "application/x-www-form-urlencoded",
        "user-agent": "GuzzleHttp/7",
        ...(header ? { [header.name]: header.value } : {}),
      },
    });
    return { status: response.status, body: (await response.text()).slice(0, 10_000), late: false };
  } catch (error) {
    const { name, cause } = error as Error;
    const body = cause instanceof Error ? cause.message : String(error);
    return { status: null, body, late: name === "TimeoutError" };
  }
}
