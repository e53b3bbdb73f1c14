import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { cleanFileName } from "#app/domain/file/clean-file-name.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";

type RegisteredFile = Pick<typeof files.$inferInsert, "contentId" | "replacesItemId"> & {
  name: string;
  /** Bytes. */
  size: number;
};

const GB = 1024 ** 3;
/** Incomplete uploads of a seller: a content has 50 files at most. */
const MAX_OPEN_UPLOADS = 100;

/** Locks a seller's files until the transaction ends, so that concurrent uploads are counted one after the other. */
export async function lockSellerFiles(tx: Tx, sellerId: string): Promise<void> {
  await tx.select({ id: sellers.id }).from(sellers).where(eq(sellers.id, sellerId)).for("no key update");
}

/**
 * Inserts a file before its upload. Its bytes count against the seller's quota from now on. The caller must hold
 * `lockSellerFiles`.
 * @returns its id @throws Refusal too-large where the quota is exceeded; conflict (`uploads_open`)
 */
export async function registerFile(tx: Tx, sellerId: string, file: RegisteredFile): Promise<string> {
  const open = and(eq(files.sellerId, sellerId), isNull(files.readyAt), eq(files.isCopy, false));
  if ((await tx.$count(files, open)) >= MAX_OPEN_UPLOADS)
    throw new Refusal(
      "conflict",
      `Já há ${MAX_OPEN_UPLOADS} envios que não terminaram. Termine ou cancele algum antes de começar outro.`,
      "file",
      undefined,
      "uploads_open",
    );
  const [used] = await tx
    .select({ bytes: sql<string>`coalesce(sum(size), 0)` })
    .from(files)
    .where(and(eq(files.sellerId, sellerId), eq(files.isCopy, false)));
  const freeBytes = env.STORAGE_SELLER_GB * GB - Number(used!.bytes);
  if (file.size > freeBytes)
    throw new Refusal(
      "too-large",
      `Faltam ${formatBytes(file.size - Math.max(0, freeBytes))} de espaço para este arquivo, que tem ${formatBytes(file.size)}. Apague arquivos que não usa mais.`,
      "file",
      undefined,
      "quota_exceeded",
    );
  const [row] = await tx
    .insert(files)
    .values({ ...file, sellerId, name: cleanFileName(file.name) })
    .returning({ id: files.id });
  return row!.id;
}
