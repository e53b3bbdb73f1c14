import { and, eq, isNotNull, isNull, lt, notExists, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, contents, droppedUploads, files, lineContents } from "#app/db/schema/files.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { stamps } from "#app/db/schema/stamps.server.ts";
import { finishUpload } from "#app/domain/content/finish-upload.server.ts";
import { dropFile } from "#app/domain/file/drop-file.server.ts";
import { cleanPictures } from "#app/domain/picture/clean-pictures.server.ts";
import { forgetStamps } from "#app/domain/stamp/forget-stamps.server.ts";
import { DAY, MINUTE } from "#app/kit/duration.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import type { Keeper } from "#app/platform/storage/keeper.ts";
import { storage } from "#app/platform/storage/storage.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** How long a seller may take to go on with an upload. */
const GIVEN_UP = 7 * DAY;
/** How long a file that nothing leads to is kept: somebody may be downloading it. */
const UNUSED = DAY;
/** Long after a stray of it was to be found. */
const FORGOTTEN = 90 * DAY;
const AT_ONCE = 200;

const ago = (time: number) => new Date(Date.now() - time);

/** Once a day: finishes uploads whose last part came and nothing after it, and deletes half uploads and files nobody needs. */
export const cleanFiles = defineJob<Record<string, never>>("clean-files", async () => {
  const counts = {
    finished: await finishLeft(),
    "given up": await forgetGivenUp(),
    contents: await forgetContents(),
    pictures: await cleanPictures(),
    stamps: await forgetStamps(),
    unused: await deleteUnused(),
    strays: await forgetStrays(),
  };
  log.info({ cleaned: counts }, "files cleaned up");
});

async function finishLeft(): Promise<number> {
  const left = await db
    .select()
    .from(files)
    .where(and(isNull(files.readyAt), eq(files.received, files.size), lt(files.touchedAt, ago(10 * MINUTE))))
    .limit(AT_ONCE);
  for (const file of left)
    await finishUpload(file).catch((err) => log.error({ err, file: file.id }, "upload not finished"));
  return left.length;
}

async function forgetGivenUp(): Promise<number> {
  const given = await db
    .delete(files)
    .where(and(isNull(files.readyAt), lt(files.touchedAt, ago(GIVEN_UP))))
    .returning({ key: files.id, ref: files.uploadRef });
  for (const upload of given) await storage.abandon(upload);
  return given.length;
}

/** Contents of what was removed before anybody bought it. */
async function forgetContents(): Promise<number> {
  const gone = await db
    .delete(contents)
    .where(
      and(
        sql`num_nonnulls(${contents.productId}, ${contents.orderBumpId}, ${contents.upsellOfferId}) = 0`,
        notExists(
          db.select({ one: sql`1` }).from(lineContents).where(eq(lineContents.contentId, contents.id)),
        ),
      ),
    )
    .returning({ id: contents.id });
  return gone.length;
}

/** All of them, however many: stamped copies may be thousands, and name who bought. */
async function deleteUnused(): Promise<number> {
  let count = 0;
  for (let deleted = AT_ONCE; deleted === AT_ONCE && !isStopping(); count += deleted)
    deleted = await deleteSomeUnused();
  return count;
}

async function deleteSomeUnused(): Promise<number> {
  const unused = await db
    .select({ id: files.id })
    .from(files)
    .where(
      and(
        isNotNull(files.readyAt),
        lt(files.touchedAt, ago(UNUSED)),
        notExists(db.select({ one: sql`1` }).from(contentItems).where(eq(contentItems.fileId, files.id))),
        notExists(db.select({ one: sql`1` }).from(stamps).where(eq(stamps.copyId, files.id))),
        notExists(db.select({ one: sql`1` }).from(pictures).where(eq(pictures.packId, files.id))),
        notExists(db.select({ one: sql`1` }).from(pictures).where(eq(pictures.sourceId, files.id))),
      ),
    )
    .limit(AT_ONCE);
  for (const { id } of unused) await dropFile(id);
  return unused.length;
}

/**
 * Half uploads that the keeper has and no row names: whoever was to forget them was killed. A bucket may be shared: there only
 * uploads of files that were ours are abandoned.
 */
export async function forgetStrays(keeper: Keeper = storage): Promise<number> {
  let count = 0;
  for await (const half of keeper.halvesBefore(ago(GIVEN_UP + DAY))) {
    if (!isUuid(half.key)) continue;
    const known = await db.select({ id: files.id }).from(files).where(eq(files.id, half.key));
    if (known.length > 0) continue;
    if (keeper.isShared && !(await wasOurs(half.key))) continue;
    await keeper.abandon(half);
    count += 1;
  }
  await db.delete(droppedUploads).where(lt(droppedUploads.droppedAt, ago(FORGOTTEN)));
  return count;
}

async function wasOurs(key: string): Promise<boolean> {
  const found = await db
    .select({ id: droppedUploads.id })
    .from(droppedUploads)
    .where(eq(droppedUploads.id, key));
  return found.length > 0;
}
