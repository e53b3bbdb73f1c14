import { randomUUID } from "node:crypto";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { EVENTS_OF_FORM, type WebhookForm } from "#app/domain/delivery/webhook/settings.ts";
import { env } from "#app/platform/env.server.ts";
import { seal } from "#app/platform/secrets.server.ts";

export const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
export const TOKEN = "abc123token";

/** Where the sandbox receives webhooks under a name. */
export function receiverAt(name: string): string {
  return `${env.sandboxUrl}/receiver/${name}`;
}

/** A delivery of a webhook that failed. @returns its id */
export async function makeDelivery(
  seller: { id: string },
  destinationId: string,
  fields: Partial<typeof deliveries.$inferInsert> = {},
): Promise<string> {
  const subjectId = fields.saleId ?? randomUUID();
  const [row] = await db
    .insert(deliveries)
    .values({
      ...{ destinationId, sellerId: seller.id, subjectId, aboutId: randomUUID(), event: "sale.paid" },
      ...{ status: "refused", reason: "status", responseStatus: 500, attempts: 10 },
      ...fields,
    })
    .returning({ id: deliveries.id });
  return row!.id;
}

/** A webhook at the sandbox's receiver of its name, with every event. @returns its id */
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
      events: form === "standard" ? [...DELIVERY_EVENTS] : [...EVENTS_OF_FORM[form]],
      settings: { url: receiverAt(name), form, withDocument },
      secretSealed: seal(SECRET),
      tokenSealed: seal(TOKEN),
      ...fields,
    })
    .returning({ id: destinations.id });
  return row!.id;
}
