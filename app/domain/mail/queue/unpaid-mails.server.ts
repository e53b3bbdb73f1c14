import { sql } from "drizzle-orm";
import { isDrawn } from "#app/domain/mail/queue/mail-body.server.ts";

/** As many mails about orders that nobody paid as one address gets within an hour, from all sellers together. */
const MOST = 5;
/** What the delivery log tells of a mail that asks for a payment that came. */
export const PAID = "Não enviado: a compra já foi paga.";
export const TOO_MANY = `Não enviado: este endereço já recebeu ${MOST} e-mails de pedidos não pagos na última hora.`;

/** Whether a row of `mails` asks for a payment that came meanwhile. */
export const isPaid = sql<boolean>`(mails.kind in ('pix', 'reminder') and exists (
  select from sales s where s.id = mails.sale_id and s.completed_at is not null))`;

/** What it tells of a mail whose code can be paid no more, or was paid as far as its provider says. */
export const OVER = "Não enviado: o código PIX já não podia ser pago.";

/** Whether a row of `mails` brings a code that ran out, was used or ended, or of whose payment we were told. */
export const isOver = sql<boolean>`(mails.kind in ('pix', 'reminder') and (
  coalesce((mails.facts ->> 'expiresAt')::timestamptz <= now(), false) or exists (
    select from charges c where c.sale_id = mails.sale_id and (
      c.pix_code = mails.facts ->> 'pixCode' and c.status <> 'open' or exists (
        select from payment_webhooks w where w.charge_id = c.id and w.state = 'paid' and w.handled_at is null)))))`;

/**
 * Whether a row of `mails` is one too many: whoever typed an address in a checkout has mails sent there. It is judged where
 * a mail is taken that nobody has drawn yet: those before it count, and those that went first. One that was itself too many
 * does not, and a paid order gives its places back.
 */
export const isTooMany = sql<boolean>`(not ${isDrawn} and mails.kind in ('pix', 'reminder') and (
  select count(*) from mails m inner join sales s on s.id = m.sale_id
  where m.recipient = mails.recipient and m.kind in ('pix', 'reminder') and m.id <> mails.id
    and m.created_at > mails.created_at - interval '1 hour'
    and ((m.created_at, m.id) < (mails.created_at, mails.id) or m.attempts > 0)
    and (m.status <> 'failed' or m.attempts > 0) and s.status in ('pending', 'failed', 'cancelled')
) >= ${MOST})`;
