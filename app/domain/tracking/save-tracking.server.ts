import type { z } from "zod";
import { db } from "#app/db/client.server.ts";
import { listTrackedProducts, saveTrackedProducts } from "#app/domain/tracking/product-list.server.ts";
import {
  addressOf,
  keepConnection,
  refuseInside,
  saveEvents,
} from "#app/domain/tracking/save-connection.server.ts";
import type { trackingForm } from "#app/domain/tracking/tracking-form.server.ts";

/** Keeps connection, events and products at once: all or nothing. @throws Refusal invalid, not-found */
export async function saveTracking(sellerId: string, form: z.output<typeof trackingForm>): Promise<void> {
  const on = new Set(form.products);
  await refuseInside(addressOf(form));
  const listed = await listTrackedProducts(sellerId);
  await db.transaction(async (tx) => {
    await keepConnection(sellerId, form, tx);
    await saveEvents(sellerId, form, tx);
    await saveTrackedProducts(sellerId, new Map(listed.map(({ id }) => [id, on.has(id)])), tx);
  });
}
