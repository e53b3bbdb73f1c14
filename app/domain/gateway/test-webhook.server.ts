import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { paymentWebhooks } from "#app/db/schema/payment-webhooks.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { calledFirst } from "#app/domain/gateway/providers/called.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { CallError, call } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isMask, unseal } from "#app/platform/secrets.server.ts";

const SECRET_MISSING = "Salve primeiro o segredo do webhook: sem ele os avisos são recusados.";

/**
 * Goes out and back: asks the provider whether it knows the key, then sends a notice to the seller's public webhook
 * address over the network, as the provider would, and looks whether it arrived in the inbox. Both ways are measured.
 * @param typed a key to try in place of the saved one; a mask or an empty text means the saved one
 * @returns what was seen, in words for the seller
 * @throws Refusal invalid, unavailable
 */
export async function testWebhook(sellerId: string, provider: string, typed: string): Promise<string> {
  const [account] = await db
    .select({
      hookToken: gatewayAccounts.hookToken,
      webhookSecretSealed: gatewayAccounts.webhookSecretSealed,
      apiKeySealed: gatewayKeys.apiKeySealed,
    })
    .from(gatewayAccounts)
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
  const port = pick(providers, provider);
  if (!port) throw notFound();
  if (!account?.apiKeySealed) throw new Refusal("invalid", port.form.keyMissing);
  const apiKey = typed && !isMask(typed) ? typed : unseal(account.apiKeySealed);
  await checkKey(port, apiKey);
  const secret = account.webhookSecretSealed ? unseal(account.webhookSecretSealed) : null;
  if (!secret && port.areNewsSigned) throw new Refusal("invalid", SECRET_MISSING);
  const took = await sendNotice(port, account.hookToken, secret);
  return `Webhook testado com sucesso! ${calledFirst(port)} aceitou a API Key e o aviso de teste chegou ao seu endereço em ${took} ms (HTTP 200).`;
}

async function checkKey(port: Provider, apiKey: string): Promise<void> {
  try {
    if (await port.checkCredentials({ apiKey })) return;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ provider: port.name, kind: error.kind, error: error.message }, "key not checked");
    throw new Refusal(
      "unavailable",
      error.kind === "no-answer"
        ? `${calledFirst(port)} não respondeu. Tente novamente em alguns instantes.`
        : `${calledFirst(port)} respondeu com um erro (${error.message.slice(0, 3)}). Tente novamente em alguns instantes.`,
    );
  }
  throw new Refusal(
    "invalid",
    `${calledFirst(port)} não aceitou a API Key (HTTP 401). Confira a chave e salve de novo.`,
  );
}

/** @returns how long it took, in ms */
async function sendNotice(port: Provider, hookToken: string, secret: string | null): Promise<number> {
  const id = `teste-${randomBytes(12).toString("hex")}`;
  const began = Date.now();
  try {
    const answer = await call(env.APP_URL + paths.paymentWebhook(port.name, hookToken), {
      method: "POST",
      service: "self",
      timeoutMs: 8 * SECOND,
      ...port.exampleNews(id, secret),
    });
    const arrived = await takeOut(id);
    if (answer.status === 200 && arrived) return Date.now() - began;
    throw new Refusal(
      "unavailable",
      answer.status === 200
        ? "O endereço do webhook respondeu, mas o aviso de teste não chegou aqui: outro servidor atende por ele."
        : `O endereço do webhook respondeu HTTP ${answer.status}: o aviso de teste não foi recebido.`,
    );
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new Refusal(
      "unavailable",
      `Não conseguimos chegar ao endereço público do webhook (${new URL(env.APP_URL).host}): ${error.failure === "timeout" ? "sem resposta a tempo" : "sem conexão"}.`,
    );
  }
}

/** Takes the test's notice out of the inbox again. @returns whether it was there */
async function takeOut(id: string): Promise<boolean> {
  const gone = await db
    .delete(paymentWebhooks)
    .where(eq(paymentWebhooks.providerId, id))
    .returning({ id: paymentWebhooks.id });
  return gone.length > 0;
}
