import {
  type Store,
  storeAddress,
  storeContact,
  storeTaxId,
} from "#app/domain/storefront/store/store-words.ts";

/** Who sells: legal name, CPF or CNPJ, address, contact (Decreto 7.962/2013, art. 2); nothing where they have not said it. */
export function SellerIdentity({ store }: { store: Store | null }) {
  if (!store) return null;
  return (
    <p className="fine seller-id">{`${store.legalName}, ${storeTaxId(store)}. ${storeAddress(store)}. ${storeContact(store)}`}</p>
  );
}
