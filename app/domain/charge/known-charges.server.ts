import { sql } from "drizzle-orm";
import { readJsonColumn } from "#app/db/read-json.server.ts";
import type { KnownCharge } from "#app/domain/sale/standing.ts";

/**
 * As a column of a query on sales: all that is known of a sale's charges, for `standing`. The table is named by hand: in a
 * query on one table a column is written without it, and `id` would be the charge's own.
 */
export const knownCharges = sql<KnownCharge[]>`(
  select coalesce(json_agg(json_build_object(
    'id', c.id, 'status', c.status, 'createdAt', c.created_at, 'expiresAt', c.expires_at,
    'paidCents', c.paid_cents, 'feeCents', c.fee_cents, 'surplusAt', c.surplus_at,
    'announcedAt', (select max(w.received_at) from payment_webhooks w
      where w.charge_id = c.id and w.handled_at is null and w.state = 'paid'),
    'refunds', (select coalesce(json_agg(json_build_object('status', r.status, 'amountCents', r.amount_cents)
      order by r.requested_at), '[]') from refunds r where r.charge_id = c.id)
  )), '[]') from charges c where c.sale_id = "sales"."id")`.mapWith(read);

/** JSON holds moments as text. */
function read(value: unknown): KnownCharge[] {
  type Raw = Omit<KnownCharge, "createdAt" | "expiresAt" | "surplusAt" | "announcedAt"> &
    Record<"createdAt", string> &
    Record<"expiresAt" | "surplusAt" | "announcedAt", string | null>;
  const rows = readJsonColumn<Raw[]>(value);
  const moment = (text: string | null) => (text === null ? null : new Date(text));
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    expiresAt: moment(row.expiresAt),
    surplusAt: moment(row.surplusAt),
    announcedAt: moment(row.announcedAt),
  }));
}
