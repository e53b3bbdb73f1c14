import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { webhookTests } from "#app/db/schema/charge-checks.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { gatewaysVersion } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { describeWebhookTest } from "#app/domain/gateway/webhook-setup/describe-webhook-test.server.ts";
import { findSetupProvider } from "#app/domain/gateway/webhook-setup/find-setup-provider.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { pick } from "#app/kit/pick.ts";

/**
 * How a seller sets up the webhooks of a provider, what of it is saved, and the newest test. The secret is a mask, or empty
 * where none is saved.
 * @throws Refusal not-found for a provider whose webhooks need no set-up
 */
export async function showWebhookSetup(sellerId: string, providerName: string) {
  const provider = findSetupProvider(providerName);
  const { form, setup } = provider;
  const [gateways, [test]] = await Promise.all([
    showGateways(sellerId),
    db
      .select({
        ...getTableColumns(webhookTests),
        isOfSavedKey: sql<boolean>`exists (select from ${gatewayAccounts} a
          where a.seller_id = ${sellerId} and a.key_id = ${webhookTests.gatewayKeyId})`,
      })
      .from(webhookTests)
      .where(and(eq(webhookTests.sellerId, sellerId), eq(webhookTests.provider, provider.name)))
      .orderBy(desc(webhookTests.startedAt))
      .limit(1),
  ]);
  const savedIn = (field: string) => String(pick(gateways, field) ?? "");
  const keyOf = (storedAs: "apiKey" | "webhookSecret") => form.keys.find((key) => key.storedAs === storedAs)!;
  const takesCards = pick(gateways, form.cardToggle?.field ?? "") === true;
  return {
    provider: provider.name,
    title: form.title,
    ofProvider: nameWithArticle(provider, "d"),
    url: savedIn(form.webhook.field),
    panelUrl: setup.panelUrl,
    steps: setup.steps.filter(({ isForCards }) => takesCards || !isForCards),
    secret: savedIn(keyOf("webhookSecret").field),
    secretField: keyOf("webhookSecret").field,
    secretLabel: keyOf("webhookSecret").label,
    keyMissing: savedIn(keyOf("apiKey").field) === "" ? form.keyMissing : null,
    version: gatewaysVersion(gateways),
    test: test
      ? {
          ...describeWebhookTest(test, provider),
          startedAt: formatDateTime(test.startedAt),
          seenAt: Date.now(),
        }
      : null,
  };
}
