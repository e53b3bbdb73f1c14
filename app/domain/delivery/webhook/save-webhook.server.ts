import { and, count, eq, isNull } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { rejectStale, withSellerLock } from "#app/db/version.server.ts";
import { requireOwnProducts } from "#app/domain/catalog/is-own-product.server.ts";
import { chosenProducts } from "#app/domain/delivery/chosen-products.ts";
import { ofFamily, ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { webhookVersion } from "#app/domain/delivery/webhook/list-webhooks.server.ts";
import type { WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";
import { newSecret, newToken } from "#app/domain/delivery/webhook/sign.server.ts";
import { settingsOf } from "#app/domain/delivery/webhook/webhook.server.ts";
import type { WebhookFields } from "#app/domain/delivery/webhook/webhook-form.server.ts";
import { queueSecurityMail, type SecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { checkOutgoingAddress, ForbiddenAddress } from "#app/platform/outgoing-address.server.ts";
import { isMask, seal } from "#app/platform/secrets.server.ts";

/** More than anybody needs, and few enough to notify all of every sale. */
const MAX_WEBHOOKS = 20;

/**
 * Creates a webhook with a secret of its own, and mails its seller. @returns its id
 * @throws Refusal invalid for an address we do not call; not-found for products that are not theirs; conflict beyond 20
 */
export async function createWebhook(
  sellerId: string,
  fields: WebhookFields,
  from: SecurityMail["origin"],
): Promise<string> {
  await refuseInside(fields.url);
  return withSellerLock(sellerId, async (tx) => {
    const [{ n } = { n: 0 }] = await tx
      .select({ n: count() })
      .from(destinations)
      .where(and(eq(destinations.sellerId, sellerId), ofFamily("webhook"), isNull(destinations.deletedAt)));
    if (n >= MAX_WEBHOOKS)
      throw new Refusal("conflict", `Você já tem ${MAX_WEBHOOKS} webhooks: exclua um antes de criar outro.`);
    await requireOwnProducts(tx, sellerId, chosenProducts(fields));
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
    await notifyOwner(tx, sellerId, fields, from);
    return row!.id;
  });
}

/**
 * Saves a webhook. Another address is mailed to the seller.
 * @throws Refusal as `createWebhook`; conflict where it was saved since `version`
 */
export async function saveWebhook(
  sellerId: string,
  id: string,
  fields: WebhookFields,
  from: SecurityMail["origin"],
  version?: string,
): Promise<void> {
  await refuseInside(fields.url);
  await db.transaction(async (tx) => {
    const webhook = await ownDestination(tx, "webhook", sellerId, id);
    rejectStale(version, webhookVersion(webhook));
    await requireOwnProducts(tx, sellerId, chosenProducts(fields));
    const isTokenUnchanged = isMask(fields.token) || fields.token === "";
    const isElsewhere = new URL(settingsOf(webhook).url).host !== new URL(fields.url).host;
    // Only this format sends the token itself.
    if (isTokenUnchanged && isElsewhere && fields.form === "hotmart")
      throw new Refusal("invalid", "Para usar outro endereço, informe o token de novo.", "token");
    await tx
      .update(destinations)
      .set({
        ...columnsOf(fields),
        ...(isTokenUnchanged ? {} : { tokenSealed: seal(fields.token) }),
        updatedAt: new Date(),
      })
      .where(eq(destinations.id, webhook.id));
    if (settingsOf(webhook).url !== fields.url) await notifyOwner(tx, sellerId, fields, from);
  });
}

function columnsOf(fields: WebhookFields) {
  const { name, url, form, with_document, events } = fields;
  const settings: WebhookSettings = { url, form, withDocument: with_document };
  return { name, events, productIds: chosenProducts(fields), settings };
}

async function refuseInside(url: string): Promise<void> {
  try {
    await checkOutgoingAddress(url);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new Refusal("invalid", error.reason, "url");
    throw error;
  }
}

async function notifyOwner(
  tx: Tx,
  sellerId: string,
  { url }: WebhookFields,
  from: SecurityMail["origin"],
): Promise<void> {
  const lines = [`Os dados das suas vendas passam a ser enviados a ${new URL(url).host}.`];
  await queueSecurityMail(tx, sellerId, { change: "webhook", origin: from, lines });
}
