import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { unsealKeys } from "#app/domain/gateway/charge-keys.server.ts";
import type { CardDisputes } from "#app/domain/gateway/providers/card-port.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Credentials, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { storeWebhook } from "#app/domain/settlement/store-webhook.server.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Keys that are tried: the current one, then older ones, whose account may be another one. */
const MAX_KEYS = 3;

/**
 * Finds the charge that a provider's webhook about a dispute is of, and stores it as one of that charge: its check books what
 * the provider says, also of a payment that was refunded. Without an answer the dispute is found by the charge's own checks.
 */
export const lookUpDispute = defineJob<{ sellerId: string; provider: string; disputeId: string }>(
  "look-up-dispute",
  async ({ sellerId, provider, disputeId }) => {
    const answers = pick(providers, provider)?.cards?.disputes;
    const keys = unsealKeys(await findKeys(sellerId, provider));
    if (!answers || keys.length === 0) return;
    try {
      const reference = await findReference(answers, keys, disputeId);
      const charge = reference ? await findCharge(sellerId, reference) : undefined;
      const providerId = charge?.providerId;
      const reported = { state: "disputed", providerStatus: "chargeback", endToEndId: null } as const;
      if (charge && providerId)
        await storeWebhook(provider, sellerId, { providerId, ...reported }, { ...charge, isDisputed: true });
      log.info({ provider, disputeId, chargeId: charge?.id ?? null }, "dispute looked up");
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ provider, disputeId, kind: error.kind, error: error.message }, "dispute not looked up");
      if (error.kind === "no-answer" || error.kind === "busy") throw error;
    }
  },
  { maxAttempts: 6 },
);

async function findCharge(sellerId: string, reference: string) {
  const [charge] = await db
    .select({
      id: charges.id,
      saleId: charges.saleId,
      providerId: charges.providerId,
      status: charges.status,
    })
    .from(charges)
    .where(and(eq(charges.reference, reference), eq(charges.sellerId, sellerId)));
  return charge;
}

/** Asks with each key in turn: the current one may be of another account, which is accepted and does not find the dispute. */
async function findReference(answers: CardDisputes, keys: Credentials[], disputeId: string) {
  for (const key of keys) {
    const reference = await answers.findReference(key, disputeId).catch((error: unknown) => {
      if (error instanceof ProviderError && error.kind === "credentials") return null;
      throw error;
    });
    if (reference) return reference;
  }
  return null;
}

async function findKeys(sellerId: string, provider: string): Promise<string[]> {
  const isCurrent = sql`${gatewayKeys.id} = (select a.key_id from ${gatewayAccounts} a
    where a.seller_id = ${sellerId} and a.provider = ${provider})`;
  const rows = await db
    .select({ sealed: gatewayKeys.apiKeySealed })
    .from(gatewayKeys)
    .where(
      and(
        eq(gatewayKeys.sellerId, sellerId),
        eq(gatewayKeys.provider, provider),
        isNotNull(gatewayKeys.apiKeySealed),
      ),
    )
    .orderBy(desc(sql`coalesce(${isCurrent}, false)`), desc(gatewayKeys.createdAt))
    .limit(MAX_KEYS);
  return rows.flatMap(({ sealed }) => sealed ?? []);
}
