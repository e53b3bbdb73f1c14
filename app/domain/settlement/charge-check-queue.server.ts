import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { nowRoundedUp } from "#app/db/columns.server.ts";
import { saleOfCharge } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { type ChargeSnapshot, checkColumns } from "#app/domain/settlement/charge-snapshot.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { defineQueue } from "#app/queue/define-queue.server.ts";
import { CHECKS } from "#app/queue/names.ts";

/** A charge whose check is due, and until when this worker owns it. */
export type ClaimedCheck = {
  chargeId: string;
  leasedUntil: Date;
  requestedBy: string | null;
  /** The charge as it was claimed; `at` is by `performance.now`. */
  snapshot?: ChargeSnapshot & { at: number };
};

/** How long a worker owns a charge before it has called the provider. */
const LEASE = 10 * SECOND;
/** A charge that cannot be checked yet is put at the end of the queue, so that it does not block its head. */
const UNCHECKED_DELAY = 15 * MINUTE;

const CHECKS_AT_ONCE = 12;

/** Checks charges that are due: a webhook came, or may never come. */
export const chargeCheckQueue = defineQueue<ClaimedCheck>({
  name: CHECKS,
  concurrency: CHECKS_AT_ONCE,
  pollInterval: SECOND,
  claim: claimChecks,
  handle: checkClaimedCharge,
  logIds: ({ chargeId }) => ({ chargeId }),
  requestIdOf: ({ requestedBy }) => requestedBy,
});

/** Claims due charges, the longest due first. Locked ones are skipped. */
export async function claimChecks(limit: number): Promise<ClaimedCheck[]> {
  const rows = await db
    .update(charges)
    .set({ nextCheckAt: sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})` })
    .from(sales)
    .innerJoin(sellers, sql`${sellers.id} = ${sales.sellerId}`)
    .where(
      sql`${saleOfCharge} and ${charges.id} = any(array(select id from charges where next_check_at <= ${nowRoundedUp}
        order by next_check_at limit ${limit} for no key update skip locked))`,
    )
    .returning({
      chargeId: charges.id,
      leasedUntil: charges.nextCheckAt,
      requestedBy: charges.requestedBy,
      charge: checkColumns,
      sale: saleContacts,
    });
  const at = performance.now();
  return rows.map(({ charge, sale, ...row }) => ({
    ...row,
    leasedUntil: row.leasedUntil!,
    snapshot: { at, charge, sale },
  }));
}

/**
 * Checks a charge at the provider, or reschedules it for when its gate opens. The gate lets one call through, so a worker
 * that resumes after its lease ended makes none. A check sets the next one also where it got no answer: pauses grow, and a
 * provider that is down or a key that is refused is not called for ever.
 */
export async function checkClaimedCharge({ chargeId, leasedUntil, snapshot }: ClaimedCheck): Promise<void> {
  try {
    // A webhook may have come while the claim waited for the row. For an open charge the provider's answer covers it; for
    // others it decides whether to check at all. An old snapshot is read again, too.
    const isFresh = snapshot?.charge.status === "open" && performance.now() - snapshot.at < SECOND;
    const result = await checkCharge(chargeId, { snapshot: isFresh ? snapshot : undefined });
    if (result.kind === "checked") return log.info({ chargeId, outcome: result.outcome }, "charge checked");
    const isBooked = sql`${charges.status} in ('paid', 'mispaid')`;
    const later = sql`now() + make_interval(secs => ${UNCHECKED_DELAY / SECOND})`;
    const nextCheckAt =
      result.kind === "gate" ? result.opensAt : sql`case when ${isBooked} then null else ${later} end`;
    // Compare and set, so that a webhook that reschedules it meanwhile survives.
    await db
      .update(charges)
      .set({ nextCheckAt })
      .where(
        and(
          ...[snapshot && eq(charges.sellerId, snapshot.sale.sellerId), eq(charges.id, chargeId)],
          eq(charges.nextCheckAt, leasedUntil),
        ),
      );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
