import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { paymentWebhooks } from "#app/db/schema/charge-checks.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { isKeyAccepted } from "#app/domain/gateway/check-payment-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { capitalizedName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { type Provider, ProviderError, type ProviderWebhook } from "#app/domain/gateway/providers/port.ts";
import { recordKeyAnswer } from "#app/domain/gateway/record-key-answer.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";
import { CallError, call } from "#app/platform/http.server.ts";
import { isMask, unseal } from "#app/platform/secrets.server.ts";

const ANSWER_TIMEOUT = 8 * SECOND;

/**
 * Tests both directions: checks the key at the provider, then sends an example webhook to the seller's public webhook URL
 * over the network, as the provider would, and checks that it was stored. The answer about the saved key is stored; where a later
 * step fails, the message reports both.
 * @param typed a key to test instead of the saved one; a mask or an empty text means the saved one
 * @returns the result, as text for the seller
 * @throws Refusal invalid, unavailable
 */
export async function testWebhook(sellerId: string, provider: string, typed: string): Promise<string> {
  const [account] = await db
    .select({
      hookToken: gatewayAccounts.hookToken,
      webhookSecretSealed: gatewayAccounts.webhookSecretSealed,
      keyId: gatewayAccounts.keyId,
      apiKeySealed: gatewayKeys.apiKeySealed,
    })
    .from(gatewayAccounts)
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
  const gatewayProvider = pick(providers, provider);
  if (!gatewayProvider) throw notFound();
  if (!account?.apiKeySealed) throw new Refusal("invalid", gatewayProvider.form.keyMissing);
  const savedKey = unseal(account.apiKeySealed);
  const apiKey = typed && !isMask(typed) ? typed : savedKey;
  const isAccepted = await checkKey(gatewayProvider, apiKey);
  const isSaved = apiKey === savedKey;
  if (isSaved && account.keyId)
    await recordKeyAnswer({ sellerId, provider, keyId: account.keyId }, isAccepted ? null : "credentials");
  if (!isAccepted)
    throw new Refusal(
      "invalid",
      `${capitalizedName(gatewayProvider)} não aceitou a API Key. Confira a chave e salve de novo.`,
    );
  if (isSaved) await testSpareSoon(sellerId, provider);
  const accepted = `${capitalizedName(gatewayProvider)} aceitou a API Key${isSaved ? "" : " digitada, que ainda não está salva"}`;
  const secret = account.webhookSecretSealed ? unseal(account.webhookSecretSealed) : null;
  if (!secret && gatewayProvider.webhookProof === "secret")
    throw new Refusal("invalid", `${accepted}. ${describeMissingSecret(gatewayProvider)}`);
  const sent = await sendExampleWebhook(sellerId, gatewayProvider, account.hookToken, secret);
  if (typeof sent === "string") throw new Refusal("unavailable", `${accepted}. Mas ${sent}`);
  return `Webhook testado com sucesso! ${accepted}${isSaved ? "" : ","} e o aviso de teste chegou ao seu endereço em ${sent} ms (HTTP 200).`;
}

/** A spare that failed its daily test is tested again: its seller may have mended what was wrong. */
async function testSpareSoon(sellerId: string, provider: string): Promise<void> {
  await db
    .update(gatewayAccounts)
    .set({ nextSpareTestAt: sql`now()` })
    .where(
      and(
        ...[eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)],
        ...[isNotNull(gatewayAccounts.spareFailure), isNotNull(gatewayAccounts.nextSpareTestAt)],
      ),
    );
}

function describeMissingSecret({ form }: Provider): string {
  const field = form.keys.find(({ storedAs }) => storedAs === "webhookSecret");
  return `Falta o campo “${field?.label}”: sem ele os avisos são recusados. Preencha-o, salve e teste de novo.`;
}

async function checkKey(gatewayProvider: Provider, apiKey: string): Promise<boolean> {
  try {
    return await isKeyAccepted(gatewayProvider, apiKey);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new Refusal(
      "unavailable",
      error.kind === "no-answer"
        ? `${capitalizedName(gatewayProvider)} não respondeu. Tente novamente em alguns instantes.`
        : `${capitalizedName(gatewayProvider)} respondeu com um erro (${error.message.slice(0, 3)}). Tente novamente em alguns instantes.`,
    );
  }
}

/** @returns how long it took, in ms; or why it did not arrive, as text for the seller */
async function sendExampleWebhook(
  sellerId: string,
  gatewayProvider: Provider,
  hookToken: string,
  secret: string | null,
): Promise<number | string> {
  const { body, headers, query } = gatewayProvider.exampleWebhook(`teste-${randomUUID()}`, secret);
  const url = new URL(env.APP_URL + paths.paymentWebhook(gatewayProvider.name, hookToken));
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const startedAt = Date.now();
  try {
    const answer = await call(url.href, {
      method: "POST",
      service: "self",
      timeoutMs: ANSWER_TIMEOUT,
      ...{ body, headers },
    });
    const arrived =
      gatewayProvider.webhookProof === "public-keys"
        ? isReceived(answer.body)
        : await removeExampleWebhook(sellerId, gatewayProvider.parseWebhook(body) as ProviderWebhook);
    if (answer.status === 200 && arrived) return Date.now() - startedAt;
    return answer.status === 200
      ? "o endereço do webhook respondeu sem que o aviso de teste chegasse aqui: outro servidor atende por ele."
      : `o endereço do webhook respondeu HTTP ${answer.status}: o aviso de teste não foi recebido.`;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return `não conseguimos chegar ao endereço público do webhook (${new URL(env.APP_URL).host}): ${error.failure === "timeout" ? "sem resposta a tempo" : "sem conexão"}.`;
  }
}

/** Whether our own route answered: such a webhook is not stored. */
function isReceived(body: string): boolean {
  try {
    return (parseUntrusted(body) as { received?: unknown } | null)?.received === true;
  } catch {
    return false;
  }
}

/** Deletes the example webhook, which is about a payment. @returns whether it was stored */
async function removeExampleWebhook(sellerId: string, { providerId }: ProviderWebhook): Promise<boolean> {
  const removed = await db
    .delete(paymentWebhooks)
    .where(and(eq(paymentWebhooks.sellerId, sellerId), eq(paymentWebhooks.providerId, providerId)))
    .returning({ id: paymentWebhooks.id });
  return removed.length > 0;
}
