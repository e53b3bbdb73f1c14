import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent, StopReason } from "#app/db/schema/lists.ts";
import { versionOf } from "#app/db/version.server.ts";
import { lastAttempt } from "#app/domain/delivery/last-attempt.server.ts";
import type { WebhookSettings } from "#app/domain/delivery/webhook/settings.ts";
import { settingsOf } from "#app/domain/delivery/webhook/webhook.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A webhook in a list. */
export type ListedWebhook = WebhookSettings & {
  id: string;
  name: string;
  events: DeliveryEvent[];
  productIds: number[] | null;
  stopped: { at: Date; reason: StopReason } | null;
  failingSince: Date | null;
  /** The last delivery attempted; null before the first. */
  last: { status: string; reason: string | null; responseStatus: number | null; at: Date } | null;
};

/** A webhook as its seller may see it, with its secrets masked. */
export type WebhookView = ListedWebhook & {
  secret: string;
  token: string;
  previousUntil: Date | null;
  /** The version of its form. */
  version: string;
};

/** A seller's webhooks, newest first. */
export async function listWebhooks(sellerId: string): Promise<ListedWebhook[]> {
  const rows = await select(sellerId).orderBy(desc(destinations.createdAt));
  return rows.map(toListedWebhook);
}

/** @throws Refusal not-found */
export async function showWebhook(sellerId: string, id: string): Promise<WebhookView> {
  const row = await find(sellerId, id);
  const { secretSealed, tokenSealed, previousUntil } = row.webhook;
  return {
    ...toListedWebhook(row),
    secret: secretSealed ? maskSecret(unseal(secretSealed)) : "",
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    previousUntil: previousUntil && previousUntil > new Date() ? previousUntil : null,
    version: webhookVersion(row.webhook),
  };
}

/** Changes with anything that a webhook's form shows. */
export function webhookVersion(webhook: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = webhook;
  const { url, form, withDocument } = settingsOf(webhook);
  return versionOf([name, url, form, withDocument, events, productIds, tokenSealed]);
}

/** A webhook's secret; the caller requires a recent sign-in. @throws Refusal not-found */
export async function revealSecret(sellerId: string, id: string): Promise<string> {
  const { webhook } = await find(sellerId, id);
  return webhook.secretSealed ? unseal(webhook.secretSealed) : "";
}

/** A webhook's token, for whoever has just created it. @throws Refusal not-found */
export async function revealToken(sellerId: string, id: string): Promise<string> {
  const { webhook } = await find(sellerId, id);
  return webhook.tokenSealed ? unseal(webhook.tokenSealed) : "";
}

async function find(sellerId: string, id: string) {
  const [row] = isUuid(id) ? await select(sellerId, id) : [];
  if (!row) throw notFound("Webhook não encontrado");
  return row;
}

function select(sellerId: string, id?: string) {
  return db
    .select({
      webhook: destinations,
      last: lastAttempt,
    })
    .from(destinations)
    .where(
      and(
        eq(destinations.sellerId, sellerId),
        eq(destinations.kind, "webhook"),
        isNull(destinations.deletedAt),
        id ? eq(destinations.id, id) : undefined,
      ),
    );
}

function toListedWebhook({ webhook, last }: Awaited<ReturnType<typeof select>>[number]): ListedWebhook {
  const { id, name, events, productIds, stoppedAt, stoppedReason, failingSince } = webhook;
  return {
    ...settingsOf(webhook),
    id,
    name,
    events,
    productIds,
    stopped: stoppedAt && { at: stoppedAt, reason: stoppedReason ?? "seller" },
    failingSince,
    last: last && { ...last, at: new Date(last.at) },
  };
}
