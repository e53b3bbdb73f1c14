import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { emptyAround } from "#app/domain/erasure/empty-around.server.ts";
import { log } from "#app/platform/log.server.ts";

/** Few enough that a batch holds its rows for a moment only. */
export const AT_ONCE = 50;

/**
 * Takes the buyer out of these sales, and out of all that speaks of them (what that is: `columns.ts`), in one transaction.
 * Charges are locked before their sales, as settling locks them, and neither is waited for: what somebody else holds is left
 * for the next time, so that a payment that is being booked is booked with its buyer, and nobody waits in a circle.
 * @param of a condition on sales `s`, which holds once they are locked
 * @param as whom reports count in the buyer's place; null where nobody is counted
 * @returns the ids of those emptied
 */
export async function emptySales(saleIds: string[], of: SQL, as: string | null): Promise<string[]> {
  if (saleIds.length === 0) return [];
  const emptied = await db.transaction(async (tx) => {
    const free = await lock(tx, saleIds, of);
    if (free.length === 0) return [];
    await emptyAround(tx, free);
    await tx.execute(sql`
      update sales set emptied_at = now(), emptied_as = ${as}::text, customer_name = null, customer_email = null,
        customer_phone = null, customer_document_sealed = null, customer_ip = null, utm_term = null, utm_content = null,
        campaign = '{}', ad_ids = null, order_key = '', press_key = null, client_key = null
      where id = ${idsOf(free)}`);
    return free;
  });
  // After a backup was restored these are to be emptied again: docs/operations.md.
  if (emptied.length > 0) log.info({ sales: emptied }, "persons taken out of sales");
  return emptied;
}

async function lock(tx: Tx, saleIds: string[], of: SQL): Promise<string[]> {
  const whole = await tx.execute<{ id: string }>(sql`
    with held as (
      select sale_id from charges where sale_id = ${idsOf(saleIds)} order by id for no key update skip locked
    )
    select s.id from sales s where s.id = ${idsOf(saleIds)}
      and (select count(*) from charges c where c.sale_id = s.id) = (select count(*) from held h where h.sale_id = s.id)`);
  const rows = await tx.execute<{ id: string }>(sql`
    select s.id from sales s where s.id = ${idsOf(whole.map(({ id }) => id))} and s.emptied_at is null and ${of}
    order by s.id for no key update skip locked`);
  return rows.map(({ id }) => id);
}

/** For `id = ` in a query. */
export function idsOf(ids: string[]): SQL {
  return sql`any(${`{${ids.join(",")}}`}::uuid[])`;
}
