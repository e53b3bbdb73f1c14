import { sql } from "drizzle-orm";
import { DESTINATION_KINDS, type DestinationKind } from "#app/db/schema/lists.ts";
import { cademi } from "#app/domain/delivery/cademi/cademi.server.ts";
import type { Destination } from "#app/domain/delivery/destination.ts";
import { ga4 } from "#app/domain/delivery/ga4/ga4.server.ts";
import { kwai } from "#app/domain/delivery/kwai/kwai.server.ts";
import { memberkit } from "#app/domain/delivery/memberkit/memberkit.server.ts";
import { meta } from "#app/domain/delivery/meta/meta.server.ts";
import { tiktok } from "#app/domain/delivery/tiktok/tiktok.server.ts";
import { utmify } from "#app/domain/delivery/utmify/utmify.server.ts";
import { webhook } from "#app/domain/delivery/webhook/webhook.server.ts";

/** Every kind of destination, each in a folder beside this file. */
export const DESTINATIONS: Record<DestinationKind, Destination> = {
  ...{ webhook, meta, ga4, tiktok, kwai },
  ...{ cademi, memberkit, utmify },
};

/** The kinds with one record per order, as a list of SQL. */
export const ORDER_RECORD_KINDS = sql.raw(
  `array[${DESTINATION_KINDS.filter((kind) => DESTINATIONS[kind].orderRanks).map((kind) => `'${kind}'`)}]`,
);
