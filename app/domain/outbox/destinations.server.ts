import type { DestinationKind } from "#app/db/schema/lists.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { webhook } from "#app/domain/outbox/webhook/webhook.server.ts";

/** Every kind of destination there is, each a folder beside this file. */
export const DESTINATIONS: Record<DestinationKind, Destination> = { webhook };
