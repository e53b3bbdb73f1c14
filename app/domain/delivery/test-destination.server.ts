import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { type DeliveryText, deliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { FAMILY_TEXTS } from "#app/domain/delivery/family-texts.ts";
import type { Family } from "#app/domain/delivery/kind.ts";
import { ownDestination } from "#app/domain/delivery/own-destination.server.ts";
import { CALLER_LEASE_END } from "#app/domain/delivery/resend-delivery.server.ts";
import { sendSubject } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** A test's result. `found`: what its answer lists; `message`: that it succeeded, as the seller reads it. */
export type TestResult = { status: string; text: DeliveryText; found: unknown[]; message: string };

/**
 * Sends an invented sale to a destination, as any delivery is sent, and waits for the answer.
 * @param typed the test's fields, stored for the next one
 * @throws Refusal not-found; conflict where it is stopped or does not receive the event; invalid at a field
 */
export async function testDestination(
  family: Family,
  sellerId: string,
  id: string,
  event: DeliveryEvent,
  typed: Record<string, string> = {},
): Promise<TestResult> {
  const subjectId = randomUUID();
  const items = (await listCodes(sellerId)).map(({ standard, name }) => ({ code: standard, name }));
  const { deliveryId, kind } = await db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    const kind = listedKindOf(row.kind);
    if (row.stoppedAt) throw new Refusal("conflict", FAMILY_TEXTS[family].paused);
    if (!row.events.includes(event)) throw new Refusal("conflict", FAMILY_TEXTS[family].notSubscribed);
    if (kind.settingsForTest) {
      const settings = kind.settingsForTest(typed, row.settings, items);
      await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
    }
    const [queued] = await tx
      .insert(deliveries)
      .values({
        ...{ destinationId: id, sellerId, subjectId, aboutId: subjectId, event },
        scheduledAt: CALLER_LEASE_END,
      })
      .returning({ id: deliveries.id });
    return { deliveryId: queued!.id, kind };
  });
  await sendSubject({ destinationId: id, subjectId }, async () => null);
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, deliveryId));
  const answer = row!.responseBody ?? "";
  const found = kind.learnFromTest ? await learn(family, sellerId, id, answer) : [];
  return { status: row!.status, text: deliveryText(row!), found, message: kind.test.done(found) };
}

async function learn(family: Family, sellerId: string, id: string, answer: string): Promise<unknown[]> {
  return db.transaction(async (tx) => {
    const row = await ownDestination(tx, family, sellerId, id);
    const learned = listedKindOf(row.kind).learnFromTest?.(answer, row.settings);
    if (!learned) return [];
    await tx.update(destinations).set({ settings: learned.settings }).where(eq(destinations.id, row.id));
    return learned.found;
  });
}
