import { type SQL, sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { statementLines, statements } from "#app/db/schema/charge-checks.server.ts";
import { charges, refunds } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import type { StatementLine } from "#app/domain/gateway/providers/statement-port.ts";
import { scheduleStatementChecks } from "#app/domain/reconciliation/schedule-reconciliation.server.ts";
import type { DueStatement } from "#app/domain/reconciliation/statement/due-statement.ts";
import { inLockOrder } from "#app/domain/sale/lock-order.server.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { log } from "#app/platform/log.server.ts";

/** Lines that are looked up or written at once. */
const BATCH = 500;

type OurLine = StatementLine & { chargeId: string };

/**
 * Stores what a statement says of our charges, and their fees. No payment is booked from it: charges that differ are scheduled
 * for a check, as an imported statement's are. Repeated, it changes nothing.
 */
export async function bookStatement(due: DueStatement, lines: AsyncIterable<StatementLine>): Promise<void> {
  const { sellerId, provider, day } = due;
  const { ours, otherPayments } = await sortLines(due, lines);
  for (const batch of batchesOf(ours)) {
    await storeLines(sellerId, batch);
    await bookFees(
      sellerId,
      batch.map(({ chargeId }) => chargeId),
    );
  }
  await bookFees(sellerId, await findLateCharges(sellerId, provider));
  const rows = await batchDb.execute(sql`
    update ${statements} set read_at = now(), next_attempt_at = null, failure_kind = null, key_id = ${due.keyId},
      other_payments = ${otherPayments}
    where seller_id = ${sellerId} and provider = ${provider} and day = ${day}::date
      and next_attempt_at = ${due.leasedUntil.toISOString()}::timestamptz returning day`);
  if (rows.length === 0) return;
  await scheduleChecks(sellerId, await findUnbookedRefunds(sellerId, ours));
  const scheduled = await scheduleStatementChecks(sellerId, day);
  log.info({ sellerId, provider, day, lines: ours.length, otherPayments, scheduled }, "statement read");
}

/** The lines of our charges, and how many payments of the day are somebody else's. */
async function sortLines({ sellerId, provider, day }: DueStatement, lines: AsyncIterable<StatementLine>) {
  const ours: OurLine[] = [];
  const others: StatementLine[] = [];
  let batch: StatementLine[] = [];
  const sort = async () => {
    const byReference = await findByReference(sellerId, provider, batch);
    for (const line of batch) {
      const chargeId = byReference.get(line.reference ?? "");
      if (chargeId) ours.push({ ...line, chargeId });
      else others.push(line);
    }
    batch = [];
  };
  for await (const line of lines) {
    batch.push(line);
    if (batch.length === BATCH) await sort();
  }
  await sort();
  const bySource = new Map(ours.map(({ sourceId, chargeId }) => [sourceId, chargeId]));
  // Some accounts' settings have a refund's own reference there.
  const back = others.filter(({ kind }) => kind !== "payment");
  for (const batch of batchesOf(back)) {
    const earlier = await findBySource(sellerId, batch);
    for (const line of batch) {
      const chargeId = bySource.get(line.sourceId) ?? earlier.get(line.sourceId);
      if (chargeId) ours.push({ ...line, chargeId });
    }
  }
  const otherPayments = others.filter(({ kind, at }) => kind === "payment" && dayOf(at) === day).length;
  return { ours, otherPayments };
}

async function findByReference(sellerId: string, provider: string, lines: StatementLine[]) {
  const references = lines.flatMap(({ reference }) => reference ?? []);
  const rows = await batchDb.execute<{ reference: string; id: string }>(sql`
    select reference, id from ${charges}
    where reference = any(select jsonb_array_elements_text(${JSON.stringify(references)}::jsonb))
      and seller_id = ${sellerId} and provider = ${provider}`);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

async function findBySource(sellerId: string, lines: StatementLine[]) {
  const rows = await batchDb.execute<{ sourceId: string; chargeId: string }>(sql`
    select source_id as "sourceId", charge_id as "chargeId" from ${statementLines}
    where seller_id = ${sellerId} and kind = 'payment'
      and source_id = any(select jsonb_array_elements_text(${JSON.stringify(lines.map((one) => one.sourceId))}::jsonb))`);
  return new Map(rows.map(({ sourceId, chargeId }) => [sourceId, chargeId]));
}

/** A line in place of what an earlier file said of the same movement. Of equal lines in a file one is stored. */
async function storeLines(sellerId: string, lines: OurLine[]): Promise<void> {
  const given = sql`(select * from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as x ("chargeId" uuid, kind text,
    at timestamptz, "amountCents" int, "feeCents" int, "releaseAt" timestamptz, "sourceId" text))`;
  await batchDb.transaction(async (tx) => {
    await tx.execute(sql`
      delete from ${statementLines} l using ${given} x
      where l.seller_id = ${sellerId} and l.charge_id = x."chargeId" and l.kind = x.kind and l.at = x.at`);
    await tx.execute(deleteMoved(sellerId, given));
    await tx.execute(sql`
      insert into ${statementLines} (seller_id, charge_id, kind, at, amount_cents, fee_cents, release_at, source_id)
      select ${sellerId}, x."chargeId", x.kind, x.at, x."amountCents", x."feeCents", x."releaseAt", x."sourceId" from ${given} x
      on conflict do nothing`);
  });
}

/**
 * Deletes what an earlier file said of a refund or chargeback whose moment is another one in this file: the nearest line of the same
 * amount, where more would have left the account otherwise than was paid. Of equal parts of a payment each is stored.
 */
function deleteMoved(sellerId: string, given: SQL): SQL {
  const ofCharge = sql`o.seller_id = ${sellerId} and o.charge_id = x."chargeId"`;
  return sql`
    delete from ${statementLines} l using ${given} x
    where x.kind <> 'payment' and x."amountCents" < 0
      and l.seller_id = ${sellerId} and l.charge_id = x."chargeId" and l.kind = x.kind and l.amount_cents = x."amountCents"
      and l.at = (select o.at from ${statementLines} o
        where ${ofCharge} and o.kind = x.kind and o.amount_cents = x."amountCents"
        order by abs(extract(epoch from o.at - x.at)) limit 1)
      and (select greatest(c.amount_cents, c.paid_cents, c.buyer_cents) from ${charges} c
          where c.seller_id = ${sellerId} and c.id = x."chargeId")
        < -(select sum(o.amount_cents) from ${statementLines} o where ${ofCharge} and o.kind <> 'payment')
          - (select sum(y."amountCents") from ${given} y where y."chargeId" = x."chargeId" and y.kind <> 'payment')`;
}

/** Writes what the provider kept of each payment, refunds included; the sale's figures follow from it. Locks charges, then sales. */
async function bookFees(sellerId: string, chargeIds: string[]): Promise<void> {
  if (chargeIds.length === 0) return;
  await batchDb.execute(sql`
    with locked as materialized (
      select c.id, c.sale_id, c.fee_cents, c.status = 'paid' and c.overpaid_at is null as counts from ${charges} c
      where c.id = any(select jsonb_array_elements_text(${JSON.stringify(chargeIds)}::jsonb)::uuid) and c.seller_id = ${sellerId}
        and c.status in ('paid', 'mispaid')
      order by c.id for no key update
    ), sold as materialized (
      select id from ${sales} where id = any(array(select sale_id from locked)) order by ${inLockOrder} for no key update
    ), fees as materialized (
      select l.*, f.cents from locked l inner join sold s on s.id = l.sale_id cross join lateral (
        select case when bool_or(x.kind = 'payment' and x.fee_cents is not null) then greatest(sum(x.fee_cents), 0)::int end as cents
        from ${statementLines} x where x.seller_id = ${sellerId} and x.charge_id = l.id
      ) f
      where f.cents is distinct from l.fee_cents and f.cents is not null
    ), charged as (
      update ${charges} c set fee_cents = f.cents from fees f where c.id = f.id
    )
    update ${sales} s set fee_cents = f.cents from fees f where s.id = f.sale_id and f.counts`);
}

/** Charges of any day of which more left the account than is booked: a refund or a chargeback that we do not know. */
async function findUnbookedRefunds(sellerId: string, lines: OurLine[]): Promise<string[]> {
  const ids = [...new Set(lines.flatMap(({ kind, chargeId }) => (kind === "payment" ? [] : chargeId)))];
  const rows = await batchDb.execute<{ id: string }>(sql`
    select l.charge_id as id from ${statementLines} l
    where l.seller_id = ${sellerId} and l.kind <> 'payment'
      and l.charge_id = any(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid)
    group by l.charge_id
    having -sum(l.amount_cents) > coalesce((select sum(r.amount_cents) from ${refunds} r
      where r.seller_id = ${sellerId} and r.charge_id = l.charge_id and r.status = 'done'), 0)`);
  return rows.map(({ id }) => id);
}

/** Charges that were booked after their line was read. */
async function findLateCharges(sellerId: string, provider: string): Promise<string[]> {
  const rows = await batchDb.execute<{ id: string }>(sql`
    select distinct c.id from ${statementLines} l inner join ${charges} c on c.id = l.charge_id
    where l.seller_id = ${sellerId} and l.at > now() - interval '15 days' and l.kind = 'payment' and l.fee_cents is not null
      and c.provider = ${provider} and c.status in ('paid', 'mispaid') and c.fee_cents is null limit ${BATCH}`);
  return rows.map(({ id }) => id);
}

function* batchesOf<T>(rows: T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
}
