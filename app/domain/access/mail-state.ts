import type { BuyerMailKind } from "#app/domain/mail/queue/mail-readers.ts";
import { MINUTE } from "#app/kit/duration.ts";

/** The times and state of a mail to a buyer. */
type MailTimes = {
  status: "attempting" | "sent" | "failed";
  deliveredAt: Date | null;
  bouncedAt: Date | null;
};

/**
 * The state of a mail to a buyer. `sent`: accepted by the provider; `delivered` and `returned` are reported by the provider,
 * which not all do; `unsent`: it was not sent.
 */
export type MailState = "waiting" | "sent" | "delivered" | "returned" | "unsent";

/** A mail may be accepted first and bounce later; the bounce counts. */
export function toMailState({ status, deliveredAt, bouncedAt }: MailTimes): MailState {
  if (bouncedAt) return "returned";
  if (status === "failed") return "unsent";
  if (deliveredAt) return "delivered";
  return status === "sent" ? "sent" : "waiting";
}

/** Whether a mail does not reach the buyer. */
export function isMailFailure(state: MailState | null): state is "returned" | "unsent" {
  return state === "returned" || state === "unsent";
}

/** A mail that waits longer does so because its provider does not answer, which may last for days. */
const MAX_WAIT = 10 * MINUTE;

/** Whether the buyer has a mail, as far as is known, or is about to get it. `at`: the time of its state. */
export function isMailAtHand({ state, at }: { state: MailState; at: Date }, now = Date.now()): boolean {
  return state === "waiting" ? now - at.getTime() < MAX_WAIT : !isMailFailure(state);
}

/** The same as text. */
export const MAIL_STATE_TEXTS: Record<MailState, string> = {
  waiting: "sendo enviado",
  sent: "enviado",
  delivered: "entregue",
  returned: "não entregue",
  unsent: "não enviado",
};

/** The kinds of mails to the buyer of a sale, with names for the buyer. */
export const BUYER_MAIL_NAMES: Record<BuyerMailKind, string> = {
  purchase: "E-mail da compra",
  upsell: "E-mail da oferta",
  access: "Acesso enviado de novo",
  pix: "E-mail com o PIX",
  reminder: "Lembrete de pagamento",
  refund: "E-mail do reembolso",
  "payment-news": "E-mail sobre um pagamento",
  "refund-news": "E-mail do pedido de reembolso",
  "dispute-access": "E-mail sobre a contestação",
  "shop-closed": "E-mail sobre o fim da loja",
  "shop-reopened": "E-mail sobre a volta da loja",
};
