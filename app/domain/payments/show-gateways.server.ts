import { eq, getTableColumns } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { maskedResendKey } from "#app/domain/mail/masked-resend-key.server.ts";
import { newHookToken } from "#app/domain/payments/hook-token.server.ts";
import { showConnection } from "#app/domain/tracking/show-connection.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A seller's gateway settings for API and page: every key is a mask, or empty where none was saved. Three statements. */
export async function showGateways(sellerId: string) {
  const [rows, tracking, resendKey] = await Promise.all([
    db
      .select({ ...getTableColumns(gatewayAccounts), apiKeySealed: gatewayKeys.apiKeySealed })
      .from(gatewayAccounts)
      .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
      .where(eq(gatewayAccounts.sellerId, sellerId)),
    showConnection(sellerId),
    maskedResendKey(sellerId),
  ]);
  const of = (provider: string) => rows.find((row) => row.provider === provider);
  const [pushinpay, stripe, mercadopago] = [of("pushinpay"), of("stripe"), of("mercadopago")];
  const hookToken = pushinpay?.hookToken ?? newHookToken(sellerId, "pushinpay");
  return {
    pushinpay_enabled: pushinpay?.enabledAt != null,
    pushinpay_api_key: masked(pushinpay?.apiKeySealed),
    pushinpay_webhook_secret: masked(pushinpay?.webhookSecretSealed),
    pushinpay_webhook_url: env.APP_URL + paths.paymentWebhook("pushinpay", hookToken),
    stripe_enabled: stripe?.enabledAt != null,
    stripe_public_key: masked(stripe?.publicKeySealed),
    stripe_secret_key: masked(stripe?.apiKeySealed),
    mercadopago_enabled: mercadopago?.enabledAt != null,
    mercadopago_public_key: masked(mercadopago?.publicKeySealed),
    mercadopago_access_token: masked(mercadopago?.apiKeySealed),
    utmfy_enabled: tracking.enabled,
    utmfy_api_token: tracking.token,
    utmfy_source_id: tracking.sourceId,
    resend_api_key: resendKey,
  };
}

function masked(sealed: string | null | undefined): string {
  return sealed ? maskSecret(unseal(sealed)) : "";
}
