import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import {
  type Connection,
  findConnection,
  findUtmify,
  ORDERS_URL,
} from "#app/domain/delivery/utmify/connection.server.ts";
import type { UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { EVENTS_OF, type EventType } from "#app/domain/delivery/utmify/states.ts";
import { seal } from "#app/platform/secrets.server.ts";

/**
 * Saves what changed of a seller's connection, and creates the destination if there is none. It is stopped while the seller
 * has it switched off, or gave no token. The caller holds the seller's lock.
 */
export async function storeUtmify(tx: Db, sellerId: string, change: Partial<Connection>): Promise<string> {
  const row = await findUtmify(sellerId, tx);
  const connection = { ...(await findConnection(sellerId, tx)), ...change };
  const isOn = connection.enabled && Boolean(connection.token);
  const now = new Date();
  const set = {
    events: (Object.keys(EVENTS_OF) as EventType[]).flatMap((type) =>
      connection.events[type] ? [...EVENTS_OF[type]] : [],
    ),
    settings: settingsOf(connection, row?.settings as UtmifySettings | undefined, now),
    // Sealing the same text twice gives two results, so an unchanged one stays as it is.
    ...(change.token === undefined ? {} : { tokenSealed: change.token ? seal(change.token) : null }),
    stoppedAt: isOn ? null : (row?.stoppedAt ?? now),
    stoppedReason: isOn ? null : ("seller" as const),
    failingSince: null,
    backoffUntil: null,
    updatedAt: now,
  };
  if (row) {
    await tx.update(destinations).set(set).where(eq(destinations.id, row.id));
    return row.id;
  }
  const [made] = await tx
    .insert(destinations)
    .values({ sellerId, kind: "utmify", name: "UTMify", exceptProductIds: [], ...set })
    .returning({ id: destinations.id });
  return made!.id;
}

function settingsOf(
  { apiUrl, sourceId, enabled }: Connection,
  saved: UtmifySettings | undefined,
  now: Date,
): UtmifySettings {
  const former = saved?.former ?? [];
  const isRenamed = saved !== undefined && saved.sourceId !== sourceId;
  return {
    apiUrl: apiUrl === ORDERS_URL ? null : apiUrl,
    sourceId,
    isEnabled: enabled,
    // An order's platform is the source's name when it was ordered.
    former: isRenamed ? [...former, { sourceId: saved.sourceId, until: now.toISOString() }] : former,
  };
}
