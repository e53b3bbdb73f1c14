import { readReconciledDays } from "#app/domain/reconciliation/month.ts";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

type Product = Parameters<typeof makeSale>[0];
type Charge = Awaited<ReturnType<typeof makeCharge>>;

/** A sale that was paid at a moment, and its charge. */
export async function paidSale(
  product: Product,
  at: Date,
  {
    sale = {},
    charge = {},
  }: { sale?: Parameters<typeof makeSale>[1]; charge?: Parameters<typeof makeCharge>[1] } = {},
) {
  const made = await makeSale(product, { status: "completed", createdAt: at, completedAt: at, ...sale });
  return {
    sale: made,
    charge: await makeCharge(made, { status: "paid", paidAt: at, paidCents: made.amountCents, ...charge }),
  };
}

/** The provider's answer to a check, an hour after the payment. */
export async function answered(charge: Charge, state: string): Promise<void> {
  await sql`update charges set last_checked_at = paid_at + interval '1 hour' where id = ${charge.id}`;
  await sql`insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    select id, seller_id, 'asked', ${sql.json({ state, word: state, tookMs: 1 })}, 'system', paid_at + interval '1 hour'
    from charges where id = ${charge.id}`;
}

/** A refund of a charge. */
export async function refunded(
  charge: Charge,
  fields: {
    status: "done" | "pending" | "unconfirmed";
    origin?: "requested" | "recorded" | "observed";
    cents?: number;
  },
): Promise<void> {
  const { status, origin = "requested", cents = charge.paidCents! } = fields;
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    select id, seller_id, ${cents}, ${status}, ${origin}, ${status === "pending" ? null : new Date()} from charges where id = ${charge.id}`;
}

/** The month of a moment as its seller sees it. */
export function monthAt(sellerId: string, at: Date, day: string | null = null) {
  const days = readReconciledDays(new URLSearchParams(day ? { day } : {}), at);
  return readReconciliation(sellerId, days, { limit: 50, before: null });
}
