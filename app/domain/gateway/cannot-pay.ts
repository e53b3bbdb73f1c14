/** Shown to buyers where the seller has no working gateway. */
export const CANNOT_PAY =
  "Este vendedor ainda não pode receber pagamentos. Tente novamente mais tarde ou fale com ele.";
