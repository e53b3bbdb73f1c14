import { db } from "#app/db/client.server.ts";
import { chargeEvents } from "#app/db/schema/payments.server.ts";
import type { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { ChargeEventData } from "#app/domain/sale/events.ts";
import { truncate } from "#app/kit/clean-text.ts";

/** Records that a lost code could not be looked up. `findCharges` counts it as a code that was not created. */
export async function recordLookupFailure(
  charge: { chargeId: string; sellerId: string },
  { kind, message }: ProviderError,
): Promise<void> {
  const { chargeId, sellerId } = charge;
  const data: ChargeEventData["unanswered"] = { why: kind, detail: truncate(message, 300), tookMs: 0 };
  await db.insert(chargeEvents).values({ chargeId, sellerId, kind: "unanswered", data, cause: "system" });
}
