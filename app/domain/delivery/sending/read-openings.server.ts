import { and, eq, ne, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import type { Destination, Opened, Openings } from "#app/domain/delivery/destination.ts";
import type { ClaimedDelivery } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { wasAccepted } from "#app/domain/delivery/sending/was-accepted.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * What a destination was told to open for a sale, and for other ones. What it refused is not open.
 * For an opening: what other ones of the sale opened that the destination accepted.
 */
export async function readOpenings(
  { id, sellerId, destinationId, saleId, event }: ClaimedDelivery,
  keptSaleIds: string[],
  kind: Destination,
): Promise<Openings> {
  if (!saleId) return { own: [], kept: [] };
  const counts =
    event === "access.granted"
      ? and(ne(deliveries.id, id), wasAccepted)
      : sql`(${deliveries.reason} is distinct from 'rejected' or ${wasAccepted})`;
  const rows = await db
    .select({
      saleId: deliveries.saleId,
      bodySealed: deliveries.bodySealed,
      attemptLog: deliveries.attemptLog,
    })
    .from(deliveries)
    .where(
      and(
        ...[eq(deliveries.sellerId, sellerId), anyOf(deliveries.saleId, [saleId, ...keptSaleIds])],
        ...[eq(deliveries.destinationId, destinationId), eq(deliveries.event, "access.granted")],
        counts,
      ),
    );
  const openedBy = (ids: string[]) =>
    rows.flatMap((row) => (ids.includes(row.saleId!) ? openedByRow(row, kind) : []));
  return { own: openedBy([saleId]), kept: openedBy(keptSaleIds) };
}

type Row = Pick<typeof deliveries.$inferSelect, "bodySealed" | "attemptLog">;

/** What a body opened, and what only the log knows since the body was cleared. */
function openedByRow({ bodySealed, attemptLog }: Row, kind: Destination): Opened[] {
  const known = bodySealed === null ? [] : kind.openedBy!(unseal(bodySealed));
  const logged = attemptLog.flatMap(({ opened = [] }) => opened);
  const ids = logged.filter((id) => !known.some((one) => one.ids.includes(id)));
  return ids.length === 0 ? known : [...known, { email: null, ids }];
}
