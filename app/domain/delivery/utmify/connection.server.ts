import { and, eq, isNull, type SQL } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DestinationRow } from "#app/domain/delivery/kind.ts";
import type { UtmifySettings } from "#app/domain/delivery/utmify/settings.ts";
import { EVENTS_OF, type EventType } from "#app/domain/delivery/utmify/states.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A seller's connection to UTMify as it is used, with the token decrypted. Never sent to a browser. */
export type Connection = {
  token: string | null;
  apiUrl: string;
  sourceId: string;
  enabled: boolean;
  events: Record<EventType, boolean>;
};

/** A connection as its seller may see it: `token` is a mask, or empty where none was saved. */
export type ConnectionView = Omit<Connection, "token"> & { token: string };

/** A seller's connection for a screen, with the token masked. */
export async function showConnection(sellerId: string, tx: Db = db): Promise<ConnectionView> {
  const connection = await findConnection(sellerId, tx);
  return { ...connection, token: connection.token ? maskSecret(connection.token) : "" };
}

/** UTMify's own address for orders, or the sandbox's. */
export const ORDERS_URL = `${withoutEnd(env.UTMIFY_BASE_URL, "/")}/api-credentials/orders`;

/** A seller's connection; the defaults where nothing was saved. */
export async function findConnection(sellerId: string, tx: Db = db): Promise<Connection> {
  return toConnection((await findUtmify(sellerId, tx)) ?? null);
}

/** A row's connection; the defaults without one. */
export function toConnection(row: DestinationRow | null): Connection {
  if (!row) return { token: null, apiUrl: ORDERS_URL, ...UNSAVED };
  const { apiUrl, sourceId, isEnabled } = row.settings as UtmifySettings;
  const hears = (type: EventType) => EVENTS_OF[type].some((event) => row.events.includes(event));
  return {
    token: row.tokenSealed ? unseal(row.tokenSealed) : null,
    apiUrl: apiUrl ?? ORDERS_URL,
    sourceId,
    enabled: isEnabled,
    events: { purchase: hears("purchase"), refund: hears("refund"), chargeback: hears("chargeback") },
  };
}

const UNSAVED = {
  sourceId: "checkintelli",
  enabled: false,
  events: { purchase: true, refund: false, chargeback: false },
};

/** A seller's destination of the kind `utmify`; undefined where nothing was ever saved. */
export async function findUtmify(sellerId: string, tx: Db = db): Promise<DestinationRow | undefined> {
  const [row] = await tx.select().from(destinations).where(isUtmifyOf(sellerId));
  return row;
}

export function isUtmifyOf(sellerId: string): SQL | undefined {
  return and(
    eq(destinations.sellerId, sellerId),
    eq(destinations.kind, "utmify"),
    isNull(destinations.deletedAt),
  );
}

/** Where orders go for an `api_url` as a seller may write it: a bare host means UTMify's path below it. */
export function endpointOf(apiUrl: string): string {
  if (!URL.canParse(apiUrl)) return apiUrl;
  const url = new URL(apiUrl);
  const path = withoutEnd(url.pathname, "/");
  const bare = path === "" || withoutEnd(url.href, "/") === withoutEnd(env.UTMIFY_BASE_URL, "/");
  return bare ? `${url.origin}${path}/api-credentials/orders` : apiUrl;
}
