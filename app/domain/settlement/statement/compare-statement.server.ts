import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts, pacedChecks } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { StatementRow } from "#app/domain/settlement/statement/read-statement.server.ts";
import { DAY } from "#app/kit/duration.ts";

/** Of a longer statement the last days are looked at for what is missing. */
const MOST_DAYS = 100;
/** Of each kind of difference so many are listed; all are counted. */
const LISTED = 100;

/** What a statement and a seller's books say of each other. `scheduled`: how many charges will be checked. */
export type Comparison = {
  rows: number;
  same: number;
  scheduled: number;
  unknown: { count: number; listed: { id: string }[] };
  differing: { count: number; listed: OurCharge[] };
  missing: { count: number; listed: Missing[]; from: string; to: string } | null;
};

/** A charge that the statement tells otherwise, in cents. */
type OurCharge = {
  id: string;
  saleId: string;
  theirCents: number | null;
  theirState: StatementRow["state"];
  ourCents: number;
  ourState: "paid" | "returned" | "unpaid";
  by: "amount" | "state" | "open";
};
type Missing = { id: string; saleId: string; cents: number; paidAt: string };

/**
 * Compares a provider's statement with a seller's charges. Nothing is booked from it: what differs, or is not over with us, is
 * put into the queue of checks at the account's pace. Twice schedules nothing more.
 */
export async function compareStatement(sellerId: string, rows: StatementRow[]): Promise<Comparison> {
  const known = await findCharges(
    sellerId,
    rows.map(({ id }) => id),
  );
  const pairs = rows.map((row) => ({ row, charge: known.get(row.id) }));
  const differing = pairs.flatMap(({ row, charge }) => (charge ? difference(row, charge) : []));
  const unknown = pairs.filter(({ charge }) => !charge).map(({ row: { id } }) => ({ id }));
  await schedule(
    sellerId,
    differing.map(({ chargeId }) => chargeId),
  );
  return {
    rows: rows.length,
    same: rows.length - unknown.length - differing.length,
    scheduled: differing.length,
    unknown: { count: unknown.length, listed: unknown.slice(0, LISTED) },
    differing: {
      count: differing.length,
      listed: differing.slice(0, LISTED).map(({ chargeId: _, ...shown }) => shown),
    },
    missing: await findMissing(sellerId, rows),
  };
}

type Known = {
  chargeId: string;
  providerId: string;
  saleId: string;
  status: string;
  cents: number;
  leftCents: number;
};

async function findCharges(sellerId: string, ids: string[]): Promise<Map<string, Known>> {
  const found = await db.execute<Known>(sql`
    select c.id as "chargeId", c.provider_id as "providerId", c.sale_id as "saleId", c.status,
      coalesce(c.paid_cents, c.amount_cents) as cents,
      (coalesce(c.paid_cents, 0) - coalesce((select sum(r.amount_cents) from refunds r
        where r.charge_id = c.id and r.status = 'done'), 0))::int as "leftCents"
    from ${gatewayAccounts} a inner join ${charges} c on c.provider = a.provider
      and c.provider_id = any(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      inner join ${sales} s on s.id = c.sale_id
    where a.seller_id = ${sellerId} and s.seller_id = ${sellerId}`);
  return new Map(found.map((row) => [row.providerId, row]));
}

function difference(row: StatementRow, charge: Known): (OurCharge & { chargeId: string })[] {
  const isPaid = charge.status === "paid" || charge.status === "mispaid";
  const ourState = !isPaid ? "unpaid" : charge.leftCents > 0 ? "paid" : "returned";
  const by =
    row.cents !== null && row.cents !== charge.cents
      ? "amount"
      : row.state !== null && row.state !== ourState
        ? "state"
        : row.state === null && ourState === "unpaid"
          ? "open"
          : null;
  if (!by) return [];
  const { chargeId, saleId, providerId: id, cents: ourCents } = charge;
  return [{ chargeId, id, saleId, theirCents: row.cents, theirState: row.state, ourCents, ourState, by }];
}

/** Checks come one after the other, as `check-at-pace` makes them. What is scheduled sooner stays so. */
async function schedule(sellerId: string, chargeIds: string[]): Promise<void> {
  if (chargeIds.length === 0) return;
  await db.execute(sql`
    with scheduled as (
      insert into ${pacedChecks} as p (charge_id, seller_id, provider, due_at)
      select c.id, s.seller_id, c.provider, date_trunc('milliseconds', now())
      from ${charges} c inner join ${sales} s on s.id = c.sale_id
      where s.seller_id = ${sellerId} and c.provider_id is not null
        and c.id = any(select jsonb_array_elements_text(${JSON.stringify(chargeIds)}::jsonb)::uuid) order by c.id
      on conflict (charge_id) do update set due_at = least(p.due_at, excluded.due_at)
    )
    update ${gatewayAccounts} set next_paced_check_at = least(next_paced_check_at, now() + interval '1 minute')
    where seller_id = ${sellerId}`);
}

/** What was paid with us in the days that the statement covers, and is not in it; null where it tells no days. */
async function findMissing(sellerId: string, rows: StatementRow[]): Promise<Comparison["missing"]> {
  const days = rows.flatMap(({ day }) => day ?? []).sort();
  const to = days.at(-1);
  if (!to) return null;
  const from = [days[0]!, daysBefore(to, MOST_DAYS)].sort().at(-1)!;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const found = await db.execute<Missing & { count: number }>(sql`
    select c.provider_id as id, c.sale_id as "saleId", c.paid_cents as cents, c.paid_at::text as "paidAt",
      count(*) over ()::int as count
    from ${sales} s inner join ${charges} c on c.sale_id = s.id
    where s.seller_id = ${sellerId} and c.paid_at is not null
      and s.created_at >= (${from}::date - 30)::timestamp at time zone 'America/Sao_Paulo'
      and s.created_at < (${to}::date + 1)::timestamp at time zone 'America/Sao_Paulo'
      and c.paid_at >= ${from}::date::timestamp at time zone 'America/Sao_Paulo'
      and c.paid_at < (${to}::date + 1)::timestamp at time zone 'America/Sao_Paulo'
      and not (c.provider_id = any(select jsonb_array_elements_text(${ids}::jsonb)))
    order by c.paid_at limit ${LISTED}`);
  const listed = found.map(({ id, saleId, cents, paidAt }) => ({ id, saleId, cents, paidAt }));
  return { count: found[0]?.count ?? 0, listed, from, to };
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) - days * DAY).toISOString().slice(0, 10);
}
