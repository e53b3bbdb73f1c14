import { isValidPixPayload } from "@brazilian-utils/brazilian-utils/is-valid-pix-payload";
import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { type ChargeRequest, type CreatedCharge, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";

type CodeRequest = Omit<ChargeRequest, "webhookUrl">;

/** An account that has a spare is given up after this time: the buyer waits for the spare's code, too. */
const SPARE_AFTER = 4 * SECOND;

/**
 * A code that is fetched from an account with a spare, for a limited time. What the provider still creates afterwards is never
 * shown, so nobody can pay it.
 * @throws ProviderError as `fetchCode` does; `no-answer` when the time is over
 */
export async function fetchBeforeSpare<T>(fetchCode: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeOver = new Promise<never>((_, reject) => {
    const message = `gave no code within ${SPARE_AFTER / SECOND} s`;
    timer = setTimeout(() => reject(new ProviderError("no-answer", message)), SPARE_AFTER);
  });
  try {
    return await Promise.race([fetchCode(), timeOver]);
  } finally {
    clearTimeout(timer);
  }
}

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

/**
 * Why a PIX code must not be shown to a buyer, or null where it is valid: EMV structure and CRC are right, and the amount,
 * where the code holds one, is the requested one.
 */
export function findPixCodeDefect(code: string, amountCents: number): string | null {
  if (!/^[\x20-\x7e]+$/.test(code)) return "characters outside ASCII";
  if (code !== code.trim() || !isValidPixPayload(code)) return "not a valid BR Code";
  const fields = topLevelFields(code);
  if (fields.get("53") !== "986") return "not in BRL";
  const amount = fields.get("54");
  if (amount === undefined) return null;
  return Math.round(Number(amount) * 100) === amountCents
    ? null
    : `amount ${amount}, requested ${amountCents} cents`;
}

/** The code's fields by their number. A field is two digits of id, two of length, the value. */
function topLevelFields(code: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at + 4 <= code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}
