import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
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
        {purchase.status === "completed" && `Garantia de ${guaranteeDays} dias. `}Dúvidas? Fale com{" "}
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
