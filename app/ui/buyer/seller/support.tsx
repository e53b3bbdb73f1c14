import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { isUnderWay } from "#app/domain/refund/is-under-way.ts";
import { salePaymentOf } from "#app/domain/sale/payments.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { guaranteeEndsAt } from "#app/domain/storefront/guarantee-end.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import { paths } from "#app/kit/paths.ts";
import { describeContact, isMailedUnpaid } from "#app/ui/buyer/describe-contact.ts";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";

type Props = { purchase: Purchase; contact: string; store: Store | null; guaranteeDays: number };

/** The footer of a purchase's page: its guarantee, who sells, and how to reach them. */
export function Support({ purchase, contact, store, guaranteeDays }: Props) {
  const isMailed = UNPAID.includes(purchase.status) ? isMailedUnpaid(purchase) : purchase.hasMail;
  const contactText = describeContact(contact, isMailed, store);
  return (
    <footer className="foot">
      <p>
        {isGuaranteed(purchase, guaranteeDays) && `Garantia de ${guaranteeDays} dias. `}Dúvidas? Fale com{" "}
        <b>{purchase.sellerName}</b>
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

/** During the guarantee, unless the payment is already being refunded. */
function isGuaranteed({ status, payments }: Purchase, days: number): boolean {
  const paid = salePaymentOf(payments);
  if (status !== "completed" || !paid) return false;
  return !isUnderWay(paid.refund) && guaranteeEndsAt(paid.paidAt, days) > new Date();
}
