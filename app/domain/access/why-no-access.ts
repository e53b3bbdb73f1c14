import type { SaleStatus } from "#app/domain/sale/states.ts";

/**
 * Whether what was bought is the buyer's now. The one place that says so: grants begin and end with the sale's state. While
 * the payment is disputed it is as the seller chose.
 */
export function hasAccess({ status, accessSuspendedAt }: Granted): boolean {
  return status === "completed" || (status === "disputed" && accessSuspendedAt === null);
}

/** What says of a sale whether its buyer has access. */
export type Granted = { status: SaleStatus; accessSuspendedAt: Date | null };

/** Why a buyer has no access to a purchase, in words for them. */
export const WHY_NO_ACCESS: Record<Exclude<SaleStatus, "completed">, string> = {
  pending:
    "O pagamento desta compra ainda não foi confirmado. Assim que o banco confirmar, este link funciona.",
  failed: "O pagamento desta compra não foi aprovado. Com um novo código PIX você pode pagar agora.",
  cancelled: "Esta compra foi encerrada sem pagamento.",
  disputed:
    "O pagamento desta compra foi contestado no banco de quem pagou. Até o banco decidir, o acesso está suspenso.",
  refunded: "O pagamento desta compra foi devolvido, e o acesso terminou com ele.",
  chargedback: "O pagamento desta compra foi contestado e devolvido, e o acesso terminou com ele.",
};
