import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { gatewayColumns, toGateway } from "#app/domain/gateway/find-gateway.server.ts";
import { isSecretKey } from "#app/domain/gateway/providers/is-secret-key.ts";
import { queueGatewayTroubleMail } from "#app/domain/gateway/queue-gateway-trouble-mail.server.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

const BATCH = 200;

/**
 * Once a day: removes public keys that are secret ones, saved before these were refused, switches the cards of their accounts off,
 * and tells the sellers. Until then `findCardGateway` gives them to no page.
 */
export const withdrawPublicKeys = defineJob<Record<string, never>>("withdraw-public-keys", async () => {
  const withdraw = async ({ sellerId, publicKeySealed, ...row }: Account) => {
    const gateway = toGateway(row);
    if (!gateway) return;
    const { provider, credentials } = gateway;
    if (!isSecretKey(provider, unseal(publicKeySealed!), [credentials.apiKey])) return;
    // Before the change: if this process dies in between, the next run tells it.
    await queueGatewayTroubleMail(sellerId, gateway, { topic: "secret-public-key" });
    await db.transaction(async (tx) => {
      await tx
        .update(gatewayAccounts)
        .set({ publicKeySealed: null, cardsEnabledAt: null, updatedAt: new Date() })
        .where(
          and(
            ...[eq(gatewayAccounts.sellerId, sellerId), eq(gatewayAccounts.provider, provider.name)],
            eq(gatewayAccounts.publicKeySealed, publicKeySealed!),
          ),
        );
      await notify(tx, "storefront", `seller:${sellerId}`);
    });
    log.warn(
      { sellerId, provider: provider.name },
      "a secret key that was saved as the public one is removed",
    );
  };
  await runEach(listAccounts(), withdraw, "not all public keys checked");
});

type Account = Awaited<ReturnType<typeof readAccounts>>[number];

/** The accounts with a public key, in batches. */
async function* listAccounts(): AsyncGenerator<Account> {
  for (let batch = await readAccounts(); batch.length > 0; ) {
    yield* batch;
    batch = batch.length === BATCH ? await readAccounts(batch.at(-1)) : [];
  }
}

function readAccounts(after?: { sellerId: string; provider: string }) {
  const { sellerId, provider } = gatewayAccounts;
  return db
    .select({ ...gatewayColumns, sellerId, publicKeySealed: gatewayAccounts.publicKeySealed })
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(
      and(
        isNotNull(gatewayAccounts.publicKeySealed),
        after && sql`(${sellerId}, ${provider}) > (${after.sellerId}::uuid, ${after.provider})`,
      ),
    )
    .orderBy(asc(sellerId), asc(provider))
    .limit(BATCH);
}
