import { notify } from "#app/db/notify.server.ts";
import { storeDetails } from "#app/db/schema/storefront.server.ts";
import { inSellersTurn, refuseStale } from "#app/db/version.server.ts";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import type { StoreForm } from "#app/domain/storefront/store/store-form.server.ts";
import type { Store } from "#app/domain/storefront/store/store-words.ts";

/**
 * Keeps who sells; every process draws the seller's checkouts anew at the next request.
 * @throws Refusal conflict where it was saved since `version`
 */
export async function saveStore(sellerId: string, form: StoreForm, version?: string): Promise<void> {
  const store = asStore(form);
  await inSellersTurn(sellerId, async (tx) => {
    refuseStale(version, storeVersion(await findStore(sellerId, tx)));
    const row = { ...store, updatedAt: new Date() };
    await tx
      .insert(storeDetails)
      .values({ sellerId, ...row })
      .onConflictDoUpdate({ target: storeDetails.sellerId, set: row });
    await notify(tx, "storefront", `seller:${sellerId}`);
  });
}

function asStore(form: StoreForm): Store {
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
