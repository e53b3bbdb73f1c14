import type { DestinationKind } from "#app/db/schema/lists.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { ga4 } from "#app/domain/outbox/ga4/ga4.server.ts";
import { kwai } from "#app/domain/outbox/kwai/kwai.server.ts";
import { meta } from "#app/domain/outbox/meta/meta.server.ts";
import { tiktok } from "#app/domain/outbox/tiktok/tiktok.server.ts";
import { webhook } from "#app/domain/outbox/webhook/webhook.server.ts";

/** Every kind of destination there is, each a folder beside this file. */
export const DESTINATIONS: Record<DestinationKind, Destination> = { webhook, meta, ga4, tiktok, kwai };
