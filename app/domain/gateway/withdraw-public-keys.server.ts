import { and, eq, isNotNull } from "drizzle-orm";
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

/**
 * Once a day: removes public keys that are secret ones, saved before these were refused, switches the cards of their accounts off,
 * and tells the sellers. Until then `findCardGateway` gives them to no page.
 */
export const withdrawPublicKeys = defineJob<Record<string, never>>("withdraw-public-keys", async () => {
  const accounts = await db
    .select({
      ...gatewayColumns,
      sellerId: gatewayAccounts.sellerId,
      publicKeySealed: gatewayAccounts.publicKeySealed,
    })
    .from(gatewayAccounts)
    .innerJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(isNotNull(gatewayAccounts.publicKeySealed));
  const withdraw = async ({ sellerId, publicKeySealed, ...row }: (typeof accounts)[number]) => {
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
  await runEach(accounts, withdraw, "not all public keys checked");
});
