import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { refusedAccountsSql } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { type RefusedCards, refusedCardsSql } from "#app/domain/gateway/find-refused-cards.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";

/** So many codes in a row that could not be created are more than bad luck. */
const MIN_FAILURES = 3;
/** How many of the newest codes are read. */
const MAX_READ = 20;

/** A provider that creates no codes. `failures` in a row, at most `MAX_READ`; `lastAt`: the newest of them. */
export type Outage = { provider: string; failures: number; lastAt: Date };

/**
 * Why a seller's accounts create no codes now.
 * - `refused`: see `findRefusedAccounts`, those that take cards first.
 * - `outages`, the latest first: the newest codes requested with an active key failed without a usable answer, the last one within
 *   the hour. Over once a code is created or refused, and an hour after the last attempt, since nothing is known then.
 * - `working`: how many accounts that take PIX have neither trouble, and did not fail their last test as a spare.
 * - `spareFailures`: what providers said where the last test of an account as a spare failed, by provider.
 * - `failedSpare`: one of them, while the accounts that take PIX have neither trouble.
 * - `refusedCards`: see `findRefusedCards`; these stop no codes.
 */
export type GatewayTrouble = {
  refused: { provider: string; takesCards: boolean }[];
  outages: Outage[];
  working: number;
  spareFailures: Map<string, string>;
  failedSpare: string | null;
  refusedCards: RefusedCards | null;
};

/** See `GatewayTrouble`; in one statement, with a row for each outage. */
export async function findGatewayTrouble(sellerId: string): Promise<GatewayTrouble> {
  const rows = await db.execute<{
    refused: string[];
    active: string[];
    failures: Record<string, string>;
    with_cards: string[];
    refused_cards: RefusedCards | null;
    provider: string | null;
    attempts: number;
    last_at: string;
  }>(sql`
    select array${refusedAccountsSql(sellerId)} as refused, (select to_json(r) from ${refusedCardsSql(sellerId)} r) as refused_cards, mine.*, o.* from (
      select coalesce(array_agg(provider order by provider) filter (where enabled_at is not null), '{}') as active,
        coalesce(json_object_agg(provider, spare_failure) filter (where spare_failure is not null), '{}') as failures,
        coalesce(array_agg(provider) filter (where cards_enabled_at is not null), '{}') as with_cards
      from ${gatewayAccounts} where seller_id = ${sellerId} and key_id is not null) mine left join (
      select provider, count(*)::int as attempts, max(n.created_at) as last_at from (
        select provider, created_at, bool_and(is_down) over (partition by provider order by created_at desc, id) as is_run from (
          select a.provider, c.id, c.created_at, coalesce(c.failure_kind in ('busy', 'no-answer', 'nonsense'), false) as is_down
          from ${gatewayAccounts} a cross join lateral (
            select id, created_at, failure_kind from ${charges} c
            where c.seller_id = a.seller_id and c.gateway_key_id = a.key_id and c.method = 'pix' and c.status <> 'creating' order by c.created_at desc limit ${MAX_READ}::int) c
          where a.seller_id = ${sellerId} and a.enabled_at is not null and a.key_id is not null) newest) n
      where n.is_run
      group by provider
      having count(*) >= ${MIN_FAILURES} and max(n.created_at) > now() - interval '1 hour') o on true`);
  const { refused, failures, with_cards: withCards, refused_cards: refusedCards } = rows[0]!;
  // Of some accounts only the keys are stored: those create no codes.
  const active = rows[0]!.active.filter((name) => Object.hasOwn(providers, name));
  const spareFailures = new Map(Object.entries(failures));
  const outages = rows.flatMap(({ provider, attempts, last_at: lastAt }) =>
    provider === null ? [] : [{ provider, failures: attempts, lastAt: new Date(lastAt) }],
  );
  const troubled = new Set([...refused, ...outages.map(({ provider }) => provider)]);
  const failedSpare = active.find((name) => spareFailures.has(name)) ?? null;
  return {
    refused: refused
      .map((name) => ({ provider: name, takesCards: withCards.includes(name) }))
      .sort((a, b) => Number(b.takesCards) - Number(a.takesCards)),
    failedSpare: active.some((name) => troubled.has(name)) ? null : failedSpare,
    spareFailures,
    refusedCards,
    working: active.filter((name) => !spareFailures.has(name) && !troubled.has(name)).length,
    outages: outages.sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime()),
  };
}
