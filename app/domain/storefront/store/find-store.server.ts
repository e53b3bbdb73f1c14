import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { storeDetails } from "#app/db/schema/storefront.server.ts";
import { versionOf } from "#app/db/version.server.ts";
import type { Store } from "#app/domain/storefront/store/format-store.ts";

const columns = {
  legalName: storeDetails.legalName,
  taxId: storeDetails.taxId,
  street: storeDetails.street,
  number: storeDetails.number,
  complement: storeDetails.complement,
  district: storeDetails.district,
  city: storeDetails.city,
  state: storeDetails.state,
  postalCode: storeDetails.postalCode,
  email: storeDetails.email,
  phone: storeDetails.phone,
};

/** A seller's store details; null if they have not entered them. */
export async function findStore(sellerId: string, tx: Db = db): Promise<Store | null> {
  const [row] = await tx.select(columns).from(storeDetails).where(eq(storeDetails.sellerId, sellerId));
  return row ?? null;
}

/** The same for the seller of a sale. */
export async function findStoreOfSale(saleId: string): Promise<Store | null> {
  const [row] = await db
    .select(columns)
    .from(storeDetails)
    .innerJoin(sales, eq(sales.sellerId, storeDetails.sellerId))
    .where(eq(sales.id, saleId));
  return row ?? null;
}

/** The same as a column of a query that includes `sellers`. */
export const storeColumn: SQL<Store | null> = sql<Store | null>`(
  select json_build_object('legalName', legal_name, 'taxId', tax_id, 'street', street, 'number', number,
    'complement', complement, 'district', district, 'city', city, 'state', state, 'postalCode', postal_code,
    'email', store_details.email, 'phone', store_details.phone)
  from store_details where store_details.seller_id = sellers.id)`;

/** The version of the store form's data. */
export function storeVersion(store: Store | null): string {
  return versionOf(store && Object.entries(store).sort(([a], [b]) => (a < b ? -1 : 1)));
}
