import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { rejectStale } from "#app/db/version.server.ts";
import {
  areOwnOffers,
  findOffer,
  isOwnOffer,
  type OfferOwner,
  offerNotFound,
} from "#app/domain/offer/find-offer.server.ts";
import { offerVersion } from "#app/domain/offer/offer-json.server.ts";
import { changeOffers, insertOffer, randomSlug } from "#app/domain/offer/save-offer.server.ts";
import { truncate } from "#app/kit/clean-text.ts";

const COPY_SUFFIX = " (cópia)";

/**
 * Copies an offer; the copy is paused, unsold, the last in order, and has a random slug. With `since` one that was made since then
 * is the answer: the form was sent again.
 * @throws Refusal not-found; conflict beyond `MAX_OFFERS`
 */
export async function duplicateOffer(
  owner: OfferOwner,
  offerId: string,
  since?: Date,
): Promise<{ id: string; name: string }> {
  return changeOffers(owner, async (tx) => {
    const original = await findOffer(owner, offerId, tx);
    const { id: _, createdAt, updatedAt, units, position, ...fields } = original;
    const name = truncate(original.name, 100 - COPY_SUFFIX.length) + COPY_SUFFIX;
    const isMade = since && and(areOwnOffers(owner), eq(offers.name, name), gte(offers.createdAt, since));
    const [made] = isMade ? await tx.select({ id: offers.id }).from(offers).where(isMade).limit(1) : [];
    if (made) return { ...made, name };
    const id = await insertOffer(tx, { ...fields, name, slug: randomSlug(), deactivatedAt: new Date() });
    return { id, name };
  });
}

/**
 * Deletes an offer, and its slug is its seller's to take again; the row stays for its sales and their units.
 * @param version the one that the seller saw; without it any is deleted
 * @returns its name @throws Refusal not-found; conflict where the offer was saved since `version`
 */
export async function deleteOffer(owner: OfferOwner, offerId: string, version?: string): Promise<string> {
  return changeOffers(owner, async (tx) => {
    const isOwn = isOwnOffer(owner, offerId);
    const [offer] = await tx.select().from(offers).where(isOwn).for("no key update");
    if (!offer) throw offerNotFound();
    rejectStale(version, offerVersion(offer));
    const now = new Date();
    await tx.update(offers).set({ archivedAt: now, slug: null, updatedAt: now }).where(isOwn);
    await writeOrder(tx, owner, await readOrder(tx, owner));
    return offer.name;
  });
}

/**
 * Moves an offer one place up or down in its product's order; at the end of it nothing changes.
 * @returns its name @throws Refusal not-found
 */
export async function moveOffer(
  owner: OfferOwner,
  offerId: string,
  direction: "up" | "down",
): Promise<string> {
  return changeOffers(owner, async (tx) => {
    const { id, name } = await findOffer(owner, offerId, tx);
    const ids = await readOrder(tx, owner);
    const from = ids.indexOf(id);
    const to = Math.min(Math.max(from + (direction === "up" ? -1 : 1), 0), ids.length - 1);
    ids.splice(to, 0, ...ids.splice(from, 1));
    await writeOrder(tx, owner, ids);
    return name;
  });
}

async function readOrder(tx: Tx, owner: OfferOwner): Promise<string[]> {
  const rows = await tx
    .select({ id: offers.id })
    .from(offers)
    .where(areOwnOffers(owner))
    .orderBy(asc(offers.position), asc(offers.createdAt), asc(offers.id));
  return rows.map(({ id }) => id);
}

/** Numbers them from 0 without gaps. */
async function writeOrder(tx: Tx, { sellerId }: OfferOwner, ids: string[]): Promise<void> {
  await tx
    .update(offers)
    .set({ position: sql`array_position(${`{${ids.join(",")}}`}::uuid[], ${offers.id}) - 1` })
    .where(sql`${eq(offers.sellerId, sellerId)} and ${offers.id} = any(${`{${ids.join(",")}}`}::uuid[])`);
}
