import { sql } from "drizzle-orm";
import { deliveries } from "#app/db/schema/deliveries.server.ts";

/** Whether its destination accepted a row of `deliveries`: also one that is being sent again. */
export const wasAccepted = sql<boolean>`(${deliveries.status} = 'sent' or ${deliveries.attemptLog} @> '[{"result": "taken"}]')`;
