import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { deliveries, type destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { type DeliveryText, deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { type Family, ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { CALLER_LEASE_END } from "#app/domain/delivery/resend-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

const REFUSAL_TEXTS: Record<Family, { paused: string; notSubscribed: string }> = {
  webhook: {
    paused: "Este webhook está pausado: reative o webhook antes de testar.",
    notSubscribed: "Este webhook não recebe este evento.",
  },
  pixel: {
    paused: "Este pixel está pausado: reative o pixel antes de testar.",
    notSubscribed: "Este pixel não recebe este evento.",
  },
  members: {
    paused: "Esta área de membros está pausada: reative a área antes de testar.",
    notSubscribed: "Esta área de membros não recebe este evento.",
  },
};

type Prepare = (tx: Tx, row: typeof destinations.$inferSelect) => Promise<void>;

/**
 * Sends an invented sale to a destination, as any delivery is sent, and waits for the answer.
 * @param prepare changes its row before
 * @throws Refusal not-found; conflict where it is paused or does not receive the event
 */
export async function testDestination(
  family: Family,
  sellerId: string,
  id: string,
  event: DeliveryEvent,
  prepare: Prepare = async () => {},
): Promise<{ status: string; text: DeliveryText; answer: string }> {
  const subjectId = randomUUID();
  const delivery = await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    const { paused, notSubscribed } = REFUSAL_TEXTS[family];
    if (row.stoppedAt) throw new Refusal("conflict", paused);
    if (!row.events.includes(event)) throw new Refusal("conflict", notSubscribed);
    await prepare(tx, row);
    const [queued] = await tx
      .insert(deliveries)
      .values({
        destinationId: id,
        sellerId,
        subjectId,
        aboutId: subjectId,
        event,
        scheduledAt: CALLER_LEASE_END,
      })
      .returning({ id: deliveries.id });
    return queued!;
  });
  await sendSubject({ destinationId: id, subjectId }, async () => null);
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, delivery.id));
  return { status: row!.status, text: deliveryText(row!), answer: row!.responseBody ?? "" };
}
