import { and, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ago } from "#app/db/conditions.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { FIRST_CURSOR, readBatches } from "#app/queue/read-batches.server.ts";

/** How long an unused picture is stored: pages and mails that show it may still be open. */
const UNUSED_RETENTION = 8 * DAY;
/** How long one is stored that never became ready. */
const UNFINISHED_RETENTION = 2 * DAY;
const BATCH_SIZE = 500;

/** Whether anything of the seller's contains the picture's key, anywhere in its text. */
const isInUse = sql`(
  exists (select 1 from products x where x.seller_id = pictures.seller_id and position(pictures.key in
    concat(x.image_url, ' ', x.banner_image_url, ' ', x.banner_link_url)) > 0)
  or exists (select 1 from order_bumps b inner join products x on x.id = b.product_id
    where x.seller_id = pictures.seller_id and position(pictures.key in b.image_url) > 0)
  or exists (select 1 from upsells o inner join products x on x.id = o.product_id
    where x.seller_id = pictures.seller_id and position(pictures.key in o.image_url) > 0)
  or exists (select 1 from checkout_customizations c
    where c.seller_id = pictures.seller_id and position(pictures.key in c.settings::text) > 0)
  or exists (select 1 from thank_you_customizations t
    where t.seller_id = pictures.seller_id and position(pictures.key in t.settings::text) > 0)
  or exists (select 1 from contents x inner join content_items i on i.content_id = x.id
    where x.seller_id = pictures.seller_id and position(pictures.key in concat(i.url, ' ', i.html)) > 0)
  or exists (select 1 from email_templates m
    where m.seller_id = pictures.seller_id and position(pictures.key in m.html_content) > 0))`;

/**
 * Deletes unused pictures. Used ones are marked each day, so that a replaced picture is stored for the full time from then
 * on.
 */
export async function cleanPictures(): Promise<number> {
  const unfinished = await db
    .delete(pictures)
    .where(
      and(
        isNull(pictures.readyAt),
        isNull(pictures.scheduledAt),
        lt(pictures.touchedAt, ago(UNFINISHED_RETENTION)),
      ),
    )
    .returning({ id: pictures.id });
  await markInUse();
  const unused = await db
    .delete(pictures)
    .where(
      and(isNotNull(pictures.readyAt), lt(pictures.touchedAt, ago(UNUSED_RETENTION)), sql`not ${isInUse}`),
    )
    .returning({ id: pictures.id });
  return unfinished.length + unused.length;
}

async function markInUse(): Promise<void> {
  const since = ago(DAY / 2);
  const read = async (after: { id: string }) =>
    db
      .select({ id: pictures.id })
      .from(pictures)
      .where(and(isNotNull(pictures.readyAt), lt(pictures.touchedAt, since), gt(pictures.id, after.id)))
      .orderBy(pictures.id)
      .limit(BATCH_SIZE);
  for await (const batch of readBatches({ id: FIRST_CURSOR.id }, BATCH_SIZE, read)) {
    const ids = batch.map(({ id }) => id);
    await db.transaction(async (tx) => {
      // In one order: a form that is being saved marks several, too.
      const inUse = await tx
        .select({ id: pictures.id })
        .from(pictures)
        .where(and(inArray(pictures.id, ids), isInUse))
        .orderBy(pictures.id)
        .for("no key update");
      const marked = inUse.map(({ id }) => id);
      await tx.update(pictures).set({ touchedAt: sql`now()` }).where(inArray(pictures.id, marked));
    });
  }
}
