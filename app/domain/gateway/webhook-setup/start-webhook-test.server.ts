import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { webhookTests } from "#app/db/schema/charge-checks.server.ts";
import { gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { findSetupProvider } from "#app/domain/gateway/webhook-setup/find-setup-provider.server.ts";
import { SECRET_MISSING } from "#app/domain/gateway/webhook-setup/plan-webhook-test.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { randomToken } from "#app/platform/secrets.server.ts";
import { WEBHOOK_TESTS } from "#app/queue/names.ts";

const MAX_TESTS_PER_HOUR = 10;

/** What our reference of a test's PIX begins with, so that sellers recognize it in the provider's panel. */
export const TEST_REFERENCE = "teste-";

/**
 * Starts a test of the webhooks that a seller set up at a provider: `runWebhookTest` does the rest. While one is running this
 * does nothing.
 * @throws Refusal not-found for a provider without such tests; invalid where a key is missing; too-many
 */
export async function startWebhookTest(sellerId: string, providerName: string): Promise<void> {
  const { name: provider, form } = findSetupProvider(providerName);
  // Two starts at once are one test.
  await withSellerLock(sellerId, async (tx) => {
    const [account] = await tx
      .select({ keyId: gatewayAccounts.keyId, secret: gatewayAccounts.webhookSecretSealed })
      .from(gatewayAccounts)
      .where(and(eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider)));
    if (!account?.keyId) throw new Refusal("invalid", form.keyMissing);
    if (!account.secret) throw new Refusal("invalid", SECRET_MISSING);
    const { isRunning, inLastHour } = await countTests(tx, sellerId, provider);
    if (isRunning) return;
    if (inLastHour >= MAX_TESTS_PER_HOUR)
      throw new Refusal("too-many", `São no máximo ${MAX_TESTS_PER_HOUR} testes por hora. Tente mais tarde.`);
    const reference = TEST_REFERENCE + randomToken();
    await tx
      .insert(webhookTests)
      .values({ sellerId, provider, gatewayKeyId: account.keyId, reference, scheduledAt: sql`now()` });
    await notify(tx, "due", WEBHOOK_TESTS);
  });
}

async function countTests(tx: Tx, sellerId: string, provider: string) {
  const [row] = await tx
    .select({
      isRunning: sql<boolean>`coalesce(bool_or(${webhookTests.endedAt} is null), false)`,
      inLastHour: sql<number>`count(*) filter (where ${webhookTests.startedAt} > now() - interval '1 hour')::int`,
    })
    .from(webhookTests)
    .where(and(eq(webhookTests.sellerId, sellerId), eq(webhookTests.provider, provider)));
  return row!;
}
