import { sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The names of some of a seller's products and offers by their ids as text, deleted ones too. */
export type Names = { products: Map<string, string>; offers: Map<string, string> };

/**
 * Those names, in one statement. An offer's is with its product's where several of these offers have one name.
 * @param ids offers that are no ids are passed over: days that were counted by their names are read, too
 */
export async function findNames(
  sellerId: string,
  ids: { products: string[]; offers: string[] },
): Promise<Names> {
  const rows = await reportsDb.execute<{ id: string; name: string; offer: string | null }>(sql`
    select p.id::text as id, p.name, null as offer from ${products} p
    where p.seller_id = ${sellerId} and p.id in (select jsonb_array_elements_text(${JSON.stringify(ids.products)}::text::jsonb)::bigint)
    union all
    select o.id::text, p.name, o.name from ${offers} o inner join ${products} p on p.seller_id = o.seller_id and p.id = o.product_id
    where o.seller_id = ${sellerId} and o.id in (select jsonb_array_elements_text(${JSON.stringify(ids.offers.filter(isUuid))}::text::jsonb)::uuid)`);
  const isShared = (offer: string) => rows.filter((other) => other.offer === offer).length > 1;
  const names: Names = { products: new Map(), offers: new Map() };
  for (const { id, name, offer } of rows)
    if (offer === null) names.products.set(id, name);
    else names.offers.set(id, isShared(offer) ? `${name}: ${offer}` : offer);
  return names;
}
