import type { z } from "zod";
import { type Db, db } from "#app/db/client.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import {
  listTrackedProducts,
  storeTrackedProducts,
  type TrackedProduct,
} from "#app/domain/delivery/utmify/product-list.server.ts";
import {
  addressOf,
  refuseInside,
  storeConnection,
  storeEvents,
} from "#app/domain/delivery/utmify/save-connection.server.ts";
import { type ConnectionView, showConnection } from "#app/domain/delivery/utmify/show-connection.server.ts";
import type { trackingForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/**
 * Saves connection, events and products at once: all or nothing.
 * @throws Refusal invalid, not-found, conflict where any of it was saved since `version`
 */
export async function saveTracking(
  sellerId: string,
  form: z.output<typeof trackingForm>,
  from?: RequestOrigin,
  version?: string,
): Promise<void> {
  const on = new Set(form.products);
  await refuseInside(addressOf(form));
  await withSellerLock(sellerId, async (tx) => {
    const { connection, products } = await showTracking(sellerId, tx);
    rejectStale(version, trackingVersion(connection, products));
    await storeConnection(sellerId, form, tx, from);
    await storeEvents(sellerId, form, tx);
    await storeTrackedProducts(sellerId, new Map(products.map(({ id }) => [id, on.has(id)])), tx);
  });
}

/** The tracking form's values, with its version. */
export async function showTracking(sellerId: string, tx: Db = db) {
  const connection = await showConnection(sellerId, tx);
  const products = await listTrackedProducts(sellerId, tx);
  return { connection, products, version: trackingVersion(connection, products) };
}

/** A new product is reported by default: saving a form that does not list it would switch it off. */
function trackingVersion(connection: ConnectionView, products: TrackedProduct[]): string {
  return versionOf([connection, products.map(({ id, isEnabled }) => [id, isEnabled])]);
}
