import { and, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { DAY } from "#app/kit/duration.ts";

/** How long a picture stays that stands nowhere: pages and mails that show it may be open, or kept by somebody. */
const UNUSED = 8 * DAY;
/** How long one stays that never became ready. */
const GIVEN_UP = 2 * DAY;
const AT_ONCE = 500;

const ago = (time: number) => new Date(Date.now() - time);

/** Whatever of a seller's may name a picture: by its key, wherever in the text it stands. */
const stands = sql`(
  exists (select 1 from products x where x.seller_id = pictures.seller_id and position(pictures.key in
    concat(x.image_url, ' ', x.banner_image_url)) > 0)
  or exists (select 1 from order_bumps b inner join products x on x.id = b.product_id
    where x.seller_id = pictures.seller_id and position(pictures.key in b.image_url) > 0)
  or exists (select 1 from upsell_offers o inner join products x on x.id = o.product_id
    where x.seller_id = pictures.seller_id and position(pictures.key in o.image_url) > 0)
  or exists (select 1 from checkout_customizations c
    where c.seller_id = pictures.seller_id and position(pictures.key in c.settings::text) > 0)
  or exists (select 1 from thank_you_customizations t
    where t.seller_id = pictures.seller_id and position(pictures.key in t.settings::text) > 0)
  or exists (select 1 from email_templates m
    where m.seller_id = pictures.seller_id and position(pictures.key in m.html_content) > 0))`;

/**
 * Deletes pictures that stand nowhere any more. What stands somewhere is marked each day, so that one that was replaced
 * is kept from that day on for as long as others.
 */
export async function cleanPictures(): Promise<number> {
  const never = await db
    .delete(pictures)
    .where(and(isNull(pictures.readyAt), isNull(pictures.dueAt), lt(pictures.touchedAt, ago(GIVEN_UP))))
    .returning({ id: pictures.id });
  await markStanding();
  const gone = await db
    .delete(pictures)
    .where(and(isNotNull(pictures.readyAt), lt(pictures.touchedAt, ago(UNUSED)), sql`not ${stands}`))
    .returning({ id: pictures.id });
  return never.length + gone.length;
}

async function markStanding(): Promise<void> {
  const since = ago(DAY / 2);
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const some = await db
      .select({ id: pictures.id })
      .from(pictures)
      .where(and(isNotNull(pictures.readyAt), lt(pictures.touchedAt, since), sql`${pictures.id} > ${after}`))
      .orderBy(pictures.id)
      .limit(AT_ONCE);
    if (some.length === 0) return;
    const ids = some.map(({ id }) => id);
    await db
      .update(pictures)
      .set({ touchedAt: new Date() })
      .where(and(inArray(pictures.id, ids), stands));
    after = ids.at(-1)!;
  }
}
