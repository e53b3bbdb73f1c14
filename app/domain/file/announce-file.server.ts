import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { fileName } from "#app/domain/file/file-name.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

type Announced = Pick<typeof files.$inferInsert, "contentId" | "replacesItemId"> & {
  name: string;
  /** Bytes. */
  size: number;
};

const GB = 1024 ** 3;
/** Files of a seller that were announced and are not whole: a content has 50 at most. */
const MOST_OPEN = 100;

/**
 * A seller's rows of files, held until the transaction ends: two that are announced at once are counted one after the
 * other.
 */
export async function holdFiles(tx: Tx, sellerId: string): Promise<void> {
  await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
}

/**
 * Writes down a file that is to come. Its bytes count against the seller's room from now on. The caller holds the seller's
 * files.
 * @returns its id @throws Refusal too-large where the seller has no room for it; conflict (`uploads_open`)
 */
export async function announceFile(tx: Tx, sellerId: string, file: Announced): Promise<string> {
  const open = and(eq(files.sellerId, sellerId), isNull(files.readyAt), eq(files.isCopy, false));
  if ((await tx.$count(files, open)) >= MOST_OPEN)
    throw new Refusal(
      "conflict",
      `Já há ${MOST_OPEN} envios que não terminaram. Termine ou cancele algum antes de começar outro.`,
      "file",
      undefined,
      "uploads_open",
    );
  const [used] = await tx
    .select({ bytes: sql<string>`coalesce(sum(size), 0)` })
    .from(files)
    .where(and(eq(files.sellerId, sellerId), eq(files.isCopy, false)));
  const left = env.STORAGE_SELLER_GB * GB - Number(used!.bytes);
  if (file.size > left)
    throw new Refusal(
      "too-large",
      `Faltam ${formatBytes(file.size - Math.max(0, left))} de espaço para este arquivo, que tem ${formatBytes(file.size)}. Apague arquivos que não usa mais.`,
      "file",
      undefined,
      "quota_exceeded",
    );
  const [row] = await tx
    .insert(files)
    .values({ ...file, sellerId, name: fileName(file.name) })
    .returning({ id: files.id });
  return row!.id;
}
