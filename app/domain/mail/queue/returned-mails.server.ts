import { sql } from "drizzle-orm";

/** In the list of mails, for one that gives access to a purchase whose money went back. */
export const RETURNED_TEXT = "Não enviado: o valor da compra já foi devolvido.";

/**
 * Whether a row of `mails` tells the buyer that they have access, which ended for good since. It is read beside its row of
 * `queued_mails`. Not while the payment is disputed: the access may come back.
 */
export const isReturned = sql<boolean>`((mails.kind in ('purchase', 'upsell', 'access')
  or mails.kind = 'dispute-access' and coalesce(queued_mails.data ->> 'what' = 'won', false)) and exists (
  select from sales s where s.seller_id = mails.seller_id and s.id = mails.sale_id and s.status in ('refunded', 'chargedback')))`;
