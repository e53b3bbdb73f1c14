import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { sql } from "#tests/support/database.ts";

/**
 * Sends all queued deliveries of a sale, as a worker would. A claim leaves out a row that is locked at this moment by what wakes
 * waiting deliveries, a second after one ended: it stays due, and is claimed again.
 */
export async function sendQueued(destinationId: string, saleId: string): Promise<void> {
  for (let due = 1; due > 0; ) {
    await sendSubject({ destinationId, subjectId: saleId }, readNotification);
    const rows =
      await sql`select from deliveries where destination_id = ${destinationId} and subject_id = ${saleId}
      and status = 'queued' and scheduled_at <= now() and coalesce(leased_until <= now(), true)`;
    due = rows.length;
  }
}

/** The stored deliveries of a destination, in sequence. */
export function deliveriesOf(destinationId: string) {
  return sql`select id, event, part, status, reason, attempts, response_status, response_body, next_attempt_at, body_sealed, sale_id
    from deliveries where destination_id = ${destinationId} order by sequence, part`;
}

/** When a sale's oldest queued delivery is attempted next; null if none is queued. */
export async function nextAttempt(destinationId: string, saleId: string): Promise<Date | null> {
  const [row] = await sql`select scheduled_at from deliveries
    where destination_id = ${destinationId} and subject_id = ${saleId} and status = 'queued' order by sequence, part limit 1`;
  return (row?.scheduled_at as Date | undefined) ?? null;
}

/** Schedules all pending deliveries now. */
export async function scheduleNow(destinationId: string) {
  await sql`update deliveries set next_attempt_at = null, scheduled_at = date_trunc('milliseconds', now()) where destination_id = ${destinationId}`;
  await sql`update destinations set backoff_until = null where id = ${destinationId}`;
}
