import { sql } from "drizzle-orm";
import { deliveries, destinations } from "#app/db/schema/deliveries.server.ts";

/** A destination's last attempt and its result. `at` is an ISO timestamp. */
export type LastAttempt = {
  event: string;
  status: string;
  reason: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  at: string;
};

/** The last attempt, as a column of a query of destinations; null before the first. */
export const lastAttempt = sql<LastAttempt | null>`(
  select json_build_object('event', o.event, 'status', o.status, 'reason', o.reason, 'responseStatus', o.response_status,
    'responseBody', o.response_body, 'at', o.attempted_at)
  from ${deliveries} o where o.destination_id = ${destinations}.id and o.attempted_at is not null
  order by o.sequence desc limit 1)`;
