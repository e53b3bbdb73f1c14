import { sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { Channel } from "#app/db/notify.server.ts";
import { saleEvents, sales } from "#app/db/schema/sales.server.ts";
import { mayMove, type SaleStatus } from "#app/domain/sales/states.ts";

const CHANNEL: Channel = "sale";

/**
 * Moves a sale, locked by the caller, to another state, leaves the history row and tells the open pages. One statement.
 * @throws Error where the state table does not allow the move: a bug, since callers ask first
 */
export async function moveSale(
  tx: Tx,
  sale: { id: string; status: SaleStatus },
  to: SaleStatus,
  cause: string,
  moments: { completedAt?: Date; refundedAt?: Date } = {},
): Promise<void> {
  if (!mayMove(sale.status, to)) throw new Error(`a ${sale.status} sale cannot become ${to}`);
  await tx.execute(sql`
    with moved as (
      update ${sales} set
        status = ${to},
        completed_at = coalesce(${moments.completedAt?.toISOString() ?? null}::timestamptz, completed_at),
        refunded_at = coalesce(${moments.refundedAt?.toISOString() ?? null}::timestamptz, refunded_at)
      where id = ${sale.id}
      returning id
    ), noted as (
      insert into ${saleEvents} (sale_id, from_status, to_status, cause)
      select id, ${sale.status}::text, ${to}::text, ${cause}::text from moved
    )
    select pg_notify(${CHANNEL}, id::text) from moved`);
}
