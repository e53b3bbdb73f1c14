import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { changeDestination } from "#app/domain/delivery/change-destination.server.ts";
import {
  type DestinationView,
  listDestinations,
  showDestination,
} from "#app/domain/delivery/list-destinations.server.ts";
import { missing } from "#app/domain/delivery/own-destination.server.ts";
import { newSecret } from "#app/domain/delivery/webhook/standard-webhook.server.ts";
import { webhook } from "#app/domain/delivery/webhook/webhook.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";
import { DAY } from "#app/kit/duration.ts";
import { isSameSecret, maskSecret, seal, unseal } from "#app/platform/secrets.server.ts";

/** For how long the previous secret signs too. */
const OVERLAP = DAY;

/** A seller's webhooks, without the other kinds on their screen, newest first. */
export async function listWebhooks(sellerId: string): Promise<DestinationView[]> {
  return (await listDestinations("webhook", sellerId)).filter(({ kind }) => kind === webhook.id);
}

/** @throws Refusal not-found, also for another kind on their screen */
export async function showWebhook(sellerId: string, id: string): Promise<DestinationView> {
  const view = await showDestination("webhook", sellerId, id);
  if (view.kind !== webhook.id) throw missing("webhook");
  return view;
}

/**
 * Replaces a webhook's secret; for 24 hours both sign, so that the receiver can change in its own time. The seller is mailed.
 * @param shown the mask of the one to replace, as a form showed it: sent again it would end the secret that the receiver knows
 */
export function rotateSecret(
  sellerId: string,
  id: string,
  origin: RequestOrigin | undefined,
  shown?: string,
): Promise<void> {
  return changeDestination("webhook", sellerId, id, async ({ name, secretSealed }, tx) => {
    if (shown !== undefined && secretSealed && !isSameSecret(maskSecret(unseal(secretSealed)), shown))
      return {};
    await queueSecurityMail(tx, sellerId, { change: "webhook-secret", origin, lines: [`Webhook: ${name}`] });
    return {
      secretSealed: seal(newSecret()),
      previousSecretSealed: secretSealed,
      previousUntil: new Date(Date.now() + OVERLAP),
    };
  });
}

/** A webhook's secret; the caller requires a recent sign-in. @throws Refusal not-found */
export function revealSecret(sellerId: string, id: string): Promise<string> {
  return reveal("secretSealed", sellerId, id);
}

/** A webhook's token, for whoever has just created it. @throws Refusal not-found */
export function revealToken(sellerId: string, id: string): Promise<string> {
  return reveal("tokenSealed", sellerId, id);
}

async function reveal(column: "secretSealed" | "tokenSealed", sellerId: string, id: string): Promise<string> {
  await showWebhook(sellerId, id);
  const [row] = await db.select().from(destinations).where(eq(destinations.id, id));
  return row?.[column] ? unseal(row[column]) : "";
}
