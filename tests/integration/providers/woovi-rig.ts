import { woovi } from "#app/domain/gateway/providers/woovi/provider.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { sandboxRig } from "#tests/integration/providers/sandbox-rig.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";

/** Woovi in the sandbox. Each shop has an account of its own: webhooks go to the address entered in it. */
export function wooviRig(sandbox: SandboxControl): Rig {
  return {
    ...sandboxRig(sandbox, "woovi"),
    provider: woovi,
    get apiKey() {
      return `sandbox-${crypto.randomUUID()}`;
    },
    secret: "",
    signs: true,
    connect: (appId, webhookUrl) => sandbox.post("/woovi", { appId, webhookUrl }),
    async webhook(id, isGenuine) {
      const body = { event: "OPENPIX:CHARGE_CREATED", charge: { correlationID: id, status: "ACTIVE" } };
      const signed = await sandbox.wrap(body, "woovi");
      return isGenuine ? signed : { ...signed, body: signed.body.replace("ACTIVE", "active") };
    },
    async calls() {
      const { create, find, refund } = (await sandbox.calls()).woovi;
      return { create, find, refund };
    },
  };
}
