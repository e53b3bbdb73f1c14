import { and, asc, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries } from "#app/db/schema/deliveries.server.ts";
import { type PartCursor, paginate } from "#app/kit/paginate.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A delivery, sent or queued, with its body as it was sent and the answer. */
export type LoggedDelivery = Omit<Row, "bodySealed" | "clearedAt"> & {
  /** Decrypts the body. Null before the first attempt, and after 30 days. */
  readBody: () => string | null;
  cleared: boolean;
};
type Row = typeof deliveries.$inferSelect;

const PAGE_SIZE = 25;

/** A page of a destination's deliveries, newest first; `before` and `after` are page cursors. */
export async function listDeliveries(
  sellerId: string,
  destinationId: string,
  {
    before = null,
    after = null,
    limit = PAGE_SIZE,
  }: { before?: PartCursor | null; after?: PartCursor | null; limit?: number },
) {
  const rows = await db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.sellerId, sellerId),
        eq(deliveries.destinationId, destinationId),
        after
          ? sql`${cursorColumns} > ${cursorValue(after)}`
          : before
            ? sql`${cursorColumns} < ${cursorValue(before)}`
            : undefined,
      ),
    )
    .orderBy(...[deliveries.sequence, deliveries.part].map(after ? asc : desc))
    .limit(limit + 1);
  const page = paginate(rows, { limit, before, after });
  return { ...page, items: page.items.map(toLoggedDelivery) };
}

const cursorColumns = sql`(${deliveries.sequence}, ${deliveries.part})`;
const cursorValue = ({ sequence, part }: PartCursor) => sql`(${sequence}::bigint, ${part}::int)`;

function toLoggedDelivery({ bodySealed, clearedAt, ...row }: Row): LoggedDelivery {
  return { ...row, readBody: () => bodySealed && unseal(bodySealed), cleared: clearedAt !== null };
}
