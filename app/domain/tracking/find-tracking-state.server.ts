import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { isLastSent, lastAttempt } from "#app/domain/delivery/list-destinations.server.ts";
import { isUtmifyOf } from "#app/domain/delivery/utmify/connection.server.ts";

/** `isFailing`: the last deliveries to UTMify did not arrive; `hasSent`: the last one, a test at least, was not refused. */
export type TrackingState = { isFailing: boolean; hasSent: boolean };

export async function findTrackingState(sellerId: string): Promise<TrackingState> {
  const [row] = await db
    .select({ failingSince: destinations.failingSince, last: lastAttempt })
    .from(destinations)
    .where(isUtmifyOf(sellerId));
  return { isFailing: Boolean(row?.failingSince), hasSent: isLastSent(row?.last ?? null) };
}
