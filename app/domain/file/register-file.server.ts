import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { cleanLine } from "#app/kit/clean-text.ts";
import { formatBytes } from "#app/kit/files/bytes.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { StorageFull, StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { storage } from "#app/platform/storage/storage.server.ts";

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

const MAX_LENGTH = 150;

/** A file's name for display and download: one line, no folder, no characters that change the text direction. */
function cleanFileName(typed: string): string {
  const last = cleanLine(typed).split(/[/\\]/).at(-1)!;
  const name = trimDots(last.replace(/[<>:"|?*]/g, "_"));
  const letters = [...name];
  if (letters.length <= MAX_LENGTH) return name || "arquivo";
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? "";
  return (
    letters
      .slice(0, MAX_LENGTH - ending.length)
      .join("")
      .trimEnd() + ending
  );
}

/** Blanks and dots at the ends hide a file, or its extension, from people. */
function trimDots(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && /[\s.]/.test(name[from]!)) from += 1;
  while (to > from && /[\s.]/.test(name[to - 1]!)) to -= 1;
  return name.slice(from, to);
}

/** Begins a file's upload in the blob store; if that fails its row is deleted. @throws StorageFull, StorageUnavailable */
export async function beginStorageUpload(id: string): Promise<string | null> {
  try {
    const uploadRef = await storage.begin(id).catch(async (error) => {
      if (!(error instanceof StorageUnavailable)) throw error;
      if (!(await hasStoredFiles())) await storage.prepare();
      // Also where another file was stored meanwhile.
      return storage.begin(id);
    });
    if (uploadRef) await db.update(files).set({ uploadRef }).where(eq(files.id, id));
    return uploadRef;
  } catch (error) {
    await db.delete(files).where(eq(files.id, id));
    throw error;
  }
}

/** Whether any bytes are stored, which an unavailable blob store may have. */
async function hasStoredFiles(): Promise<boolean> {
  const found = await db.select({ id: files.id }).from(files).where(gt(files.received, 0)).limit(1);
  return found.length > 0;
}

/** Runs work that needs space in the blob store. @throws Refusal unavailable (`storage_full`) where there is none */
export async function refuseWhenFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    log.error("no room left for files");
    throw new Refusal(
      "unavailable",
      "Não há espaço para guardar o arquivo agora. O que já foi enviado fica: tente de novo mais tarde, e o envio continua de onde parou.",
      "file",
      60,
      "storage_full",
    );
  }
}
