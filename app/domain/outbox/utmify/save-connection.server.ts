import type { Db } from "#app/db/client.server.ts";
import { inSellersTurn, refuseStale, versionOf } from "#app/db/version.server.ts";
import { queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { chooseToken } from "#app/domain/outbox/utmify/choose-token.ts";
import { type Connection, findConnection, ORDERS_URL } from "#app/domain/outbox/utmify/connection.server.ts";
import { keepUtmify } from "#app/domain/outbox/utmify/keep-utmify.server.ts";
import { type ShownConnection, showConnection } from "#app/domain/outbox/utmify/show-connection.server.ts";
import type { ConnectionForm, EventsForm } from "#app/domain/outbox/utmify/tracking-form.server.ts";
import type { Origin } from "#app/kit/device.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { checkOutsideAddress, ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { isMask, isSameSecret } from "#app/platform/secrets.server.ts";

/**
 * Keeps the connection as posted; a masked token keeps the saved one, an empty one removes it.
 * @throws Refusal invalid for an address that may not be called; conflict where it was saved since `version`
 */
export async function saveConnection(
  sellerId: string,
  form: ConnectionForm,
  from?: Origin,
  version?: string,
): Promise<void> {
  await refuseInside(addressOf(form));
  await inSellersTurn(sellerId, async (tx) => {
    refuseStale(version, connectionVersion(await showConnection(sellerId, tx)));
    await keepConnection(sellerId, form, tx, from);
  });
}

/** Whether a form sends orders to another address, or with another token: what whoever steals a session would change. */
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

/** An emptied token sends nothing anywhere. */
function isOther(saved: Receiver, typed: Partial<Receiver>): boolean {
  const isNewToken = Boolean(typed.token) && !isSameSecret(saved.token ?? "", typed.token!);
  return isNewToken || (typed.apiUrl !== undefined && typed.apiUrl !== saved.apiUrl);
}

/** The version of what the connection's API shows. */
export function connectionVersion({ token, apiUrl, sourceId, enabled }: ShownConnection): string {
  return versionOf([token, apiUrl, sourceId, enabled]);
}

/** The address orders are sent to. */
export function addressOf(form: Pick<ConnectionForm, "api_url">): string {
  return form.api_url || ORDERS_URL;
}

/**
 * The same within a transaction, for an address that was looked at before it began: names are resolved over the network.
 * The seller is told where orders go to another address, or with another token.
 */
export async function keepConnection(
  sellerId: string,
  form: ConnectionForm,
  tx: Db,
  from?: Origin,
): Promise<void> {
  const apiUrl = addressOf(form);
  const saved = await findConnection(sellerId, tx);
  const token = chooseToken({ token: form.api_token, isMask: isMask(form.api_token), apiUrl }, saved);
  await keepUtmify(tx, sellerId, { token, apiUrl, sourceId: form.source_id, enabled: form.is_enabled });
  if (isOther(saved, { apiUrl, token })) await tellOwner(tx, sellerId, apiUrl, from);
}

async function tellOwner(tx: Db, sellerId: string, apiUrl: string, from?: Origin): Promise<void> {
  const lines = [`Os dados das suas vendas passam a ser enviados a ${new URL(apiUrl).host}.`];
  await queueSecurityNotice(tx, sellerId, { change: "tracking", from, lines });
}

/** Switches reporting on or off, and the token and source where given: the settings page's card. */
export async function saveConnectionCard(
  sellerId: string,
  card: { enabled?: boolean | undefined; token?: string | undefined; sourceId?: string | undefined },
  tx: Db,
  from?: Origin,
): Promise<void> {
  const change: Partial<Connection> = {};
  if (card.enabled !== undefined) change.enabled = card.enabled;
  if (card.sourceId) change.sourceId = card.sourceId;
  if (card.token !== undefined && !isMask(card.token)) change.token = card.token;
  if (Object.keys(change).length === 0) return;
  const saved = await findConnection(sellerId, tx);
  await keepUtmify(tx, sellerId, change);
  if (card.token && !isMask(card.token) && isOther(saved, { token: card.token }))
    await tellOwner(tx, sellerId, saved.apiUrl, from);
}

/** Keeps which events are reported. */
export async function saveEvents(sellerId: string, events: EventsForm): Promise<void> {
  await inSellersTurn(sellerId, (tx) => keepEvents(sellerId, events, tx));
}

/** The same within a transaction. */
export async function keepEvents(sellerId: string, events: EventsForm, tx: Db): Promise<void> {
  await keepUtmify(tx, sellerId, { events });
}

/** @throws Refusal invalid where the address is not one we call */
export async function refuseInside(apiUrl: string): Promise<void> {
  try {
    await checkOutsideAddress(apiUrl);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Refusal("invalid", error.why, "api_url");
    throw error;
  }
}
