import { and, eq, inArray, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { FORGIVEN, KEPT } from "#app/domain/stamp/limits.ts";

const ago = (time: number) => new Date(Date.now() - time);

/**
 * Forgets stamped copies that nobody may have or asks for, for cleaning to delete their files: of a sale that was given back
 * or whose buyer has no e-mail any more, of a file that was replaced or is not stamped any more, of words that were
 * corrected. And failures that may have passed.
 */
export async function forgetStamps(): Promise<number> {
  const gone = await db
    .delete(stamps)
    .where(
      or(
        and(isNotNull(stamps.saleId), lt(stamps.askedAt, ago(KEPT))),
        and(isNotNull(stamps.saleId), notExists(stillSold())),
        and(isNotNull(stamps.saleId), notExists(stillStamped())),
        and(isNotNull(stamps.saleId), isCorrected),
        and(isNotNull(stamps.failure), isNotNull(stamps.saleId), lt(stamps.createdAt, ago(FORGIVEN))),
        and(
          inArray(stamps.failure, ["heavy", "full", "gone"]),
          isNull(stamps.saleId),
          lt(stamps.createdAt, ago(FORGIVEN)),
        ),
      ),
    )
    .returning({ id: stamps.id });
  return gone.length;
}

function stillSold() {
  return db
    .select({ one: sql`1` })
    .from(sales)
    .where(
      and(
        eq(sales.id, stamps.saleId),
        inArray(sales.status, ["completed", "disputed"]),
        isNotNull(sales.customerEmail),
      ),
    );
}

function stillStamped() {
  return db
    .select({ one: sql`1` })
    .from(contentItems)
    .where(and(eq(contentItems.fileId, stamps.fileId), isNotNull(contentItems.stampedSince)));
}

/** There is one that was asked for later, with other words. */
const isCorrected = sql`exists (select 1 from stamps later where later.sale_id = stamps.sale_id
  and later.file_id = stamps.file_id and later.created_at > stamps.created_at)`;
