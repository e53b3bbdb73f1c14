import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { ownPicture } from "#app/domain/picture/picture-address.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Before addresses are saved, by the fields they were typed in: those of our pictures must be the seller's own, and are not
 * cleaned away from now on. Addresses elsewhere are left alone.
 * @throws Refusal invalid, at the field
 */
export async function claimPictures(
  tx: Tx,
  sellerId: string,
  addresses: Record<string, string | null | undefined>,
): Promise<void> {
  const named = Object.entries(addresses).flatMap(([field, address]) => {
    const key = address ? ownPicture(address)?.key : undefined;
    return key ? [{ field, key }] : [];
  });
  if (named.length === 0) return;
  const keys = named.map(({ key }) => key);
  const own = await tx
    .update(pictures)
    .set({ touchedAt: new Date() })
    .where(and(eq(pictures.sellerId, sellerId), inArray(pictures.key, keys), isNotNull(pictures.readyAt)))
    .returning({ key: pictures.key });
  const strange = named.find(({ key }) => !own.some((row) => row.key === key));
  if (strange)
    throw new Refusal(
      "invalid",
      "Esta imagem não está mais entre as suas: envie-a de novo ou use outra",
      strange.field,
    );
}
