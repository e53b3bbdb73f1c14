import type { Db } from "#app/db/client.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { chooseToken } from "#app/domain/delivery/utmify/choose-token.ts";
import {
  type Connection,
  findConnection,
  ORDERS_URL,
} from "#app/domain/delivery/utmify/connection.server.ts";
import { type ConnectionView, showConnection } from "#app/domain/delivery/utmify/show-connection.server.ts";
import { storeUtmify } from "#app/domain/delivery/utmify/store-utmify.server.ts";
import type { ConnectionForm, EventsForm } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { checkOutgoingAddress, ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { isMask, isSameSecret } from "#app/platform/secrets.server.ts";

/**
 * Saves the connection as posted; a masked token leaves the saved one, an empty one removes it.
 * @throws Refusal invalid for an address that may not be called; conflict where it was saved since `version`
 */
export async function saveConnection(
  sellerId: string,
  form: ConnectionForm,
  from?: RequestOrigin,
  version?: string,
): Promise<void> {
  await refuseInside(addressOf(form));
  await withSellerLock(sellerId, async (tx) => {
    rejectStale(version, connectionVersion(await showConnection(sellerId, tx)));
    await storeConnection(sellerId, form, tx, from);
  });
}

/** Whether a form sends orders to another address, or with another token: what a thief of a session would change. */
export async function changesReceiver(
  sellerId: string,
  form: Pick<ConnectionForm, "api_token" | "api_url">,
): Promise<boolean> {
  return isOther(await findConnection(sellerId), typedReceiver(form));
}

type Receiver = Pick<Connection, "token" | "apiUrl">;

function typedReceiver(form: Pick<ConnectionForm, "api_token" | "api_url">): Partial<Receiver> {
  const apiUrl = addressOf(form);
  return isMask(form.api_token) ? { apiUrl } : { apiUrl, token: form.api_token };
}

/** An empty token sends nothing anywhere. */
function isOther(saved: Receiver, typed: Partial<Receiver>): boolean {
  const isNewToken = Boolean(typed.token) && !isSameSecret(saved.token ?? "", typed.token!);
  return isNewToken || (typed.apiUrl !== undefined && typed.apiUrl !== saved.apiUrl);
}

/** The version of what the connection's API shows. */
export function connectionVersion({ token, apiUrl, sourceId, enabled }: ConnectionView): string {
  return versionOf([token, apiUrl, sourceId, enabled]);
}

/** The address orders are sent to. */
export function addressOf(form: Pick<ConnectionForm, "api_url">): string {
  return form.api_url || ORDERS_URL;
}

/**
 * The same within a transaction, for an address that was checked before it began: names are resolved over the network. The
 * seller is mailed where address or token changed.
 */
export async function storeConnection(
  sellerId: string,
  form: ConnectionForm,
  tx: Db,
  from?: RequestOrigin,
): Promise<void> {
  const apiUrl = addressOf(form);
  const saved = await findConnection(sellerId, tx);
  const token = chooseToken({ token: form.api_token, isMask: isMask(form.api_token), apiUrl }, saved);
  await storeUtmify(tx, sellerId, { token, apiUrl, sourceId: form.source_id, enabled: form.is_enabled });
  if (isOther(saved, { apiUrl, token })) await notifyOwner(tx, sellerId, apiUrl, from);
}

async function notifyOwner(tx: Db, sellerId: string, apiUrl: string, from?: RequestOrigin): Promise<void> {
  const lines = [`Os dados das suas vendas passam a ser enviados a ${new URL(apiUrl).host}.`];
  await queueSecurityMail(tx, sellerId, { change: "tracking", origin: from, lines });
}

/** Switches reporting on or off, and the token and source where given: the settings page's card. */
export async function saveConnectionCard(
  sellerId: string,
  card: { enabled?: boolean | undefined; token?: string | undefined; sourceId?: string | undefined },
  tx: Db,
  from?: RequestOrigin,
): Promise<void> {
  const change: Partial<Connection> = {};
  if (card.enabled !== undefined) change.enabled = card.enabled;
  if (card.sourceId) change.sourceId = card.sourceId;
  if (card.token !== undefined && !isMask(card.token)) change.token = card.token;
  if (Object.keys(change).length === 0) return;
  const saved = await findConnection(sellerId, tx);
  await storeUtmify(tx, sellerId, change);
  if (card.token && !isMask(card.token) && isOther(saved, { token: card.token }))
    await notifyOwner(tx, sellerId, saved.apiUrl, from);
}

/** Saves which events are reported. */
export async function saveEvents(sellerId: string, events: EventsForm): Promise<void> {
  await withSellerLock(sellerId, (tx) => storeEvents(sellerId, events, tx));
}

/** The same within a transaction. */
export async function storeEvents(sellerId: string, events: EventsForm, tx: Db): Promise<void> {
  await storeUtmify(tx, sellerId, { events });
}

/** @throws Refusal invalid where the address is not one we call */
export async function refuseInside(apiUrl: string): Promise<void> {
  try {
    await checkOutgoingAddress(apiUrl);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Refusal("invalid", error.reason, "api_url");
    throw error;
  }
}
