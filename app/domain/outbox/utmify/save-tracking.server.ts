import type { z } from "zod";
import { type Db, db } from "#app/db/client.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import {
  keepTrackedProducts,
  listTrackedProducts,
  type TrackedProduct,
} from "#app/domain/outbox/utmify/product-list.server.ts";
import {
  addressOf,
  keepConnection,
  keepEvents,
  refuseInside,
} from "#app/domain/outbox/utmify/save-connection.server.ts";
import { type ShownConnection, showConnection } from "#app/domain/outbox/utmify/show-connection.server.ts";
import type { trackingForm } from "#app/domain/outbox/utmify/tracking-form.server.ts";
import type { Origin } from "#app/kit/device.ts";

/**
 * Keeps connection, events and products at once: all or nothing.
 * @throws Refusal invalid, not-found, conflict where any of it was saved since `version`
 */
export async function saveTracking(
  sellerId: string,
  form: z.output<typeof trackingForm>,
  from?: Origin,
  version?: string,
): Promise<void> {
  const on = new Set(form.products);
  await refuseInside(addressOf(form));
  await inSellersTurn(sellerId, async (tx) => {
    const { connection, products } = await showTracking(sellerId, tx);
    refuseStale(version, trackingVersion(connection, products));
    await keepConnection(sellerId, form, tx, from);
    await keepEvents(sellerId, form, tx);
    await keepTrackedProducts(sellerId, new Map(products.map(({ id }) => [id, on.has(id)])), tx);
  });
}

/** What the tracking's form shows, with its version. */
export async function showTracking(sellerId: string, tx: Db = db) {
  const connection = await showConnection(sellerId, tx);
  const products = await listTrackedProducts(sellerId, tx);
  return { connection, products, version: trackingVersion(connection, products) };
}

/** A product that is new is reported: who saves a form that does not know it would switch it off. */
function trackingVersion(connection: ShownConnection, products: TrackedProduct[]): string {
  return versionOf([connection, products.map(({ id, isEnabled }) => [id, isEnabled])]);
}
