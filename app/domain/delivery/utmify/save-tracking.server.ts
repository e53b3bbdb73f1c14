import { sql } from "drizzle-orm";
import type { z } from "zod";
import { type Db, db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { refuseInside, storeDestination } from "#app/domain/delivery/save-destination.server.ts";
import {
  type Connection,
  type ConnectionView,
  findConnection,
  findUtmify,
  showConnection,
  toConnection,
} from "#app/domain/delivery/utmify/connection.server.ts";
import {
  listSwitchedProducts,
  type TrackedProduct,
} from "#app/domain/delivery/utmify/product-list.server.ts";
import type {
  ConnectionBody,
  ConnectionForm,
  EventsBody,
  trackingForm,
} from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { addressOf, utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isMask, isSameSecret } from "#app/platform/secrets.server.ts";

/** What is saved of a connection. A masked token leaves the saved one, an empty one removes it. Products: on or off. */
type Change = Partial<Omit<Connection, "token" | "events">> & {
  token?: string | undefined;
  events?: EventsBody;
  products?: Map<number, boolean>;
};

/**
 * Saves what is given of a seller's connection, and creates the destination if there is none. The caller holds the
 * seller's lock, and checked the address: names are resolved over the network. The seller is mailed where address or token
 * changed.
 * @throws Refusal invalid for a masked token at another host; not-found for another seller's product
 */
export async function storeTracking(
  tx: Db,
  sellerId: string,
  { products: wanted = new Map(), events = {}, ...change }: Change,
  from?: RequestOrigin,
): Promise<void> {
  const row = (await findUtmify(sellerId, tx)) ?? null;
  const off = new Set(row?.exceptProductIds ?? []);
  for (const [id, isOn] of await onlySold(tx, sellerId, wanted)) isOn ? off.delete(id) : off.add(id);
  const exceptProductIds = [...off].sort((a, b) => a - b);
  const saved = toConnection(row);
  const { purchase = saved.events.purchase, refund = saved.events.refund } = events;
  const chargeback = events.chargeback ?? saved.events.chargeback;
  const merged = { ...saved, token: undefined, ...change, events: { purchase, refund, chargeback } };
  const form = { ...merged, name: "UTMify", exceptProductIds };
  await storeDestination(tx, utmify, row, { sellerId, form, from });
}

/** Without the products deleted meanwhile. @throws Refusal not-found for another seller's product */
async function onlySold(tx: Db, sellerId: string, wanted: Map<number, boolean>) {
  const ids = [...wanted.keys()];
  if (ids.length === 0) return wanted;
  const known = await tx
    .select({ id: products.id, sellerId: products.sellerId, archivedAt: products.archivedAt })
    .from(products)
    .where(sql`${products.id} = any(${`{${ids.join(",")}}`}::bigint[])`);
  if (known.some((product) => product.sellerId !== sellerId)) throw notFound("Produto não encontrado");
  const sold = new Set(known.filter(({ archivedAt }) => archivedAt === null).map(({ id }) => id));
  return new Map([...wanted].filter(([id]) => sold.has(id)));
}

/**
 * Saves connection, events and the products that the form's search shows at once: all or nothing.
 * @throws Refusal invalid, not-found, conflict where any of it was saved since `version`
 */
export async function saveTracking(
  sellerId: string,
  form: z.output<typeof trackingForm>,
  from?: RequestOrigin,
  version?: string,
): Promise<void> {
  const on = new Set(form.products);
  const { purchase, refund, chargeback } = form;
  await refuseInside(utmify, connectionOf(form));
  await withSellerLock(sellerId, async (tx) => {
    const shown = await showTracking(sellerId, form.product_search.trim(), tx);
    rejectStale(version, shown.version);
    const wanted = new Map(shown.products.map(({ id }) => [id, on.has(id)]));
    const change = { ...connectionOf(form), events: { purchase, refund, chargeback }, products: wanted };
    await storeTracking(tx, sellerId, change, from);
  });
}

/** The tracking form's values with the products that a search shows, and its version. */
export async function showTracking(sellerId: string, search = "", tx: Db = db) {
  const connection = await showConnection(sellerId, tx);
  const { products, isMore } = await listSwitchedProducts(sellerId, search, tx);
  return { connection, products, isMore, version: trackingVersion(connection, products) };
}

/** A new product is reported by default: saving a form that does not list it would switch it off. */
function trackingVersion(connection: ConnectionView, products: TrackedProduct[]): string {
  return versionOf([connection, products.map(({ id, isEnabled }) => [id, isEnabled])]);
}

/**
 * Saves what is given of the connection alone. @returns the version of what was saved
 * @throws Refusal as `saveTracking`
 */
export async function saveConnection(
  sellerId: string,
  form: ConnectionBody,
  from?: RequestOrigin,
  version?: string,
): Promise<string> {
  const change = connectionOf(form);
  if (change.apiUrl) await refuseInside(utmify, change);
  return withSellerLock(sellerId, async (tx) => {
    const read = async () => connectionVersion(await showConnection(sellerId, tx));
    rejectStale(version, await read());
    await storeTracking(tx, sellerId, change, from);
    return read();
  });
}

/** The version of what the connection's API shows. */
export function connectionVersion({ token, apiUrl, sourceId, enabled }: ConnectionView): string {
  return versionOf([token, apiUrl, sourceId, enabled]);
}

/** Saves which events are reported; those not given stay as they are. */
export async function saveEvents(sellerId: string, events: EventsBody): Promise<void> {
  await withSellerLock(sellerId, (tx) => storeTracking(tx, sellerId, { events }));
}

/** Saves which of a seller's products are reported. @throws Refusal not-found for another seller's product */
export async function saveTrackedProducts(sellerId: string, wanted: Map<number, boolean>): Promise<void> {
  if (wanted.size === 0) return;
  await withSellerLock(sellerId, (tx) => storeTracking(tx, sellerId, { products: wanted }));
}

/** Switches reporting on or off, and the token and source where given: the settings page's card. */
export async function saveConnectionCard(
  sellerId: string,
  card: { enabled?: boolean | undefined; token?: string | undefined; sourceId?: string | undefined },
  tx: Db,
  from?: RequestOrigin,
): Promise<void> {
  const change: Change = {};
  if (card.enabled !== undefined) change.enabled = card.enabled;
  if (card.sourceId) change.sourceId = card.sourceId;
  if (card.token !== undefined && !isMask(card.token)) change.token = card.token;
  if (Object.keys(change).length > 0) await storeTracking(tx, sellerId, change, from);
}

/** Whether a form sends orders to another address, or with another token: what a thief of a session would change. */
export async function changesReceiver(sellerId: string, form: ConnectionForm): Promise<boolean> {
  const { token, apiUrl } = await findConnection(sellerId);
  const typed = form.api_token;
  // An empty token sends nothing anywhere.
  const isNewToken = typed !== "" && !isMask(typed) && !isSameSecret(token ?? "", typed);
  return isNewToken || addressOf(form) !== apiUrl;
}

function connectionOf({ api_token, api_url, source_id, is_enabled }: ConnectionBody): Change {
  return {
    token: api_token,
    ...(api_url === undefined ? {} : { apiUrl: addressOf({ api_url }) }),
    ...(source_id === undefined ? {} : { sourceId: source_id }),
    ...(is_enabled === undefined ? {} : { enabled: is_enabled }),
  };
}
