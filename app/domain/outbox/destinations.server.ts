import { sql } from "drizzle-orm";
import { DESTINATION_KINDS, type DestinationKind } from "#app/db/schema/lists.ts";
import { cademi } from "#app/domain/outbox/cademi/cademi.server.ts";
import type { Destination } from "#app/domain/outbox/destination.ts";
import { ga4 } from "#app/domain/outbox/ga4/ga4.server.ts";
import { kwai } from "#app/domain/outbox/kwai/kwai.server.ts";
import { memberkit } from "#app/domain/outbox/memberkit/memberkit.server.ts";
import { meta } from "#app/domain/outbox/meta/meta.server.ts";
import { tiktok } from "#app/domain/outbox/tiktok/tiktok.server.ts";
import { utmify } from "#app/domain/outbox/utmify/utmify.server.ts";
import { webhook } from "#app/domain/outbox/webhook/webhook.server.ts";

/** Every kind of destination there is, each a folder beside this file. */
export const DESTINATIONS: Record<DestinationKind, Destination> = {
  ...{ webhook, meta, ga4, tiktok, kwai },
  ...{ cademi, memberkit, utmify },
};

/** The kinds that keep orders, as a list of SQL. */
export const ORDER_KEEPERS = sql.raw(
  `array[${DESTINATION_KINDS.filter((kind) => DESTINATIONS[kind].keepsOrders).map((kind) => `'${kind}'`)}]`,
);
