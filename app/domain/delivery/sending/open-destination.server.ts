import type { destinations } from "#app/db/schema/deliveries.server.ts";
import type { OpenDestination } from "#app/domain/delivery/destination.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** Decrypts a destination's secrets; the previous one only while it still signs. */
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
