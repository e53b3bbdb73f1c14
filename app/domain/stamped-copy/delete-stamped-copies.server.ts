import { and, eq, inArray, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { contentItems } from "#app/db/schema/files.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { stampedCopies } from "#app/db/schema/stamped-copies.server.ts";
import { COPY_RETENTION, FAILURE_RETENTION } from "#app/domain/stamped-copy/limits.ts";

/**
 * Deletes stamped copies that nobody needs, and cleaning deletes their files: of refunded sales, of buyers without an
 * e-mail, of replaced files or files that are not stamped any more, of corrected texts, and old ones. Also deletes failures
 * that may have passed.
 */
export async function deleteStampedCopies(): Promise<number> {
  const deleted = await db
    .delete(stampedCopies)
    .where(
      or(
        and(isNotNull(stampedCopies.saleId), lt(stampedCopies.requestedAt, ago(COPY_RETENTION))),
        and(isNotNull(stampedCopies.saleId), notExists(whereStillSold())),
        and(isNotNull(stampedCopies.saleId), notExists(whereStillStamped())),
        and(isNotNull(stampedCopies.saleId), isReplacedByLater),
        and(
          isNotNull(stampedCopies.failure),
          isNotNull(stampedCopies.saleId),
          lt(stampedCopies.createdAt, ago(FAILURE_RETENTION)),
        ),
        and(
          inArray(stampedCopies.failure, ["heavy", "full", "gone"]),
          isNull(stampedCopies.saleId),
          lt(stampedCopies.createdAt, ago(FAILURE_RETENTION)),
        ),
      ),
    )
    .returning({ id: stampedCopies.id });
  return deleted.length;
}

function whereStillSold() {
  return db
    .select({ one: sql`1` })
    .from(sales)
    .where(
      and(
        eq(sales.id, stampedCopies.saleId),
        inArray(sales.status, ["completed", "disputed"]),
        isNotNull(sales.customerEmail),
      ),
    );
}

function whereStillStamped() {
  return db
    .select({ one: sql`1` })
    .from(contentItems)
    .where(and(eq(contentItems.fileId, stampedCopies.fileId), isNotNull(contentItems.stampedSince)));
}

/** A later copy exists, with another text. */
const isReplacedByLater = sql`exists (select 1 from stamped_copies later where later.sale_id = stamped_copies.sale_id
  and later.file_id = stamped_copies.file_id and later.created_at > stamped_copies.created_at)`;
