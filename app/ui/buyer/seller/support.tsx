import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";
import { paths } from "#app/kit/paths.ts";
import { contactWay } from "#app/ui/buyer/contact.ts";
import { SellerIdentity } from "#app/ui/buyer/seller/identity.tsx";

type Props = { purchase: Purchase; contact: string; store: Store | null; guaranteeDays: number };

/** The foot of a purchase's page: its guarantee, who sells, and how to reach them. */
export function Support({ purchase, contact, store, guaranteeDays }: Props) {
  const way = contactWay(contact, purchase.hasMail, store);
  return (
    <footer className="foot">
      <p>
        {isGuaranteed(purchase, guaranteeDays) && `Garantia de ${guaranteeDays} dias. `}Dúvidas? Fale com{" "}
        <b>{purchase.sellerName}</b>
        {way && `: ${way}`}
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

/** While its days run, and the payment is not going back already. */
function isGuaranteed({ status, payments }: Purchase, days: number): boolean {
  const paid = payments.find(({ kind }) => kind === "counts");
  if (status !== "completed" || !paid) return false;
  return (
    paid.refund !== "requested" && paid.refund !== "accepted" && rightEnds(paid.paidAt, days) > new Date()
  );
}
