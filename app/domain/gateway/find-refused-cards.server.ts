import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { chargeEvents, charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { capitalizedName } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { pick } from "#app/kit/pick.ts";

/** Cards of so many orders in a row are more than a buyer's mistake. */
const MIN_ORDERS = 3;
/** How many of an account's newest charges are searched for cards, and how many of those are read. */
const MAX_SEARCHED = 500;
const MAX_READ = 20;

/** Cards that a provider refused one after the other, of `orders` orders; `detail`: its own words about the newest. */
export type RefusedCards = { provider: string; orders: number; detail: string };

const UNKNOWN_CARD_WORDS = Object.values(providers).flatMap(({ cards }) => cards?.unknownCardWords ?? []);

/** Whether a provider's word about a declined card says that it does not know the card's token. */
export function isUnknownCard(word: string): boolean {
  return UNKNOWN_CARD_WORDS.includes(word);
}

/**
 * The account whose newest cards, of several orders, its provider did not take: it knew none of their tokens, or refused the
 * payments as such. So it must be with a public key of another account; what the provider says then is not documented. Null once a
 * card reached its bank, whatever that decided, and once the account is saved.
 */
export async function findRefusedCards(sellerId: string): Promise<RefusedCards | null> {
  const [found] = await db.execute<RefusedCards>(refusedCardsSql(sellerId));
  return found ?? null;
}

/** The row that `findRefusedCards` reads, or none. A refused payment's detail begins with an HTTP status, which is left out. */
export const refusedCardsSql = (sellerId: string) => sql`(
    select provider, count(distinct sale_id)::int as orders, regexp_replace((array_agg(detail order by created_at desc))[1], '^[0-9]+: ', '') as detail from (
      select n.*, bool_and(is_refused) over (partition by provider order by created_at desc, id) as is_run from (
        select a.provider, c.* from ${gatewayAccounts} a cross join lateral (
          select c.id, c.sale_id, c.created_at, coalesce(c.failure_detail, word, '') as detail,
            c.failure_kind is not null or coalesce(word = any(${`{${UNKNOWN_CARD_WORDS.join(",")}}`}::text[]), false) as is_refused
          from (
            select * from ${charges} c where c.seller_id = a.seller_id and c.gateway_key_id = a.key_id and c.created_at > a.updated_at
            order by c.created_at desc limit ${MAX_SEARCHED}::int) c
          left join lateral (
            select e.data ->> 'detail' as word from ${chargeEvents} e
            where c.status = 'declined' and e.seller_id = c.seller_id and e.charge_id = c.id and e.kind = 'declined'
            limit 1) e on true
          where c.method = 'card' and (c.status in ('in_review', 'declined', 'paid', 'mispaid') or c.failure_kind = 'refused')
          order by c.created_at desc limit ${MAX_READ}::int) c
        where a.seller_id = ${sellerId} and a.cards_enabled_at is not null) n) r
    where is_run group by provider having count(distinct sale_id) >= ${MIN_ORDERS} limit 1)`;

/** The same as text for their seller: only what is known, and the one cause that the seller can rule out. */
export function describeRefusedCards({ provider: name, orders, detail }: RefusedCards) {
  const provider = pick(providers, name)!;
  const labelOf = (stored: string) => provider.form.keys.find(({ storedAs }) => storedAs === stored)?.label;
  return {
    title: `${capitalizedName(provider)} recusou os últimos cartões`,
    about: `Os últimos cartões, de ${orders} pedidos diferentes, foram recusados${detail ? `: “${detail}”` : ""}. Nenhum foi aprovado depois.`,
    todo: `Uma causa possível: a ${labelOf("publicKey")} e a ${labelOf("apiKey")} não são da mesma conta. Confira as duas`,
  };
}
