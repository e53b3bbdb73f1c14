import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** A seller's webhook, locked. @throws Refusal not-found */
export async function ownWebhook(tx: Tx, sellerId: string, id: string) {
  if (!isUuid(id)) throw notFound("Webhook não encontrado");
  const [row] = await tx
    .select()
    .from(destinations)
    .where(
      and(
        eq(destinations.id, id),
        eq(destinations.sellerId, sellerId),
        eq(destinations.kind, "webhook"),
        isNull(destinations.deletedAt),
      ),
    )
    .for("no key update");
  if (!row) throw notFound("Webhook não encontrado");
  return row;
}
