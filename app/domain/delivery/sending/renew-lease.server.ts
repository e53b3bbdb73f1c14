import { db } from "#app/db/client.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import {
  type DeliveryWithDestination,
  isClaimedBy,
  LEASE,
  leaseEnd,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { log } from "#app/platform/log.server.ts";

/** Renews the lease while the call lasts. @returns how to stop */
export function renewLease({ delivery }: DeliveryWithDestination): () => Promise<void> {
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(() => extendLease(delivery));
  }, LEASE / 4);
  return () => {
    clearInterval(timer);
    return renewing;
  };
}

async function extendLease(delivery: DeliveryWithDestination["delivery"]): Promise<void> {
  try {
    const [row] = await db
      .update(deliveries)
      .set({ leasedUntil: leaseEnd, scheduledAt: leaseEnd })
      .where(isClaimedBy(delivery))
      .returning({ leasedUntil: deliveries.leasedUntil });
    if (row) delivery.leasedUntil = row.leasedUntil!;
  } catch (err) {
    log.warn({ deliveryId: delivery.id, err }, "delivery's lease not renewed");
  }
}
