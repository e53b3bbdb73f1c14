import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import type { GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { isSecretKey } from "#app/domain/gateway/providers/is-secret-key.ts";
import { capitalizedName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { isMask, unseal } from "#app/platform/secrets.server.ts";

/** An account's key as it was typed, and the name of its field. */
type TypedKey = { provider: Provider; field: string; key: string };

/** The providers of new keys, and whether each accepted its key: it did not say where it is false. */
export type CheckedKeys = Map<string, boolean>;

/** The typed keys that would be checked: no masks, no empty ones, and only of accounts that take payments. */
export function listTypedKeys(form: GatewaysForm, kind: "apiKey" | "publicKey" = "apiKey"): TypedKey[] {
  return Object.values(providers).flatMap((provider) => {
    const field = provider.form.keys.find(({ storedAs }) => storedAs === kind)?.field ?? "";
    const key = pick(form, field);
    return typeof key === "string" && key && !isMask(key) ? [{ provider, field, key }] : [];
  });
}

/**
 * Checks new keys at their providers, before any transaction begins. The saved key is not checked again. While a provider is
 * away any key is saved, so that nobody setting up a shop is blocked: `findUntestedKeys` names it until one works.
 * @throws Refusal invalid where a provider refuses its key, and where a public key is a secret one
 */
export async function checkPaymentKeys(sellerId: string, form: GatewaysForm): Promise<CheckedKeys> {
  const typed = listTypedKeys(form);
  const publicKeys = listTypedKeys(form, "publicKey");
  if (typed.length + publicKeys.length === 0) return new Map();
  const saved = await db
    .select({ provider: gatewayAccounts.provider, sealed: gatewayKeys.apiKeySealed })
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(gatewayAccounts.sellerId, sellerId));
  const isSaved = ({ provider, key }: TypedKey) =>
    saved.some(({ provider: name, sealed }) => name === provider.name && sealed && unseal(sealed) === key);
  const apiKeys = typed.map(({ key }) => key);
  for (const one of publicKeys)
    if (isSaved(one) || isSecretKey(one.provider, one.key, apiKeys))
      throw new Refusal(
        "invalid",
        "Esta chave é secreta, e a deste campo vai para o navegador de quem compra: nada foi salvo. Copie a chave pública do painel.",
        one.field,
      );
  const answers = await Promise.all(
    typed
      .filter((one) => !isSaved(one))
      .map(async ({ provider, field, key }) => {
        const isAccepted = await isKeyAccepted(provider, key).catch((error: unknown) => {
          if (!(error instanceof ProviderError)) throw error;
          return null;
        });
        return { provider, field, isAccepted };
      }),
  );
  for (const { provider, field, isAccepted } of answers)
    if (isAccepted === false)
      throw new Refusal(
        "invalid",
        `${capitalizedName(provider)} não aceitou esta chave, e nada foi salvo. Copie-a de novo, inteira, do painel.`,
        field,
      );
  return new Map(answers.map(({ provider, isAccepted }) => [provider.name, isAccepted === true]));
}

/** Whether a provider accepts a key. @throws ProviderError where it did not say */
export async function isKeyAccepted(provider: Provider, apiKey: string): Promise<boolean> {
  // No header can carry anything else.
  if (!/^[\x20-\x7e]+$/.test(apiKey)) return false;
  try {
    return await provider.checkCredentials({ apiKey });
  } catch (error) {
    if (error instanceof ProviderError)
      log.warn({ provider: provider.name, kind: error.kind, error: error.message }, "key not checked");
    throw error;
  }
}

/** For the seller, after keys were saved that could not be checked. Empty where there are none. */
export function describeUntested(names: string[]): string {
  return names
    .map((name) => {
      const provider = pick(providers, name);
      return provider
        ? ` ${capitalizedName(provider)} não respondeu e a chave ainda não foi testada: use Testar Webhook.`
        : "";
    })
    .join("");
}
