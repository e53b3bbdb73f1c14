/** What is known of a mail that went to a buyer. */
type Known = {
  status: "attempting" | "sent" | "failed";
  deliveredAt: Date | null;
  bouncedAt: Date | null;
};

/**
 * How a mail to a buyer stands. `sent`: the provider took it; `delivered` and `returned` are the news of the provider, which
 * not every one gives; `unsent`: it left by no way.
 */
export type MailState = "waiting" | "sent" | "delivered" | "returned" | "unsent";

/** A mail may be taken first and come back later: what is bad counts. */
export function mailState({ status, deliveredAt, bouncedAt }: Known): MailState {
  if (bouncedAt) return "returned";
  if (status === "failed") return "unsent";
  if (deliveredAt) return "delivered";
  return status === "sent" ? "sent" : "waiting";
}

/** The same in words. */
export const MAIL_STATES: Record<MailState, string> = {
  waiting: "sendo enviado",
  sent: "enviado",
  delivered: "entregue",
  returned: "não entregue",
  unsent: "não enviado",
};

/** Mails to buyers that belong to one sale, as a buyer would call them. */
export const BUYER_MAILS = {
  purchase: "E-mail da compra",
  upsell: "E-mail da oferta",
  access: "Acesso enviado de novo",
  pix: "E-mail com o PIX",
  reminder: "Lembrete de pagamento",
  refund: "E-mail do reembolso",
  "payment-news": "E-mail sobre um pagamento",
  "refund-news": "E-mail do pedido de reembolso",
} as const;
export type BuyerMailKind = keyof typeof BUYER_MAILS;
