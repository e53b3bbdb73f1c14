import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { type NewCharge, ProviderError, type WantedCharge } from "#app/domain/gateway/providers/port.ts";
import { whatIsWrongWithPixCode } from "#app/domain/pix/pix-code.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

type Wanted = Omit<WantedCharge, "webhookUrl">;

/**
 * Asks the provider for a code. Where its answer is lost it is asked what became of that, if it can be.
 * @throws ProviderError where there is no code that a buyer may be shown
 */
export async function askForCode(gateway: Gateway, wanted: Wanted): Promise<NewCharge> {
  try {
    const made = await create(gateway, wanted);
    refuseUnusable(made, wanted);
    return made;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "no-answer") throw error;
    const found = await findLostCode(gateway, wanted).catch((again: unknown) => {
      if (again instanceof ProviderError) return null;
      throw again;
    });
    if (!found) throw error;
    return found;
  }
}

/**
 * The code of a charge whose creation was never answered, so that no second charge is made for the same thing. Null where
 * there is none, where it can no longer be paid, and where the provider cannot tell.
 * @throws ProviderError where it gave no answer
 */
export async function findLostCode(gateway: Gateway, wanted: Wanted): Promise<NewCharge | null> {
  const { provider, credentials } = gateway;
  if (!canFindLostCode(gateway)) return null;
  const known = await provider.findByReference?.(credentials, wanted.reference);
  // The lost request may arrive after this question: only what is idempotent may be asked for again.
  const found = known ?? (provider.isCreatingIdempotent ? await create(gateway, wanted) : null);
  if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) return null;
  refuseUnusable(found, wanted);
  log.info({ provider: provider.name, providerId: found.providerId }, "lost code found");
  return found;
}

/** Whether a provider can tell what became of a charge whose creation it never answered. */
export function canFindLostCode({ provider }: Gateway): boolean {
  return provider.findByReference !== null || provider.isCreatingIdempotent;
}

function create({ provider, credentials, hookToken }: Gateway, wanted: Wanted): Promise<NewCharge> {
  const webhookUrl = `${env.APP_URL}${paths.paymentWebhook(provider.name, hookToken)}?charge=${wanted.reference}`;
  return provider.createCharge(credentials, { ...wanted, webhookUrl });
}

function refuseUnusable({ pixCode }: NewCharge, { amountCents }: Wanted): void {
  const wrong = whatIsWrongWithPixCode(pixCode, amountCents);
  if (wrong) throw new ProviderError("nonsense", `unusable PIX code: ${wrong}`);
}
