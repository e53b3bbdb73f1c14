import { randomUUID } from "node:crypto";
import { db } from "#app/db/client.server.ts";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";
import { EVENTS_OF, type WebhookForm } from "#app/domain/outbox/webhook/settings.ts";
import { env } from "#app/platform/env.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

export const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
export const TOKEN = "abc123token";

/** Where the sandbox takes webhooks under a name. */
export function receiverAt(name: string): string {
  return `${env.sandboxUrl}/receiver/${name}`;
}

/** News of a webhook that did not get there. @returns its id */
export async function makeNews(
  seller: { id: string },
  destinationId: string,
  fields: Partial<typeof outbox.$inferInsert> = {},
): Promise<string> {
  const subjectId = fields.saleId ?? randomUUID();
  const [row] = await db
    .insert(outbox)
    .values({
      ...{ destinationId, sellerId: seller.id, subjectId, aboutId: randomUUID(), event: "sale.paid" },
      ...{ status: "refused", why: "status", responseStatus: 500, attempts: 10 },
      ...fields,
    })
    .returning({ id: outbox.id });
  return row!.id;
}

/** A webhook at the sandbox's receiver of its name, told of everything. @returns its id */
export async function makeWebhook(
  seller: { id: string },
  {
    name,
    form = "standard",
    withDocument = false,
    ...fields
  }: { name: string; form?: WebhookForm; withDocument?: boolean } & Partial<typeof destinations.$inferInsert>,
): Promise<string> {
  const [row] = await db
    .insert(destinations)
    .values({
      sellerId: seller.id,
      kind: "webhook",
      name,
      events: form === "standard" ? [...NEWS_EVENTS] : [...EVENTS_OF[form]],
      settings: { url: receiverAt(name), form, withDocument },
      secretSealed: seal(SECRET),
      tokenSealed: seal(TOKEN),
      ...fields,
    })
    .returning({ id: destinations.id });
  return row!.id;
}
