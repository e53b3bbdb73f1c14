import type { destinations } from "#app/db/schema/outbox.server.ts";
import type { OpenDestination } from "#app/domain/outbox/destination.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A destination's row with its secrets readable; the one before the last only while it still signs. */
export function openDestination(row: typeof destinations.$inferSelect, now: Date): OpenDestination {
  const { id, sellerId, name, settings, secretSealed, previousSecretSealed, previousUntil, tokenSealed } =
    row;
  const signsStill = previousUntil !== null && previousUntil > now;
  return {
    id,
    sellerId,
    name,
    settings,
    secret: secretSealed && unseal(secretSealed),
    previousSecret: signsStill ? previousSecretSealed && unseal(previousSecretSealed) : null,
    token: tokenSealed && unseal(tokenSealed),
  };
}
