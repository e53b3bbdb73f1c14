import { sql } from "drizzle-orm";
import { readJsonColumn } from "#app/db/read-json.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { PaidCharge } from "#app/domain/sale/payments.ts";
import type { KnownCharge } from "#app/domain/sale/standing.ts";

const PAID = sql.raw(`
    'id', c.id, 'status', c.status, 'paidAt', c.paid_at, 'paidCents', c.paid_cents, 'feeCents', c.fee_cents,
    'surplusAt', c.surplus_at,
    'refunds', (select coalesce(json_agg(json_build_object('status', r.status, 'amountCents', r.amount_cents,
      'requestedAt', r.requested_at, 'acceptedAt', r.accepted_at, 'endedAt', r.ended_at,
      'dismissedAt', r.dismissed_at) order by r.requested_at), '[]')
      from refunds r where r.charge_id = c.id)`);

/**
 * As a column of a query on sales: all that is known of a sale's charges, for `standing`. The table is named by hand: in a
 * query on one table a column is written without it, and `id` would be the charge's own.
 */
export const knownCharges = sql<KnownCharge[]>`(
  select coalesce(json_agg(json_build_object(${PAID},
    'createdAt', c.created_at, 'expiresAt', c.expires_at,
    'announcedAt', (select max(w.received_at) from payment_webhooks w
      where w.charge_id = c.id and w.handled_at is null and w.state = 'paid')
  )), '[]') from charges c where c.sale_id = "sales"."id")`.mapWith(read<KnownCharge>);

/** The columns of a query on sales that `standing` reads. */
export const knownSale = {
  status: sales.status,
  amountCents: sales.amountCents,
  completedAt: sales.completedAt,
  feeCents: sales.feeCents,
  refundedCents: sales.refundedCents,
  charges: knownCharges,
};

/** The same of the charges that money came in with, for `paymentsOf`. */
export const paidCharges = sql<PaidCharge[]>`(
  select coalesce(json_agg(json_build_object(${PAID})), '[]') from charges c
  where c.sale_id = "sales"."id" and c.status in ('paid', 'mispaid'))`.mapWith(read<PaidCharge>);

const MOMENTS = new Set([
  "createdAt",
  "expiresAt",
  "paidAt",
  "surplusAt",
  "announcedAt",
  "requestedAt",
  "acceptedAt",
  "endedAt",
  "dismissedAt",
]);

/** JSON holds moments as text. */
function read<Charge extends PaidCharge>(value: unknown): Charge[] {
  const rows = readJsonColumn<(Record<string, unknown> & { refunds: Record<string, unknown>[] })[]>(value);
  return rows.map((row) => ({
    ...withMoments(row),
    refunds: row.refunds.map(withMoments),
  })) as unknown as Charge[];
}

function withMoments(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      MOMENTS.has(name) && typeof value === "string" ? new Date(value) : value,
    ]),
  );
}
