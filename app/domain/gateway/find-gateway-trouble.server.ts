import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { refusedAccountsSql } from "#app/domain/gateway/find-refused-accounts.server.ts";

/** So many codes in a row that could not be created are more than bad luck. */
const MIN_FAILURES = 3;
/** How many of the newest codes are read. */
const MAX_READ = 20;

/** A provider that creates no codes. `failures` in a row, at most `MAX_READ`; `lastAt`: the newest of them. */
export type Outage = { provider: string; failures: number; lastAt: Date };

/**
 * Why a seller's accounts create no codes now. `refused`: see `findRefusedAccounts`, those that take cards first. `outage`: the newest codes requested with
 * an active key failed without a usable answer, the last one within the hour; null once a code is created or refused, and an
 * hour after the last attempt, since nothing is known then. `working`: how many accounts that take PIX have an active key and
 * neither trouble, and did not fail their last test as a spare. `failedSpare`: a
 * provider whose account created no code in its last test as a spare, while those that take PIX have neither trouble.
 */
export type GatewayTrouble = {
  refused: { provider: string; takesCards: boolean }[];
  outage: Outage | null;
  working: number;
  failedSpare: string | null;
};

/** See `GatewayTrouble`; in one statement. */
export async function findGatewayTrouble(sellerId: string): Promise<GatewayTrouble> {
  const [row] = await db.execute<{
    refused: string[];
    active: string[];
    sound: string[];
    with_cards: string[];
    provider: string | null;
    failures: number;
    last_at: string;
    down: string[] | null;
  }>(sql`
    select array${refusedAccountsSql(sellerId)} as refused, mine.*, o.* from (
      select coalesce(array_agg(provider order by provider) filter (where enabled_at is not null), '{}') as active,
        coalesce(array_agg(provider) filter (where enabled_at is not null and spare_failure is null), '{}') as sound,
        coalesce(array_agg(provider) filter (where cards_enabled_at is not null), '{}') as with_cards
      from ${gatewayAccounts} where seller_id = ${sellerId} and key_id is not null) mine left join (
      select provider, count(*)::int as failures, max(n.created_at) as last_at, array_agg(provider) over () as down from (
        select provider, created_at, bool_and(is_down) over (partition by provider order by created_at desc, id) as is_run from (
          select a.provider, c.id, c.created_at, coalesce(c.failure_kind in ('busy', 'no-answer', 'nonsense'), false) as is_down
          from ${gatewayAccounts} a cross join lateral (
            select id, created_at, failure_kind from ${charges} c
            where c.seller_id = a.seller_id and c.gateway_key_id = a.key_id and c.method = 'pix' and c.status <> 'creating' order by c.created_at desc limit ${MAX_READ}::int) c
          where a.seller_id = ${sellerId} and a.enabled_at is not null and a.key_id is not null) newest) n
      where n.is_run
      group by provider
      having count(*) >= ${MIN_FAILURES} and max(n.created_at) > now() - interval '1 hour'
      order by last_at desc limit 1) o on true`);
  const { refused, active, sound, with_cards: withCards, provider, failures, last_at: lastAt, down } = row!;
  const troubled = new Set([...refused, ...(down ?? [])]);
  const failedSpare = active.find((name) => !sound.includes(name)) ?? null;
  return {
    refused: refused
      .map((name) => ({ provider: name, takesCards: withCards.includes(name) }))
      .sort((a, b) => Number(b.takesCards) - Number(a.takesCards)),
    failedSpare: active.some((name) => troubled.has(name)) ? null : failedSpare,
    working: sound.filter((name) => !troubled.has(name)).length,
    outage: provider === null ? null : { provider, failures, lastAt: new Date(lastAt) },
  };
}
