import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { type ChargeRequest, type CreatedCharge, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { findPixCodeDefect } from "#app/domain/pix/find-pix-code-defect.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

type CodeRequest = Omit<ChargeRequest, "webhookUrl">;

/**
 * Requests a code from the provider. If its answer is lost, looks the charge up where the provider can.
 * @throws ProviderError where there is no code that a buyer may be shown
 */
export async function requestCode(gateway: Gateway, codeRequest: CodeRequest): Promise<CreatedCharge> {
  try {
    const created = await createCharge(gateway, codeRequest);
    refuseUnusable(created, codeRequest);
    return created;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "no-answer") throw error;
    const found = await findLostCode(gateway, codeRequest).catch((lookupError: unknown) => {
      if (lookupError instanceof ProviderError) return null;
      throw lookupError;
    });
    if (!found) throw error;
    return found;
  }
}

/**
 * Finds the code of a charge whose creation was never answered, so that no second charge is created. Null where there is
 * none, where it can no longer be paid, and where the provider cannot look it up.
 * @throws ProviderError where it gave no answer
 */
export async function findLostCode(
  gateway: Gateway,
  codeRequest: CodeRequest,
): Promise<CreatedCharge | null> {
  const { provider, credentials } = gateway;
  if (!canFindLostCode(gateway)) return null;
  const known = await provider.findByReference?.(credentials, codeRequest.reference);
  // The lost request may arrive after this lookup, so the creation is repeated only where that is idempotent.
  const found = known ?? (provider.isCreatingIdempotent ? await createCharge(gateway, codeRequest) : null);
  if (!found || (found.expiresAt && found.expiresAt.getTime() <= Date.now())) return null;
  refuseUnusable(found, codeRequest);
  log.info({ provider: provider.name, providerId: found.providerId }, "lost code found");
  return found;
}

/** Whether a provider can find a charge whose creation it never answered. */
export function canFindLostCode({ provider }: Gateway): boolean {
  return provider.findByReference !== null || provider.isCreatingIdempotent;
}

function createCharge(
  { provider, credentials, hookToken }: Gateway,
  codeRequest: CodeRequest,
): Promise<CreatedCharge> {
  const webhookUrl = `${env.APP_URL}${paths.paymentWebhook(provider.name, hookToken)}?charge=${codeRequest.reference}`;
  return provider.createCharge(credentials, { ...codeRequest, webhookUrl });
}

function refuseUnusable({ pixCode }: CreatedCharge, { amountCents }: CodeRequest): void {
  const defect = findPixCodeDefect(pixCode, amountCents);
  if (defect) throw new ProviderError("nonsense", `unusable PIX code: ${defect}`);
}
