import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { guaranteeEndsAt, lastGuaranteeDay } from "#app/domain/storefront/guarantee-end.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import { paths } from "#app/kit/paths.ts";
import { describeContact, isMailedUnpaid } from "#app/ui/buyer/describe-contact.ts";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";

type Props = {
  purchase: Purchase & { refundRequest: OpenRefundRequest | null };
  contact: string;
  store: Store | null;
  guaranteeDays: number;
};

/** The footer of a purchase's page: its guarantee, who sells, and how to reach them. */
export function Support({ purchase, contact, store, guaranteeDays }: Props) {
  const isMailed = UNPAID.includes(purchase.status) ? isMailedUnpaid(purchase) : purchase.hasMail;
  const contactText = describeContact(contact, isMailed, store);
  return (
    <footer className="foot">
      <Guarantee {...{ purchase, guaranteeDays }} />
      <p>
        Dúvidas? Fale com <b>{purchase.sellerName}</b>
        {contactText && `: ${contactText}`}
      </p>
      <SellerIdentity store={store} />
      {purchase.hasMail && (
        <p>
          <a href={paths.purchases()}>Ver todas as minhas compras</a>
        </p>
      )}
    </footer>
  );
}

/** Until when the buyer may withdraw, and where; none once they did, or the payment is already being refunded. */
function Guarantee({ purchase, guaranteeDays }: Pick<Props, "purchase" | "guaranteeDays">) {
  const { status, payments, completedAt, refundRequest, hasMail, sellerName } = purchase;
  const paid = salePaymentOf(payments);
  if (status !== "completed" || !paid || isUnderWay(paid.refund) || refundRequest) return null;
  const endsAt = guaranteeEndsAt(completedAt ?? paid.paidAt, guaranteeDays);
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
