import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { byNow } from "#app/db/columns.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { askedColumns, askProvider, type Read } from "#app/domain/settlement/ask-provider.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { CHECKS } from "#app/queue/names.ts";
import { definePump } from "#app/queue/pump.server.ts";

/** A charge whose next look was due, and until when it is ours to look at. */
export type Check = {
  chargeId: string;
  until: Date;
  askedBy: string | null;
  /** The charge as it was when it was taken, by `performance.now`. */
  read?: Read & { at: number };
};

/** Whoever took a charge and has not asked within this is taken for dead. */
const LEASE = 10 * SECOND;
/** A charge that cannot be asked about yet goes to the end of the line, not to its head for ever. */
const IF_NOT_ASKED = 15 * MINUTE;

/** Asks about charges whose next look is due: news came of them, or their webhook may never come. */
export const checks = definePump<Check>({
  name: CHECKS,
  atOnce: 12,
  every: SECOND,
  claim: claimChecks,
  handle: checkCharge,
  about: ({ chargeId }) => ({ chargeId }),
  request: ({ askedBy }) => askedBy,
});

/** Takes charges that are due, the longest due first. What somebody else holds is left for the next time. */
export async function claimChecks(most: number): Promise<Check[]> {
  const rows = await db
    .update(charges)
    .set({ nextCheckAt: sql`date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE / SECOND})` })
    .from(sales)
    .innerJoin(sellers, sql`${sellers.id} = ${sales.sellerId}`)
    .where(
      sql`${sales.id} = ${charges.saleId} and ${charges.id} = any(array(select id from charges where next_check_at <= ${byNow}
        order by next_check_at limit ${most} for no key update skip locked))`,
    )
    .returning({
      chargeId: charges.id,
      until: charges.nextCheckAt,
      askedBy: charges.askedBy,
      charge: askedColumns,
      sale: saleContacts,
    });
  const at = performance.now();
  return rows.map(({ charge, sale, ...row }) => ({ ...row, until: row.until!, read: { at, charge, sale } }));
}

/**
 * Asks the provider about a charge, now or when the gate opens. The gate lets one question through, so that a worker that
 * wakes up with a charge that others have taken since asks nothing. Asking sets the next look itself, also where there was
 * no answer: pauses grow, and a provider that is down or a key that is no longer good is not asked for ever.
 */
export async function checkCharge({ chargeId, until, read }: Check): Promise<void> {
  try {
    // News may have come while the claim waited for the row: of an open charge the provider's answer tells as much, of
    // another they decide whether it is asked at all. Whoever slept since reads it again, too.
    const isFresh = read?.charge.status === "open" && performance.now() - read.at < SECOND;
    const asked = await askProvider(chargeId, isFresh ? read : undefined);
    if (asked.kind === "asked") return log.info({ chargeId, outcome: asked.outcome }, "charge checked");
    const isBooked = sql`${charges.status} in ('paid', 'mispaid')`;
    const later = sql`now() + make_interval(secs => ${IF_NOT_ASKED / SECOND})`;
    const nextCheckAt =
      asked.kind === "gate" ? asked.opensAt : sql`case when ${isBooked} then null else ${later} end`;
    // Only where it is as we took it: news may have come since.
    await db
      .update(charges)
      .set({ nextCheckAt })
      .where(and(eq(charges.id, chargeId), eq(charges.nextCheckAt, until)));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
