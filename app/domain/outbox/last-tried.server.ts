import { sql } from "drizzle-orm";
import { destinations, outbox } from "#app/db/schema/outbox.server.ts";

/** The last thing that a destination was tried to be told, and how it went. `at` is an ISO moment. */
export type LastTried = {
  event: string;
  status: string;
  why: string | null;
  responseStatus: number | null;
  responseBody: string | null;
  at: string;
};

/** It, as a column of a query of destinations; null before the first. */
export const lastTried = sql<LastTried | null>`(
  select json_build_object('event', o.event, 'status', o.status, 'why', o.why, 'responseStatus', o.response_status,
    'responseBody', o.response_body, 'at', o.tried_at)
  from ${outbox} o where o.destination_id = ${destinations}.id and o.tried_at is not null
  order by o.place desc limit 1)`;
