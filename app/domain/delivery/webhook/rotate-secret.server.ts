import { changeDestination } from "#app/domain/delivery/change-destination.server.ts";
import { newSecret } from "#app/domain/delivery/webhook/sign.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** For how long the previous secret signs too. */
const OVERLAP = DAY;

/** Replaces a webhook's secret; for 24 hours both sign, so that the receiver can change in its own time. */
export function rotateSecret(sellerId: string, id: string): Promise<void> {
  return changeDestination("webhook", sellerId, id, (webhook) => ({
    secretSealed: seal(newSecret()),
    previousSecretSealed: webhook.secretSealed,
    previousUntil: new Date(Date.now() + OVERLAP),
  }));
}
