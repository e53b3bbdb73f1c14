import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import {
  type Connection,
  findConnection,
  findUtmify,
  ORDERS_URL,
} from "#app/domain/outbox/utmify/connection.server.ts";
import type { UtmifySettings } from "#app/domain/outbox/utmify/settings.ts";
import { EVENTS_OF, type EventType } from "#app/domain/outbox/utmify/states.ts";
import { seal } from "#app/platform/secrets.server.ts";

/**
 * Keeps what changed of a seller's connection; the destination is made where there is none. It is stopped while the seller
 * has it switched off, or gave no token. Call it in the seller's turn.
 */
export async function keepUtmify(tx: Db, sellerId: string, change: Partial<Connection>): Promise<string> {
  const row = await findUtmify(sellerId, tx);
  const connection = { ...(await findConnection(sellerId, tx)), ...change };
  const isOn = connection.enabled && Boolean(connection.token);
  const now = new Date();
  const set = {
    events: (Object.keys(EVENTS_OF) as EventType[]).flatMap((type) =>
      connection.events[type] ? [...EVENTS_OF[type]] : [],
    ),
    settings: settingsOf(connection, row?.settings as UtmifySettings | undefined, now),
    // Sealing makes another text each time: what did not change stays as it is.
    ...(change.token === undefined ? {} : { tokenSealed: change.token ? seal(change.token) : null }),
    stoppedAt: isOn ? null : (row?.stoppedAt ?? now),
    stoppedWhy: isOn ? null : ("seller" as const),
    failingSince: null,
    restUntil: null,
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
    // An order's platform is what the source was called when it was ordered.
    former: isRenamed ? [...former, { sourceId: saved.sourceId, until: now.toISOString() }] : former,
  };
}
