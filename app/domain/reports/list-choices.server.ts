import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { products } from "#app/db/schema/products.server.ts";

/** More than anybody picks from a list. */
const MAX_CHOICES = 300;

/** What a seller's sales can be filtered by: products by name, coupons by code, offers by product. None that was deleted. */
export type Choices = {
  products: { id: number; name: string }[];
  coupons: { id: string; code: string }[];
  offers: { id: string; name: string; productName: string }[];
};

/** The choices of a seller, in one statement. */
export async function listChoices(sellerId: string): Promise<Choices> {
  const [choices] = await db.execute<Choices>(sql`select
    (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)), '[]') from (
      select id, name from ${products} where seller_id = ${sellerId} and archived_at is null
      order by name, id limit ${MAX_CHOICES}) p) as products,
    (select coalesce(json_agg(json_build_object('id', c.id, 'code', c.code)), '[]') from (
      select id, code from ${coupons} where seller_id = ${sellerId} and archived_at is null
      order by code limit ${MAX_CHOICES}) c) as coupons,
    (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'productName', o.product_name)), '[]') from (
      select o.id, o.name, p.name as product_name
      from ${offers} o inner join ${products} p on p.seller_id = o.seller_id and p.id = o.product_id
      where o.seller_id = ${sellerId} and o.archived_at is null
      order by p.name, o.position, o.id limit ${MAX_CHOICES}) o) as offers`);
  return choices!;
}
