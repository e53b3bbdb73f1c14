import type { SaleStatus } from "#app/domain/sale/states.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Whether the buyer has access to the purchase now. The only code that decides it: access begins and ends with the sale's
 * state; during a dispute it is as the seller chose.
 */
export function hasAccess({ status, accessSuspendedAt }: AccessState): boolean {
  return status === "completed" || (status === "disputed" && accessSuspendedAt === null);
}

/** The fields of a sale that decide about access. */
export type AccessState = { status: SaleStatus; accessSuspendedAt: Date | null };

/** Why a buyer has no access to a purchase, as text for them. */
export const NO_ACCESS_REASONS: Record<Exclude<SaleStatus, "completed">, string> = {
  pending:
    "O pagamento desta compra ainda não foi confirmado. Assim que o banco confirmar, este link funciona.",
  failed: "O pagamento desta compra não foi aprovado. Com um novo código PIX você pode pagar agora.",
  cancelled: "Esta compra foi encerrada sem pagamento.",
  disputed:
    "O pagamento desta compra foi contestado no banco de quem pagou. Até o banco decidir, o acesso está suspenso.",
  refunded: "O pagamento desta compra foi devolvido, e o acesso terminou com ele.",
  chargedback: "O pagamento desta compra foi contestado e devolvido, e o acesso terminou com ele.",
};

/** Whether its seller ended a free purchase, which is stored as a refund: no payment went back. */
export function isFreeEnded({ status, amountCents }: { status: SaleStatus; amountCents: number }): boolean {
  return status === "refunded" && amountCents === 0;
}

/** @throws Refusal forbidden, with the sale's state as its code, where the buyer has no access now */
export function refuseEndedAccess(sale: AccessState & { amountCents: number }): void {
  if (hasAccess(sale)) return;
  const reason = isFreeEnded(sale)
    ? "Quem vendeu encerrou o acesso a esta compra, que foi de graça."
    : NO_ACCESS_REASONS[sale.status as keyof typeof NO_ACCESS_REASONS];
  throw new Refusal("forbidden", reason, undefined, undefined, sale.status);
}

/** @throws Refusal forbidden (`link_expired`) */
export function refuseExpiredLink(until: number): void {
  if (until >= Date.now()) return;
  const reason = "Este link expirou: cada um vale por algumas horas.";
  throw new Refusal("forbidden", reason, undefined, undefined, "link_expired");
}
