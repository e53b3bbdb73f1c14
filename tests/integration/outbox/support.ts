import { tellSubject } from "#app/domain/outbox/telling/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { sql } from "#tests/support/database.ts";

/** Tells all that is queued of a sale, as a worker would. */
export function tell(destinationId: string, saleId: string) {
  return tellSubject({ destinationId, subjectId: saleId }, readNews);
}

/** What is kept of what a destination is told, in the order of telling. */
export function newsOf(destinationId: string) {
  return sql`select id, event, part, status, why, attempts, response_status, response_body, next_at, body_sealed, sale_id
    from outbox where destination_id = ${destinationId} order by place, part`;
}

/** When a sale's oldest queued news is looked at again; null where none is queued. */
export async function nextTell(destinationId: string, saleId: string): Promise<Date | null> {
  const [row] = await sql`select due_at from outbox
    where destination_id = ${destinationId} and subject_id = ${saleId} and status = 'queued' order by place, part limit 1`;
  return (row?.due_at as Date | undefined) ?? null;
}

/** Makes what waits due now. */
export async function makeDue(destinationId: string) {
  await sql`update outbox set next_at = null, due_at = date_trunc('milliseconds', now()) where destination_id = ${destinationId}`;
  await sql`update destinations set rest_until = null where id = ${destinationId}`;
}
