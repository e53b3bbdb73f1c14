import { mercadopago } from "#app/domain/gateway/providers/mercadopago/provider.server.ts";
import type { Rig } from "#tests/integration/providers/rigs.ts";
import { sandboxRig } from "#tests/integration/providers/sandbox-rig.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";

const SECRET = "assinatura-da-aplicacao";

/** Mercado Pago in the sandbox. Each shop has an application of its own, with its webhook address and secret. */
export function mercadopagoRig(sandbox: SandboxControl): Rig {
  return {
    ...sandboxRig(sandbox, "mercadopago"),
    provider: mercadopago,
    get apiKey() {
      return `APP_USR-sandbox-${crypto.randomUUID()}`;
    },
    secret: SECRET,
    signs: true,
    connect: (accessToken, webhookUrl) =>
      sandbox.post("/mercadopago", { accessToken, webhookUrl, secret: SECRET }),
    webhook: async (id, isGenuine) =>
      mercadopago.exampleWebhook(id.toUpperCase(), isGenuine ? SECRET : "outro-segredo"),
    async fail(route, trouble, times = 1) {
      // A lost order is searched, and a known one is looked up.
      if (route === "find") await sandboxRig(sandbox, "mercadopago").fail("search", trouble, times);
      return sandboxRig(sandbox, "mercadopago").fail(route, trouble, times);
    },
    async calls() {
      const { create, find, refund } = (await sandbox.calls()).mercadopago;
      return { create, find, refund };
    },
  };
}
