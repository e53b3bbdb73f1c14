import { type SQL, sql } from "drizzle-orm";
import { emailSince, hasPendingCard } from "#app/db/conditions.server.ts";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import { MAIL_READER } from "#app/domain/mail/queue/mail-readers.ts";
import {
  isBoughtElsewhere,
  isCardPendingElsewhere,
  isOffSale,
  isParentOver,
  isUnpayable,
} from "#app/domain/mail/queue/unpaid-order-mails.server.ts";

/** Why a mail is not sent: `unsent` where it did not leave, `fact` where it may have left. In the list of mails. */
export const OBSOLETE_TEXTS = {
  corrected: {
    unsent: "O e-mail da compra foi corrigido antes do envio.",
    fact: "O e-mail da compra foi corrigido.",
  },
  paid: { unsent: "Não enviado: a compra já foi paga.", fact: "A compra já foi paga." },
  // Only a mail is lost where the webhook of a payment was wrong.
  unpayable: {
    unsent: "Não enviado: o código PIX já não podia ser pago.",
    fact: "O código PIX já não pode ser pago.",
  },
  "card-pending": {
    unsent: "Não enviado: um pagamento com cartão está sendo confirmado.",
    fact: "Um pagamento com cartão está sendo confirmado.",
  },
  bought: {
    unsent: "Não enviado: o produto já foi comprado em outro pedido.",
    fact: "O produto já foi comprado em outro pedido.",
  },
  parent: {
    unsent: "Não enviado: a compra anterior foi contestada, ou a devolução dela foi pedida ou feita.",
    fact: "A compra anterior foi contestada, ou a devolução dela foi pedida ou feita.",
  },
  "off-sale": {
    unsent: "Não enviado: o produto não está mais à venda.",
    fact: "O produto não está mais à venda.",
  },
  "switched-off": {
    unsent: "Não enviado: você desligou este lembrete.",
    fact: "Você desligou este lembrete.",
  },
  complained: {
    unsent: "Não enviado: quem comprou marcou um e-mail da loja como spam.",
    fact: "Quem comprou marcou um e-mail da loja como spam.",
  },
  erased: {
    unsent: "Não enviado: quem comprou pediu para apagar os seus dados.",
    fact: "Quem comprou pediu para apagar os seus dados.",
  },
  returned: {
    unsent: "Não enviado: o valor da compra já foi devolvido.",
    fact: "O valor da compra já foi devolvido.",
  },
  "payment-returned": {
    unsent: "Não enviado: este pagamento já foi devolvido.",
    fact: "Este pagamento já foi devolvido.",
  },
  "refund-confirmed": {
    unsent: "Não enviado: o reembolso já foi confirmado.",
    fact: "O reembolso já foi confirmado.",
  },
  "access-changed": {
    unsent: "Não enviado: o acesso à compra mudou outra vez.",
    fact: "O acesso à compra mudou outra vez.",
  },
  decided: {
    unsent: "Não enviado: a contestação já foi decidida.",
    fact: "A contestação já foi decidida.",
  },
  "link-over": {
    unsent: "Não enviado: o link do e-mail já não valia.",
    fact: "O link do e-mail já não vale.",
  },
  reopened: { unsent: "Não enviado: a loja foi reaberta.", fact: "A loja foi reaberta." },
  "closed-again": {
    unsent: "Não enviado: a loja foi encerrada de novo.",
    fact: "A loja foi encerrada de novo.",
  },
} as const satisfies Record<string, { unsent: string; fact: string }>;
export type ObsoleteReason = keyof typeof OBSOLETE_TEXTS;

type Rules = Partial<Record<Exclude<ObsoleteReason, "corrected" | "link-over">, SQL>>;

const literal = (text: string) => sql.raw(`'${text}'`);

// In these, `s` is the mail's sale. A part of the key is missing in a mail that was queued again for a corrected address.
const dataIs = (name: string, value: string) =>
  sql`coalesce(queued_mails.data ->> ${literal(name)} = ${literal(value)}, false)`;
