import { changeDestination } from "#app/domain/outbox/change-destination.server.ts";
import { newSecret } from "#app/domain/outbox/webhook/sign.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";

/** For how long the secret before the last one signs too. */
const BOTH_SIGN = DAY;

/** Gives a webhook another secret; for 24 hours both sign, so that the receiver can change in its own time. */
export function rotateSecret(sellerId: string, id: string): Promise<void> {
  return changeDestination("webhook", sellerId, id, (webhook) => ({
    secretSealed: seal(newSecret()),
    previousSecretSealed: webhook.secretSealed,
    previousUntil: new Date(Date.now() + BOTH_SIGN),
  }));
}
