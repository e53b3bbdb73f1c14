import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

export type FileRow = typeof files.$inferSelect;

export const uploadNotFound = () => notFound("Envio não encontrado");

/** A seller's file, finished or not. @throws Refusal not-found */
export async function findUpload(sellerId: string, id: string): Promise<FileRow> {
  if (!isUuid(id)) throw uploadNotFound();
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.id, id), eq(files.sellerId, sellerId)));
  if (!file) throw uploadNotFound();
  return file;
}
