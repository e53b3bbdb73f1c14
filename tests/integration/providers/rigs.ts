import type { ProviderFailure } from "#app/db/schema/lists.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { pushinpay } from "#app/domain/gateway/providers/pushinpay/provider.server.ts";
import {
  failSecondBank,
  type Route,
  SECOND_KEY,
  SECOND_SECRET,
  secondBank,
  secondCalls,
  sendSecondWebhook,
} from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { until } from "#tests/support/until.ts";

/** How a call fails: a failure of the provider, or an answer lost after it acted. */
export type Trouble = ProviderFailure | "lost-answer";

/** A provider with controls of its own side. Events there reach the app as webhooks, over the wire. */
export type Rig = {
  provider: Provider;
  /** A key of an account; each shop may have one of its own. */
  apiKey: string;
  secret: string;
  /** Enters a shop's webhook address in its account, where the charges do not carry it. */
  connect?(apiKey: string, webhookUrl: string): Promise<unknown>;
  /** A webhook of an unpaid payment, proved or not. */
  webhook(id: string, isGenuine: boolean): Promise<ReturnType<Provider["exampleWebhook"]>>;
  /** Whether a webhook's proof is of this webhook alone. */
  signs: boolean;
  pay(id: string, cents?: number): Promise<unknown>;
  /** Reports a payment that was not made. */
  lie(id: string): Promise<unknown>;
  tellAgain(id: string): Promise<unknown>;
  /** Also of a payment, which then is called cancelled and nothing more. */
  cancel(id: string): Promise<unknown>;
  expire(id: string): Promise<unknown>;
  giveBack(id: string, cents?: number): Promise<unknown>;
  /** The payer's bank disputes a payment, takes it back, or drops the dispute. */
  contest(id: string): Promise<unknown>;
  accept(id: string): Promise<unknown>;
  reject(id: string): Promise<unknown>;
  /** Waits until a requested refund is done there. */
  untilBack(id: string): Promise<unknown>;
  fail(route: Route, trouble: Trouble, times?: number): Promise<unknown>;
  calls(): Promise<Record<Route, number>>;
  /** The payer data it received. */
  documentOf(id: string): string | null;
  /** How many codes it made, including unknown ones. */
  codes(): Promise<number>;
};

export const STATUS: Partial<Record<Trouble, number>> = { credentials: 401, busy: 429, refused: 422 };

export function pushinpayRig(sandbox: SandboxControl): Rig {
  const routes = { create: "cashIn", find: "transaction", refund: "refund" } as const;
  return {
    provider: pushinpay,
    apiKey: "1|sandbox-demo",
    secret: "segredo-do-painel",
    signs: false,
    webhook: async (id, isGenuine) =>
      pushinpay.exampleWebhook(id, isGenuine ? "segredo-do-painel" : "outro-segredo"),
    pay: (id, value) => sandbox.pay(id, { ...(value ? { value } : {}), wait: true }),
    lie: (id) => sandbox.pay(id, { webhookOnly: true, wait: true }),
    tellAgain: (id) => sandbox.tellAgain(id),
    cancel: (id) => sandbox.post(`/transactions/${id}/cancel?wait=1`, { paid: true }),
    expire: (id) => sandbox.post(`/transactions/${id}/expire?wait=1`),
    giveBack: (id) => sandbox.post(`/transactions/${id}/refund?wait=1`),
    contest: (id) => sandbox.post(`/transactions/${id}/contest?wait=1`),
    accept: (id) => sandbox.post(`/transactions/${id}/accept?wait=1`),
    reject: (id) => sandbox.post(`/transactions/${id}/reject?wait=1`),
    untilBack: (id) => until(async () => (await sandbox.transaction(id)).status === "refunded"),
    async fail(route, trouble, times = 1) {
      const fault = { service: "pushinpay", route: routes[route], times } as const;
      if (trouble === "lost-answer") return sandbox.fault({ ...fault, mode: "reset", after: true });
      if (trouble === "no-answer") return sandbox.fault({ ...fault, mode: "reset" });
      if (trouble === "nonsense") return sandbox.fault({ ...fault, mode: "malformed" });
      return sandbox.fault({ ...fault, mode: `status-${STATUS[trouble]!}` });
    },
    async calls() {
      const { cashIn, transaction, refund } = (await sandbox.calls()).pushinpay;
      return { create: cashIn, find: transaction, refund };
    },
    documentOf: () => null,
    codes: async () => (await sandbox.transactions()).length,
  };
}

export function secondRig(): Rig {
  const tell = (id: string, what: string) =>
    sendSecondWebhook(secondBank.get(id)!.webhookUrl, { ref: id, what });
  const become = (id: string, changes: object, what: string) => {
    Object.assign(secondBank.get(id)!, changes);
    return tell(id, what);
  };
  return {
    provider: secondProvider,
    apiKey: SECOND_KEY,
    secret: SECOND_SECRET,
    signs: true,
    webhook: async (id, isGenuine) =>
      secondProvider.exampleWebhook(id, isGenuine ? SECOND_SECRET : "outro-segredo"),
    pay: (id, cents) => become(id, { state: "paid", ...(cents ? { cents } : {}) }, "paid"),
    lie: (id) => tell(id, "paid"),
    tellAgain: (id) => tell(id, secondBank.get(id)!.state),
    cancel: (id) => become(id, { state: "cancelled" }, "cancelled"),
    expire: (id) => become(id, { state: "expired" }, "expired"),
    giveBack(id, part) {
      const { cents, state } = secondBank.get(id)!;
      const refundedCents = part ?? cents;
      return become(id, { state: refundedCents < cents ? state : "refunded", refundedCents }, "devolvido");
    },
    contest: (id) => become(id, { state: "disputed" }, "disputed"),
    accept: (id) =>
      become(id, { state: "chargedback", refundedCents: secondBank.get(id)!.cents }, "chargedback"),
    reject: (id) => become(id, { state: "paid" }, "paid"),
    untilBack: (id) => until(() => secondBank.get(id)!.refundedCents > 0),
    async fail(route, trouble, times = 1) {
      const mode = trouble === "nonsense" ? "malformed" : (STATUS[trouble] ?? "reset");
      failSecondBank({ route, mode, after: trouble === "lost-answer", times });
    },
    calls: async () => ({ ...secondCalls }),
    documentOf: (id) => secondBank.get(id)!.document,
    codes: async () => secondBank.size,
  };
}
