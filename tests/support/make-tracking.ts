import { db } from "#app/db/client.server.ts";
import { trackingConnections } from "#app/db/schema/tracking.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** A seller's UTMify connection as the sandbox takes it, with every event on. */
export async function makeTracking(
  seller: { id: string },
  fields: Partial<typeof trackingConnections.$inferInsert> = {},
): Promise<void> {
  await db.insert(trackingConnections).values({
    sellerId: seller.id,
    apiTokenSealed: seal("sandbox-utmify"),
    enabledAt: new Date(),
    onPurchase: true,
    onRefund: true,
    onChargeback: true,
    ...fields,
  });
}
