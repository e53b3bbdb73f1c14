import { pick } from "#app/kit/pick.ts";

const STATUSES: Record<string, string> = {
  completed: "Concluída",
  pending: "Pendente",
  failed: "Falhou",
  cancelled: "Cancelada",
  refunded: "Reembolsada",
  chargedback: "Contestada",
};

/** A sale's state in a word. */
export function statusLabel(status: string): string {
  return pick(STATUSES, status) ?? status;
}

const METHODS: Record<string, string> = { pix: "PIX", card: "Cartão" };

/** A payment method as people call it. */
export function methodLabel(method: string): string {
  return pick(METHODS, method) ?? method;
}

const CAUSES: [RegExp, string][] = [
  [/^order placed$/, "Pedido feito no checkout"],
  [/^offer accepted$/, "Oferta aceita depois da compra"],
  [/^payment confirmed by pushinpay$/, "Pagamento confirmado pela PushinPay"],
  [/^refund confirmed by pushinpay$/, "Reembolso confirmado pela PushinPay"],
  [/^refund not confirmed by pushinpay$/, "Reembolso pedido, mas não confirmado pela PushinPay"],
  [
    /^paid (R\$ [\d.,]+) instead of (R\$ [\d.,]+)$/,
    "Chegou um PIX de $1 em vez de $2, e por isso não contou como pagamento. Devolva o valor no painel do provedor ou combine com o comprador",
  ],
  [/^marked as refunded by the seller$/, "Marcada como reembolsada por você"],
  [/^chargeback recorded by the seller$/, "Contestação (MED) registrada por você"],
];

/** Why a sale changed its state, for its seller; a cause nobody translated is shown as it was written down. */
export function causeLabel(cause: string): string {
  const known = CAUSES.find(([pattern]) => pattern.test(cause));
  return known ? cause.replace(...known) : cause;
}
