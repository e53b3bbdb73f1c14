import { type SQL, sql } from "drizzle-orm";

/** Whether a seller has statements at all: computed once for all payments, of which most sellers have none in a statement. */
export function hasStatementsSql(sellerId: string): SQL {
  return sql`(select exists (select from statements where seller_id = ${sellerId}))`;
}

/**
 * What statements say of a charge, as a subquery of one row: `stated`, what was paid, null where no statement has its payment;
 * `stated_back`, what left the account again; `stated_at`, when that was read.
 */
export function statedSql(sellerId: string, chargeId: SQL): SQL {
  return sql`(
    select (sum(l.amount_cents) filter (where l.kind = 'payment'))::int as stated,
      coalesce(-sum(l.amount_cents) filter (where l.kind <> 'payment'), 0)::int as stated_back, max(l.read_at) as stated_at
    from statement_lines l
    where ${hasStatementsSql(sellerId)} and l.seller_id = ${sellerId} and l.charge_id = ${chargeId})`;
}

/**
 * Whether all statements from one moment to another were read, with the key of a charge: what happened between them and is in
 * none of them is missing at the provider. An hour more on both sides, since their days begin and end at other hours.
 */
export function isCoveredSql(
  sellerId: string,
  charge: { provider: SQL; keyId: SQL },
  { from, to }: { from: SQL; to: SQL },
): SQL {
  const first = sql`((${from} - interval '1 hour') at time zone 'America/Sao_Paulo')::date`;
  const last = sql`((${to} + interval '1 hour') at time zone 'America/Sao_Paulo')::date`;
  return sql`((select count(*) from statements z where z.seller_id = ${sellerId} and z.provider = ${charge.provider}
    and z.day between ${first} and ${last} and z.read_at is not null and z.key_id = ${charge.keyId}) = ${last} - ${first} + 1)`;
}
