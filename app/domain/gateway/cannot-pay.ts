/** Shown to buyers where the seller has no working gateway. */
export const CANNOT_PAY =
  "Este vendedor ainda não pode receber pagamentos. Tente novamente mais tarde ou fale com ele.";

/** What the buyer is told where the seller has switched PIX off, and with it all payments. */
export const NO_PAYMENTS = "Este vendedor não está recebendo pagamentos no momento.";

/** What the buyer is told where the shop takes no cards any more. */
export const NO_CARDS = "Este vendedor não está recebendo pagamentos com cartão no momento. Pague com PIX.";
