import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { inSellersTurn, refuseStale } from "#app/db/version.server.ts";
import { type Notice, queueSecurityNotice } from "#app/domain/mail/queue/queue-security-notice.server.ts";
import { ofFamily, ownDestination } from "#app/domain/outbox/own-destination.server.ts";
import { refuseStrangeProducts } from "#app/domain/outbox/refuse-strange-products.server.ts";
import { webhookVersion } from "#app/domain/outbox/webhook/list-webhooks.server.ts";
import type { WebhookSettings } from "#app/domain/outbox/webhook/settings.ts";
import { newSecret, newToken } from "#app/domain/outbox/webhook/sign.server.ts";
import { settingsOf } from "#app/domain/outbox/webhook/webhook.server.ts";
import type { WebhookFields } from "#app/domain/outbox/webhook/webhook-form.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { checkOutsideAddress, ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough for every sale to be told to all. */
const MOST = 20;

/**
 * Makes a webhook with a secret of its own, and tells its seller by mail. @returns its id
 * @throws Refusal invalid for an address we do not call; not-found for products that are not theirs; conflict beyond 20
 */
export async function createWebhook(
  sellerId: string,
  fields: WebhookFields,
  from: Notice["from"],
): Promise<string> {
  await refuseInside(fields.url);
  return inSellersTurn(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("webhook"), isNull(destinations.deletedAt)));
    if (n >= MOST)
      throw new Refusal("conflict", `Você já tem ${MOST} webhooks: exclua um antes de criar outro.`);
    await refuseStrangeProducts(tx, sellerId, fields);
    const token = isMask(fields.token) ? "" : fields.token;
    const [row] = await tx
      .insert(destinations)
      .values({
        sellerId,
        kind: "webhook",
        ...columnsOf(fields),
        secretSealed: seal(newSecret()),
        tokenSealed: seal(token || newToken()),
      })
      .returning({ id: destinations.id });
    await tellOwner(tx, sellerId, fields, from);
    return row!.id;
  });
}

/**
 * Keeps what a seller changed of a webhook. Another address is told to the seller by mail.
 * @throws Refusal as `createWebhook`; conflict where it was saved since `version`
 */
export async function saveWebhook(
  sellerId: string,
  id: string,
  fields: WebhookFields,
  from: Notice["from"],
  version?: string,
): Promise<void> {
  await refuseInside(fields.url);
  await db.transaction(async (tx) => {
    const webhook = await ownDestination(tx, "webhook", sellerId, id);
    refuseStale(version, webhookVersion(webhook));
    await refuseStrangeProducts(tx, sellerId, fields);
    const keepsToken = isMask(fields.token) || fields.token === "";
    const isElsewhere = new URL(settingsOf(webhook).url).host !== new URL(fields.url).host;
    // Only this form says the token itself.
    if (keepsToken && isElsewhere && fields.form === "hotmart")
      throw new Refusal("invalid", "Para usar outro endereço, informe o token de novo.", "token");
    await tx
      .update(destinations)
      .set({
        ...columnsOf(fields),
        ...(keepsToken ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, webhook.id));
    if (settingsOf(webhook).url !== fields.url) await tellOwner(tx, sellerId, fields, from);
  });
}

function columnsOf({ name, url, form, with_document, events, scope, products: ids }: WebhookFields) {
  const settings: WebhookSettings = { url, form, withDocument: with_document };
  return { name, events, productIds: scope === "all" ? null : ids, settings };
}

async function refuseInside(url: string): Promise<void> {
  try {
    await checkOutsideAddress(url);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Refusal("invalid", error.why, "url");
    throw error;
  }
}

async function tellOwner(
  tx: Tx,
  sellerId: string,
  { url }: WebhookFields,
  from: Notice["from"],
): Promise<void> {
  const lines = [`Os dados das suas vendas passam a ser enviados a ${new URL(url).host}.`];
  await queueSecurityNotice(tx, sellerId, { change: "webhook", from, lines });
}
