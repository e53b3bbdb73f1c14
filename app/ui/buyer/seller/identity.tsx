import {
  formatStoreAddress,
  formatStoreContact,
  formatStoreTaxId,
  type Store,
} from "#app/domain/storefront/store/format-store.ts";

/**
 * Who sells: legal name, CPF or CNPJ, address, contact (Decreto 7.962/2013, art. 2); nothing if the seller has not provided
 * it.
 */
export function SellerIdentity({ store }: { store: Store | null }) {
  if (!store) return null;
  return (
    <p className="fine seller-id">{`${store.legalName}, ${formatStoreTaxId(store)}. ${formatStoreAddress(store)}. ${formatStoreContact(store)}`}</p>
  );
}
