import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { lastAttempt } from "#app/domain/delivery/list-destinations.server.ts";
import { isUtmifyOf } from "#app/domain/delivery/utmify/connection.server.ts";

/** `isFailing`: the last deliveries to UTMify did not arrive; `hasSent`: something was sent to it, a test at least. */
type TrackingState = { isFailing: boolean; hasSent: boolean };

export async function findTrackingState(sellerId: string): Promise<TrackingState> {
  const [row] = await db
    .select({ failingSince: destinations.failingSince, last: lastAttempt })
    .from(destinations)
    .where(isUtmifyOf(sellerId));
  return { isFailing: Boolean(row?.failingSince), hasSent: Boolean(row?.last) };
}
