import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import type { OpenRefundRequest } from "#app/domain/refund/request/open-refund-request.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import { paths } from "#app/kit/paths.ts";
import { describeContact, isMailedUnpaid } from "#app/ui/buyer/describe-contact.ts";
import { Guarantee } from "#app/ui/buyer/seller/guarantee.tsx";
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
