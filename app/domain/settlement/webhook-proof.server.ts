import type { Provider } from "#app/domain/gateway/providers/port.ts";
import type { ReceivedWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { countInWindow } from "#app/platform/count-in-window.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** An unproved webhook is accepted only where the secret is optional and the seller saved none. */
export function isGenuine(
  provider: Provider,
  sealedSecret: string | null,
  webhook: ReceivedWebhook,
): boolean | Promise<boolean> {
  const { webhookProof } = provider;
  if (webhookProof === "public-keys") return provider.isWebhookGenuine("", webhook);
  if (!sealedSecret) return webhookProof !== "secret";
  return provider.isWebhookGenuine(unseal(sealedSecret), webhook);
}

/** Unproved webhooks of an account that lead to a check within a minute, in each process. */
const MAX_UNPROVED = 20;
const countUnproved = countInWindow(MAX_UNPROVED, MINUTE);

/** Whether to ask the provider about an unproved webhook: a stranger must not make us call it often. */
export function mayCheckUnproved({ webhookProof }: Provider, sellerId: string): boolean {
  return webhookProof === "optional-signature" && countUnproved(sellerId) === 0;
}
