import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { trackingConnections } from "#app/db/schema/tracking.server.ts";
import type { EventType } from "#app/domain/outbox/utmify/states.ts";
import { withoutEnd } from "#app/kit/without-end.ts";
import { env } from "#app/platform/env.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A seller's connection to UTMify as it is used: the token readable. Never sent to a browser. */
export type Connection = {
  token: string | null;
  apiUrl: string;
  sourceId: string;
  enabled: boolean;
  events: Record<EventType, boolean>;
};

/** UTMify's own address for orders, or the sandbox's. */
export const ORDERS_URL = `${withoutEnd(env.UTMIFY_BASE_URL, "/")}/api-credentials/orders`;

/** A seller's connection; the defaults where nothing was saved. */
export async function findConnection(sellerId: string, tx: Db = db): Promise<Connection> {
  const [row] = await tx.select().from(trackingConnections).where(eq(trackingConnections.sellerId, sellerId));
  return {
    token: row?.apiTokenSealed ? unseal(row.apiTokenSealed) : null,
    apiUrl: row?.apiUrl ?? ORDERS_URL,
    sourceId: row?.sourceId ?? "checkintelli",
    enabled: row?.enabledAt != null,
    events: {
      purchase: row?.onPurchase ?? true,
      refund: row?.onRefund ?? false,
      chargeback: row?.onChargeback ?? false,
    },
  };
}

/** Where orders go for an `api_url` as a seller may write it: a bare host means UTMify's path below it. */
export function endpointOf(apiUrl: string): string {
  if (!URL.canParse(apiUrl)) return apiUrl;
  const url = new URL(apiUrl);
  const path = withoutEnd(url.pathname, "/");
  const bare = path === "" || withoutEnd(url.href, "/") === withoutEnd(env.UTMIFY_BASE_URL, "/");
  return bare ? `${url.origin}${path}/api-credentials/orders` : apiUrl;
}
