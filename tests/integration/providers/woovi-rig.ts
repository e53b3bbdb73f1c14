import { woovi } from "#app/domain/gateway/providers/woovi/provider.server.ts";
import { type Rig, STATUS } from "#tests/integration/providers/rigs.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { until } from "#tests/support/until.ts";

/** Woovi in the sandbox. Each shop has an account of its own: webhooks go to the address entered in it. */
export function wooviRig(sandbox: SandboxControl): Rig {
  const act = (id: string, action: string, body: object = {}) =>
    sandbox.post(`/transactions/${id}/${action}?wait=1`, body);
  return {
    provider: woovi,
    get apiKey() {
      return `sandbox-${crypto.randomUUID()}`;
    },
    secret: "",
    connect: (appId, webhookUrl) => sandbox.post("/woovi", { appId, webhookUrl }),
    async webhook(id, isGenuine) {
      const body = { event: "OPENPIX:CHARGE_CREATED", charge: { correlationID: id, status: "ACTIVE" } };
      const signed = await sandbox.wrap(body, "woovi");
      return isGenuine ? signed : { ...signed, body: signed.body.replace("ACTIVE", "active") };
    },
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
      const fault = { service: "woovi", route, times } as const;
      if (trouble === "lost-answer") return sandbox.fault({ ...fault, mode: "reset", after: true });
      if (trouble === "no-answer") return sandbox.fault({ ...fault, mode: "reset" });
      if (trouble === "nonsense") return sandbox.fault({ ...fault, mode: "malformed" });
      return sandbox.fault({ ...fault, mode: `status-${STATUS[trouble]!}` });
    },
    async calls() {
      const { create, find, refund } = (await sandbox.calls()).woovi;
      return { create, find, refund };
    },
    documentOf: () => null,
    codes: async () => (await sandbox.transactions()).length,
  };
}
