import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { findOwnPicture } from "#app/domain/picture/picture-address.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Checks addresses before they are saved, by form field: pictures of ours must be the seller's own, and are marked as used,
 * so that they are not deleted. Addresses elsewhere are not checked.
 * @throws Refusal invalid, at the field
 */
export async function requireOwnPictures(
  tx: Tx,
  sellerId: string,
  addresses: Record<string, string | null | undefined>,
): Promise<void> {
  const named = Object.entries(addresses).flatMap(([field, address]) => {
    const key = address ? findOwnPicture(address)?.key : undefined;
    return key ? [{ field, key }] : [];
  });
  if (named.length === 0) return;
  const keys = named.map(({ key }) => key);
  // In one order, as whatever else marks several.
  const own = await tx
    .select({ id: pictures.id, key: pictures.key })
    .from(pictures)
    .where(and(eq(pictures.sellerId, sellerId), inArray(pictures.key, keys), isNotNull(pictures.readyAt)))
    .orderBy(pictures.id)
    .for("no key update");
  const foreign = named.find(({ key }) => !own.some((row) => row.key === key));
  if (foreign)
    throw new Refusal(
      "invalid",
      "Esta imagem não está mais entre as suas: envie-a de novo ou use outra",
      foreign.field,
    );
  const ids = own.map(({ id }) => id);
  await tx.update(pictures).set({ touchedAt: sql`now()` }).where(inArray(pictures.id, ids));
}
