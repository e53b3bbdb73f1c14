import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { ownWebhook } from "#app/domain/outbox/webhook/own-webhook.server.ts";
import { newSecret } from "#app/domain/outbox/webhook/sign.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** For how long the secret before the last one signs too. */
const BOTH_SIGN = DAY;

/** Gives a webhook another secret; for 24 hours both sign, so that the receiver can change in its own time. */
export function rotateSecret(sellerId: string, id: string): Promise<void> {
  return change(sellerId, id, (webhook) => ({
    secretSealed: seal(newSecret()),
    previousSecretSealed: webhook.secretSealed,
    previousUntil: new Date(Date.now() + BOTH_SIGN),
  }));
}

/** Tells a webhook nothing any more; what is queued ends by itself. */
export function pauseWebhook(sellerId: string, id: string): Promise<void> {
  return change(sellerId, id, (webhook) =>
    webhook.stoppedAt ? {} : { stoppedAt: new Date(), stoppedWhy: "seller" },
  );
}

/** Tells it again, from now on. */
export function resumeWebhook(sellerId: string, id: string): Promise<void> {
  return change(sellerId, id, () => ({
    stoppedAt: null,
    stoppedWhy: null,
    failingSince: null,
    restUntil: null,
  }));
}

/** Removes it, with its secrets; the row and its log go with the next clean-ups. */
export function deleteWebhook(sellerId: string, id: string): Promise<void> {
  return change(sellerId, id, () => ({
    deletedAt: new Date(),
    stoppedAt: new Date(),
    stoppedWhy: "seller",
    secretSealed: null,
    previousSecretSealed: null,
    tokenSealed: null,
  }));
}

type Row = typeof destinations.$inferSelect;

/** @throws Refusal not-found */
async function change(sellerId: string, id: string, to: (webhook: Row) => Partial<Row>): Promise<void> {
  await db.transaction(async (tx) => {
    const webhook = await ownWebhook(tx, sellerId, id);
    await tx
      .update(destinations)
      .set({ ...to(webhook), updatedAt: new Date() })
      .where(eq(destinations.id, webhook.id));
  });
}
