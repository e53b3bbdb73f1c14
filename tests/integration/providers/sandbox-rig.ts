import type { Rig, Trouble } from "#tests/integration/providers/rigs.ts";
import { STATUS } from "#tests/integration/providers/rigs.ts";
import type { Fault, SandboxControl } from "#tests/support/clients/sandbox.ts";
import { until } from "#tests/support/until.ts";

type Played = Omit<
  Rig,
  "provider" | "apiKey" | "secret" | "signs" | "connect" | "webhook" | "calls" | "fail"
> & {
  fail(route: string, trouble: Trouble, times?: number): Promise<unknown>;
};

/** What the sandbox plays in the same way for each provider. */
export function sandboxRig(sandbox: SandboxControl, service: Fault["service"]): Played {
  const act = (id: string, action: string, body: object = {}) =>
    sandbox.post(`/transactions/${id}/${action}?wait=1`, body);
  return {
    pay: (id, value) => sandbox.pay(id, { ...(value ? { value } : {}), wait: true }),
    lie: (id) => sandbox.pay(id, { webhookOnly: true, wait: true }),
    tellAgain: (id) => sandbox.tellAgain(id),
    cancel: (id) => act(id, "cancel", { paid: true }),
    expire: (id) => act(id, "expire"),
    giveBack: (id) => act(id, "refund"),
    contest: (id) => act(id, "contest"),
    accept: (id) => act(id, "accept"),
    reject: (id) => act(id, "reject"),
    untilBack: (id) =>
      until(async () => {
        const { refunds } = await sandbox.transaction(id);
        return refunds.length > 0 && refunds.every(({ status }) => status === "confirmed");
      }),
    async fail(route, trouble, times = 1) {
      const fault = { service, route, times } as const;
      if (trouble === "lost-answer") return sandbox.fault({ ...fault, mode: "reset", after: true });
      if (trouble === "no-answer") return sandbox.fault({ ...fault, mode: "reset" });
      if (trouble === "nonsense") return sandbox.fault({ ...fault, mode: "malformed" });
      return sandbox.fault({ ...fault, mode: `status-${STATUS[trouble]!}` });
    },
    documentOf: () => null,
    codes: async () => (await sandbox.transactions()).length,
  };
}
