import { db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { lockChargeAndSale } from "#app/domain/charge/lock-charge.server.ts";
import { moveCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { ClaimedCharge } from "#app/domain/pix/claim-charge.server.ts";
import { failSale } from "#app/domain/sale/fail-sale.server.ts";
import {
  queueFailedPaymentMail,
  toFailedPayment,
} from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";

type FailedClaim = Pick<ClaimedCharge, "chargeId" | "sellerId" | "gateway">;

/** Records that a provider created no code; locks the charge and its sale. Once it is recorded, nothing changes. */
export async function failCharge(
  tx: Tx,
  { chargeId, sellerId }: FailedClaim,
  { kind, message }: ProviderError,
): Promise<void> {
  await lockChargeAndSale(tx, chargeId, sellerId);
  const move = { to: "failed" as const, why: kind, detail: message };
  await moveCharge(tx, { id: chargeId, sellerId, status: "creating" }, move, "provider");
}

/**
 * Fails the charge, unless that is done, and mails the seller of a failure that another attempt does not mend, unless another
 * charge can still be paid. Failing the charge locks the sale.
 */
export async function failOrder(saleId: string, claim: FailedClaim, error: ProviderError): Promise<void> {
  const { kind: reason, message: detail } = error;
  await db.transaction(async (tx) => {
    await failCharge(tx, claim, error);
    const [sale] = await tx
      .select({
        ...{ id: sales.id, sellerId: sales.sellerId, status: sales.status },
        hasOther: hasOtherPayable(claim.chargeId),
      })
      .from(sales)
      .where(ownById(sales, claim.sellerId, saleId));
    // This process was taken for dead, and the buyer pays otherwise meanwhile.
    if (sale!.hasOther) return;
    if (reason === "refused" && sale!.status === "pending")
      await failSale(tx, sale!, { chargeId: claim.chargeId, reason, detail });
    else if (reason === "refused" || reason === "credentials")
      await queueFailedPaymentMail(tx, saleId, toFailedPayment(claim.gateway.provider.name, error));
  });
}

/** What the buyer is told. `chargedNote`: see `chargedText`. */
export function failureMessage(error: ProviderError, chargedNote: string): string {
  if (error.kind === "credentials")
    return `O vendedor precisa revisar a conexão com o PIX. Avise-o e tente novamente mais tarde. ${chargedNote}.`;
  if (error.kind === "refused")
    return `O PIX foi recusado pelo provedor de pagamento. ${chargedNote}. Confira os dados do pedido e tente de novo; se continuar, fale com o vendedor.`;
  return unavailableMessage(chargedNote);
}

/** The same where another attempt may succeed. */
export function unavailableMessage(chargedNote: string): string {
  return `Não conseguimos gerar o PIX agora. ${chargedNote}: tente novamente em alguns instantes.`;
}
