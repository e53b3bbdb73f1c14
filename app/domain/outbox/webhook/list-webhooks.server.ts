import { and, desc, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { NewsEvent, StopReason } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { versionOf } from "#app/db/version.server.ts";
import { lastTried } from "#app/domain/outbox/last-tried.server.ts";
import type { WebhookSettings } from "#app/domain/outbox/webhook/settings.ts";
import { settingsOf } from "#app/domain/outbox/webhook/webhook.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { maskSecret, unseal } from "#app/platform/secrets.server.ts";

/** A webhook in a list. */
export type ListedWebhook = WebhookSettings & {
  id: string;
  name: string;
  events: NewsEvent[];
  productIds: number[] | null;
  stopped: { at: Date; why: StopReason } | null;
  failingSince: Date | null;
  /** The last one tried; null before the first. */
  last: { status: string; why: string | null; responseStatus: number | null; at: Date } | null;
};

/** One webhook as its seller may see it: its secrets as masks. */
export type ShownWebhook = ListedWebhook & {
  secret: string;
  token: string;
  previousUntil: Date | null;
  /** Of what its form shows. */
  version: string;
};

/** A seller's webhooks, newest first. */
export async function listWebhooks(sellerId: string): Promise<ListedWebhook[]> {
  const rows = await select(sellerId).orderBy(desc(destinations.createdAt));
  return rows.map(asListed);
}

/** @throws Refusal not-found */
export async function showWebhook(sellerId: string, id: string): Promise<ShownWebhook> {
  const row = await find(sellerId, id);
  const { secretSealed, tokenSealed, previousUntil } = row.webhook;
  return {
    ...asListed(row),
    secret: secretSealed ? maskSecret(unseal(secretSealed)) : "",
    token: tokenSealed ? maskSecret(unseal(tokenSealed)) : "",
    previousUntil: previousUntil && previousUntil > new Date() ? previousUntil : null,
    version: webhookVersion(row.webhook),
  };
}

/** Changes with whatever the form of a webhook shows. */
export function webhookVersion(webhook: typeof destinations.$inferSelect): string {
  const { name, events, productIds, tokenSealed } = webhook;
  const { url, form, withDocument } = settingsOf(webhook);
  return versionOf([name, url, form, withDocument, events, productIds, tokenSealed]);
}

/** A webhook's secret, for who has just shown who they are. @throws Refusal not-found */
export async function revealSecret(sellerId: string, id: string): Promise<string> {
  const { webhook } = await find(sellerId, id);
  return webhook.secretSealed ? unseal(webhook.secretSealed) : "";
}

/** A webhook's token, for who has just made it. @throws Refusal not-found */
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
      last: lastTried,
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

function asListed({ webhook, last }: Awaited<ReturnType<typeof select>>[number]): ListedWebhook {
  const { id, name, events, productIds, stoppedAt, stoppedWhy, failingSince } = webhook;
  return {
    ...settingsOf(webhook),
    id,
    name,
    events,
    productIds,
    stopped: stoppedAt && { at: stoppedAt, why: stoppedWhy ?? "seller" },
    failingSince,
    last: last && { ...last, at: new Date(last.at) },
  };
}
