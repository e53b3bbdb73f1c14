import type { WebhookSetup } from "#app/domain/gateway/providers/account-form.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Finds a provider whose webhooks each seller sets up in its panel. @throws Refusal not-found */
export function findSetupProvider(name: string): Provider & { setup: WebhookSetup } {
  const provider = pick(providers, name);
  const setup = provider?.form.webhook.setup;
  if (!provider || !setup) throw notFound();
  return { ...provider, setup };
}
