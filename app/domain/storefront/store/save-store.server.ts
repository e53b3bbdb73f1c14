import { notify } from "#app/db/notify.server.ts";
import { storeDetails } from "#app/db/schema/storefront.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";
import type { StoreForm } from "#app/domain/storefront/store/store-form.server.ts";

/**
 * Saves the store details; every process renders the seller's checkouts again at the next request.
 * @returns the version of what was saved
 * @throws Refusal conflict if it was saved since `version`
 */
export async function saveStore(sellerId: string, form: StoreForm, version?: string): Promise<string> {
  const store = toStore(form);
  return withSellerLock(sellerId, async (tx) => {
    rejectStale(version, storeVersion(await findStore(sellerId, tx)));
    const row = { ...store, updatedAt: new Date() };
    await tx
      .insert(storeDetails)
      .values({ sellerId, ...row })
      .onConflictDoUpdate({ target: storeDetails.sellerId, set: row });
    await notify(tx, "storefront", `seller:${sellerId}`);
    return storeVersion(await findStore(sellerId, tx));
  });
}

function toStore(form: StoreForm): Store {
  const { legal_name, tax_id, postal_code, complement, phone, ...rest } = form;
  return {
    ...rest,
    legalName: legal_name,
    taxId: tax_id,
    postalCode: postal_code,
    complement: complement || null,
    phone,
  };
}