const keyPart = (part: 2 | 3) => sql`split_part(mails.idempotency_key, '/', ${sql.raw(String(part))})`;
const isPaid = sql`s.completed_at is not null`;
const isReturned = sql`s.status in ('refunded', 'chargedback')`;
const isSuspended = sql`(s.status = 'disputed' and s.access_suspended_at is not null)`;
/** @param isMeant a condition on charges `c` */
const isPaymentReturned = (isMeant: SQL) => sql`exists (
  select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and ${isMeant} and c.paid_cents <= (
    select sum(r.amount_cents) from refunds r where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'))`;
/** The same, of the payment that counts: its seller may have entered that the bank took it, and no refund is booked. */
const isTakenByBank = (isMeant: SQL) => sql`s.status = 'chargedback' and exists (
  select from charges c where c.seller_id = s.seller_id and c.sale_id = s.id and ${isMeant} and c.status = 'paid' and c.overpaid_at is null)`;
const isCharge = (id: SQL) => sql`c.id::text = ${id}`;
const hasRefund = (id: SQL) => sql`exists (
  select from refunds q where q.seller_id = c.seller_id and q.charge_id = c.id and q.id::text = ${id})`;
/** After a refund, mails that request or promise it are untrue; after a chargeback, all mails about a refund request are. */
const isRefundOver = sql`(s.status = 'chargedback' or s.status = 'refunded' and ${keyPart(2)} in
  ('delayed', 'unconfirmed', 'by-hand', 'asked-by-hand', 'answered-by-hand'))`;
const isComplained = sql`exists (
  select from sales o inner join mails c on c.seller_id = o.seller_id and c.sale_id = o.id
  where o.seller_id = s.seller_id and o.customer_email = s.customer_email and c.recipient = mails.recipient and c.complained_at is not null)`;
const isErasureRequested = sql`exists (
  select from erasures e where e.email = mails.recipient and e.requested_at >= ${emailSince})`;
const isDecided = sql`exists (
  select from disputes d where d.seller_id = s.seller_id and d.sale_id = s.id and d.id::text = ${keyPart(2)} and d.status <> 'open')`;
const isRefundConfirmed = sql`exists (
  select from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
  where c.seller_id = s.seller_id and c.sale_id = s.id and r.id::text = ${keyPart(2)} and r.status = 'done')`;
/** Its seller has fewer reminders by now, or none. */
const isReminderOff = sql`exists (select from mail_settings t where t.seller_id = s.seller_id
  and cardinality(t.reminder_minutes) < (queued_mails.data ->> 'number')::int)`;
const isReopened = sql`not exists (
  select from sellers o where o.id = s.seller_id and o.closed_at = (queued_mails.data ->> 'closedAt')::timestamptz)`;

const isClosedAgain = sql`exists (select from sellers o where o.id = s.seller_id and o.closed_at is not null)`;

/** That the access is back: also one that its seller gave back, where the bank decides before the mail is sent. */
const givesBack = sql`(${dataIs("what", "won")} or ${dataIs("what", "restored")})`;

// Access that a dispute suspends may come back: its mail is sent all the same.
const GIVES_ACCESS = { returned: isReturned };
const REQUESTS_PAYMENT = { paid: isPaid, "card-pending": hasPendingCard(sql`s`), unpayable: isUnpayable };
/** What happened remains true, and so does a link that ends by itself; of an account's links, see `isLinkOver`. */
const NEVER = null;

/**
 * What makes a mail of each kind untrue while it waits: one that its provider is too busy for waits for hours, and is sent as
 * it was rendered. Every kind must say what it depends on; the first reason that applies counts.
 */
