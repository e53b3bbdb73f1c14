import { type SQL, sql } from "drizzle-orm";
import { hasPendingCard } from "#app/db/conditions.server.ts";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import {
  isOrderBumpGone,
  isOrderForSale,
  isOrderParentOver,
} from "#app/domain/catalog/find-for-sale.server.ts";
import { isRendered } from "#app/domain/mail/queue/mail-body.server.ts";

/** The most mails about unpaid orders per recipient and hour, from all sellers together. */
const MAX_PER_HOUR = 5;
export const OVER_LIMIT_TEXT = `Não enviado: este endereço já recebeu ${MAX_PER_HOUR} e-mails de pedidos não pagos na última hora.`;
/** The same of free orders, whose mails bring an access. */
const MAX_FREE_PER_HOUR = 10;
const FREE_OVER_LIMIT_TEXT = `Não enviado: este endereço já recebeu ${MAX_FREE_PER_HOUR} e-mails de pedidos gratuitos na última hora.`;

/** Why a mail of this kind is not sent where it `isOverLimit`. */
export function overLimitText(kind: MailKind | undefined): string {
  return kind === "purchase" || kind === "access" ? FREE_OVER_LIMIT_TEXT : OVER_LIMIT_TEXT;
}

/**
 * Whether a row of `mails` about a PIX contains a code that expired, was used or ended, or has a webhook about its payment. It is
 * read beside its row of `queued_mails`.
 */
export const isUnpayable = sql<boolean>`(
  coalesce((queued_mails.data ->> 'expiresAt')::timestamptz <= now(), false) or exists (
    select from charges c where c.seller_id = mails.seller_id and c.sale_id = mails.sale_id and (
      c.pix_code = queued_mails.data ->> 'pixCode' and c.status <> 'open' or exists (
        select from payment_webhooks w where w.seller_id = c.seller_id and w.charge_id = c.id and w.state = 'paid' and w.handled_at is null))))`;

/** Whether the buyer of a sale `s` has another order `o` of the same, in this state: of the product itself, or of the same upsell. */
const hasOtherOrder = (isInState: SQL) => sql<boolean>`exists (
  select from sales o where o.seller_id = s.seller_id and o.customer_email = s.customer_email and o.product_id = s.product_id
    and ${isInState} and (case when s.parent_sale_id is null then o.parent_sale_id is null
      else exists (select from sale_lines own inner join sale_lines l on l.seller_id = own.seller_id
        and l.kind = own.kind and l.item_id = own.item_id
        where own.seller_id = s.seller_id and own.sale_id = s.id and own.kind = 'offer' and l.sale_id = o.id) end))`;

export const isBoughtElsewhere = hasOtherOrder(sql`o.status in ('completed', 'disputed')`);

/** Whether a card of another order of the same is being confirmed: both would be bought. */
export const isCardPendingElsewhere = hasOtherOrder(
  sql`o.status in ('pending', 'failed', 'cancelled') and ${hasPendingCard(sql`o`)}`,
);

/** Whether what a sale `s` is for, or a bump of it, is sold no longer, as where its page would create no other code. */
export const isOffSale = sql<boolean>`(not ${isOrderForSale(sql`s`)} or ${isOrderBumpGone(sql`s`)})`;

export const isParentOver = isOrderParentOver(sql`s`);

/** Whether a row `m` of mails counts against `mails`: it was queued to the same address within the hour before, or sent first. */
const isCounted = sql`m.recipient = mails.recipient and m.id <> mails.id
    and m.created_at > mails.created_at - interval '1 hour'
    and ((m.created_at, m.id) < (mails.created_at, mails.id) or m.attempts > 0 or exists (select from queued_mails q where q.id = m.id and q.attempts > 0))
    and (m.status <> 'failed' or m.attempts > 0)`;

const unpaidCount = sql`(select count(*) from mails m inner join sales s on s.id = m.sale_id
  where m.kind in ('pix', 'reminder') and ${isCounted} and s.status in ('pending', 'failed', 'cancelled'))`;

/** Found by the address of today's orders, and by the notices that it was corrected in one: no index has an address's access mails. */
const freeCount = sql`(select count(*) from (
    select s.seller_id, s.id from sales s
      where s.customer_email = mails.recipient and s.created_at > mails.created_at - interval '1 day' and s.amount_cents = 0
    union select s.seller_id, s.id from mails c inner join sales s on s.seller_id = c.seller_id and s.id = c.sale_id
      where c.recipient = mails.recipient and c.kind = 'email-corrected' and c.created_at > mails.created_at - interval '1 day'
        and s.amount_cents = 0) o
  inner join mails m on m.seller_id = o.seller_id and m.sale_id = o.id
  where m.kind in ('purchase', 'access') and ${isCounted})`;

/**
 * Whether a row of `mails` exceeds the limit: anybody may type somebody else's address in a checkout. Decided when a mail is
 * claimed that is not rendered yet: earlier ones count, and those that were sent first. One over the limit itself does not
 * count, nor do those of paid orders. An access that its owner or its seller requested again has no `isFree` and is sent.
 */
export const isOverLimit = sql<boolean>`(not ${isRendered} and (
  mails.kind in ('pix', 'reminder') and ${unpaidCount} >= ${MAX_PER_HOUR}
  or mails.kind in ('purchase', 'access') and coalesce(queued_mails.data ->> 'isFree', '') = 'true' and ${freeCount} >= ${MAX_FREE_PER_HOUR}))`;
