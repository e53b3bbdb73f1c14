import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

export type PictureRow = typeof pictures.$inferSelect;

const pictureNotFound = () => notFound("Imagem não encontrada");

/** A seller's picture, in any state. @throws Refusal not-found */
export async function findPicture(sellerId: string, id: string): Promise<PictureRow> {
  if (!isUuid(id)) throw pictureNotFound();
  const [row] = await db
    .select()
    .from(pictures)
    .where(ownById(pictures, sellerId, id));
  if (!row) throw pictureNotFound();
  return row;
}
