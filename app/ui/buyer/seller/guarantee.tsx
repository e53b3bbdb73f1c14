import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { guaranteeEndsAt, lastGuaranteeDay } from "#app/domain/storefront/guarantee-end.ts";
import { paths } from "#app/kit/paths.ts";

type Props = { purchase: Purchase & { refundRequest: OpenRefundRequest | null }; guaranteeDays: number };

/** Until when the buyer may withdraw, and where; none once they did, or the payment is already being refunded. */
export function Guarantee({ purchase, guaranteeDays }: Props) {
  const { status, payments, completedAt, rejectedDisputes, refundRequest, hasMail, sellerName } = purchase;
  const paid = salePaymentOf(payments);
  if (status !== "completed" || !paid || isUnderWay(paid.refund) || refundRequest) return null;
  const endsAt = guaranteeEndsAt(completedAt ?? paid.paidAt, guaranteeDays, rejectedDisputes);
  if (endsAt <= new Date()) return null;
  return (
    <>
      <p>
        Garantia de {guaranteeDays} dias: até o fim de {lastGuaranteeDay(endsAt)} você pode desistir, sem
        precisar explicar.{!hasMail && ` Peça o dinheiro de volta a ${sellerName}.`}
      </p>
      {hasMail && (
        <p>
          <a href={paths.moneyBack()}>Pedir o dinheiro de volta</a>
        </p>
      )}
    </>
  );
}
