import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";

/** A seller's progress to the first sale. */
export type FirstSteps = {
  emailConfirmed: boolean;
  /** The newest product on sale, else the newest; null where there is none. */
  product: { id: number; checkoutSlug: string | null; active: boolean } | null;
  /** Whether they opened a checkout of theirs; an order counts too. */
  checkoutSeen: boolean;
};

/** The first steps, derived from existing data; null for a seller who has sold already. */
export async function readFirstSteps(sellerId: string): Promise<FirstSteps | null> {
  const [row] = await db.execute<FirstSteps & { sold: boolean }>(sql`
    select s.email_verified_at is not null as "emailConfirmed",
      (
        select json_build_object('id', p.id, 'checkoutSlug', p.checkout_slug, 'active', p.deactivated_at is null)
        from ${products} p where p.seller_id = s.id and p.archived_at is null
        order by p.deactivated_at is null desc, p.created_at desc, p.id desc limit 1
      ) as product,
      s.checkout_seen_at is not null or exists (select from ${sales} o where o.seller_id = s.id) as "checkoutSeen",
      exists (select from ${sales} d where d.seller_id = s.id and d.completed_at is not null) as sold
    from ${sellers} s where s.id = ${sellerId}`);
  if (!row || row.sold) return null;
  const { emailConfirmed, product, checkoutSeen } = row;
  return { emailConfirmed, product, checkoutSeen };
}