const OBSOLETE: Record<MailKind, Rules | null> = {
  purchase: GIVES_ACCESS,
  upsell: GIVES_ACCESS,
  access: GIVES_ACCESS,
  pix: REQUESTS_PAYMENT,
  reminder: {
    ...REQUESTS_PAYMENT,
    "card-pending": sql`(${hasPendingCard(sql`s`)} or ${isCardPendingElsewhere})`,
    bought: isBoughtElsewhere,
    parent: isParentOver,
    "off-sale": isOffSale,
    "switched-off": isReminderOff,
    complained: isComplained,
    erased: isErasureRequested,
  },
  "payment-news": {
    paid: sql`${dataIs("what", "card-declined")} and ${isPaid}`,
    returned: sql`${dataIs("what", "part-returned")} and ${isReturned}`,
    "payment-returned": sql`(${dataIs("what", "overpaid")} or ${dataIs("what", "mismatched")} or ${dataIs("what", "refund-failed")})
      and ${isPaymentReturned(isCharge(keyPart(3)))}`,
  },
  "dispute-access": {
    returned: sql`${givesBack} and ${isReturned}`,
    "access-changed": sql`(${dataIs("what", "opened")} and not ${isSuspended} or ${givesBack} and ${isSuspended})`,
  },
  "refund-news": { returned: isRefundOver },
  "refund-asked": { returned: isRefundOver },
  // A buyer with another purchase gets one about that instead: see `queueClosingMailOfOther`.
  "shop-closed": { reopened: isReopened, returned: isReturned },
  "shop-reopened": { "closed-again": isClosedAgain, returned: isReturned },
  dispute: { decided: sql`${dataIs("what", "opened")} and ${isDecided}` },
  surplus: {
    "payment-returned": sql`not coalesce(queued_mails.data -> 'refund' ->> 'state' = 'requested', false) and ${isPaymentReturned(isCharge(keyPart(2)))}`,
  },
  "wrong-amount": { "payment-returned": isPaymentReturned(isCharge(keyPart(2))) },
  "unconfirmed-refund": {
    "refund-confirmed": isRefundConfirmed,
    // By another refund, after this one was refused; or its bank took it.
    "payment-returned": sql`(${isPaymentReturned(hasRefund(keyPart(2)))} or ${isTakenByBank(hasRefund(keyPart(2)))})`,
  },
  refund: NEVER,
  "access-links": NEVER,
  "buyer-link": NEVER,
  "confirm-email": NEVER,
  "correct-email": NEVER,
  "email-change": NEVER,
  "email-corrected": NEVER,
  "erasure-asked": NEVER,
  "reset-password": NEVER,
  "security-notice": NEVER,
  "destination-stopped": NEVER,
  "failed-payment": NEVER,
  "gateway-trouble": NEVER,
  "mail-account-refused": NEVER,
  "missing-file": NEVER,
  "monthly-report": NEVER,
  "new-sale": NEVER,
  "observed-refund": NEVER,
  "template-failed": NEVER,
  "unstamped-file": NEVER,
  "weekly-report": NEVER,
};

const ruledKinds = (Object.keys(OBSOLETE) as MailKind[]).filter(
  (kind) => OBSOLETE[kind] !== null || MAIL_READER[kind] === "buyer",
);

/** The link of such a mail was used, or voided: its change was cancelled, or another one was requested. */
const isLinkOver = sql`mails.kind in ('confirm-email', 'reset-password') and exists (
  select from email_tokens t where t.seller_id = mails.seller_id and t.id::text = ${keyPart(2)} and t.used_at is not null)`;

/**
 * Why a row of `mails` must not be sent any more, null where it may be; read beside its row of `queued_mails`. A correction
 * redirects mails that wait; one that is being sent at that moment may fail and wait again.
 */
export const obsoleteReason = sql<ObsoleteReason | null>`(case when mails.kind in (${list(ruledKinds.map(literal))}) then (
  select case mails.kind ${list(ruledKinds.map(kindBranch), sql` `)} end
  from sales s where s.seller_id = mails.seller_id and s.id = mails.sale_id) when ${isLinkOver} then 'link-over' end)`;

function kindBranch(kind: MailKind): SQL {
  const corrected =
    MAIL_READER[kind] === "buyer" ? [sql`when s.customer_email <> mails.recipient then 'corrected'`] : [];
  const rules = Object.entries(OBSOLETE[kind] ?? {}).map(
    ([reason, isTrue]) => sql`when ${isTrue} then ${literal(reason)}`,
  );
  return sql`when ${literal(kind)} then case ${list([...corrected, ...rules], sql` `)} end`;
}

function list(parts: SQL[], separator = sql`, `): SQL {
  return sql.join(parts, separator);
}
