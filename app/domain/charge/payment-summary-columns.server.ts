import { sql } from "drizzle-orm";
import { readJsonColumn } from "#app/db/columns.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isExtraDisputed } from "#app/domain/charge/check-times.server.ts";
import type { KnownCharge } from "#app/domain/sale/payment-summary.ts";
import type { PaidCharge } from "#app/domain/sale/payments.ts";

const PAID_CHARGE_FIELDS = sql`
    'id', c.id, 'status', c.status, 'paidAt', c.paid_at, 'amountCents', c.amount_cents, 'paidCents', c.paid_cents, 'feeCents', c.fee_cents,
    'overpaidAt', c.overpaid_at, 'isDisputed', ${isExtraDisputed(sql`c`)}, 'instalments', c.instalments, 'buyerCents', c.buyer_cents,
    'refunds', (select coalesce(json_agg(json_build_object('status', r.status, 'origin', r.origin, 'amountCents', r.amount_cents,
      'requestedAt', r.requested_at, 'acceptedAt', r.accepted_at, 'endedAt', r.ended_at,
      'dismissedAt', r.dismissed_at, 'isUnsent', r.send_at is not null) order by r.requested_at), '[]')
      from refunds r where r.seller_id = c.seller_id and r.charge_id = c.id)`;

/**
 * A sale's charges for `summarizePayments`, as a column of a query on sales. The table is named in plain SQL: in a query on
 * one table Drizzle writes columns without it, and `id` would be the charge's own. A challenge and a review are one state of a
 * charge: the newest answer of its provider tells them apart.
 */
export const summaryCharges = sql<KnownCharge[]>`(
  select coalesce(json_agg(json_build_object(${PAID_CHARGE_FIELDS},
    'method', c.method, 'createdAt', c.created_at, 'expiresAt', c.expires_at,
    'isChallenged', case when c.status = 'in_review' then coalesce((select e.data->>'state' = 'challenged' from charge_events e
      where e.seller_id = c.seller_id and e.charge_id = c.id
        and (e.kind = 'in_review' or (e.kind = 'asked' and e.data->>'state' in ('in_review', 'challenged')))
      order by e.id desc limit 1), false) else false end,
    'announcedAt', (select max(w.received_at) from payment_webhooks w
      where w.seller_id = c.seller_id and w.charge_id = c.id and w.handled_at is null and w.state = 'paid')
  )), '[]') from charges c where c.seller_id = "sales"."seller_id" and c.sale_id = "sales"."id")`.mapWith(
  parseCharges<KnownCharge>,
);

/** The columns of a query on sales that `summarizePayments` reads. */
export const paymentSummaryColumns = {
  status: sales.status,
  amountCents: sales.amountCents,
  completedAt: sales.completedAt,
  feeCents: sales.feeCents,
  refundedCents: sales.refundedCents,
  charges: summaryCharges,
};

const paidCharges = sql<PaidCharge[]>`(
  select coalesce(json_agg(json_build_object(${PAID_CHARGE_FIELDS})), '[]') from charges c
  where c.seller_id = "sales"."seller_id" and c.sale_id = "sales"."id" and c.status in ('paid', 'mispaid'))`.mapWith(
  parseCharges<PaidCharge>,
);

/** The columns of a query on sales that `derivePayments` reads: of its charges only the paid ones. */
export const paidSaleColumns = { ...paymentSummaryColumns, charges: paidCharges };

const TIMESTAMP_FIELDS = new Set([
  "createdAt",
  "expiresAt",
  "paidAt",
  "overpaidAt",
  "announcedAt",
  "requestedAt",
  "acceptedAt",
  "endedAt",
  "dismissedAt",
]);

/** JSON holds timestamps as text. */
function parseCharges<Charge extends PaidCharge>(value: unknown): Charge[] {
  const rows = readJsonColumn<(Record<string, unknown> & { refunds: Record<string, unknown>[] })[]>(value);
  return rows.map((row) => ({
    ...parseTimestamps(row),
    refunds: row.refunds.map(parseTimestamps),
  })) as unknown as Charge[];
}

function parseTimestamps(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      TIMESTAMP_FIELDS.has(name) && typeof value === "string" ? new Date(value) : value,
    ]),
  );
}
