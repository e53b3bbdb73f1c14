import { type SQL, sql } from "drizzle-orm";
import type { RejectedDispute } from "#app/domain/storefront/guarantee-end.ts";

/** The disputes of a sale that its bank rejected, oldest first, as a column of a query on `sale`. */
export const rejectedDisputesOf = (sale: SQL) => sql<RejectedDispute[]>`(
  select coalesce(json_agg(json_build_object('openedAt', d.opened_at, 'decidedAt', d.decided_at) order by d.opened_at), '[]')
  from disputes d where d.seller_id = ${sale}.seller_id and d.sale_id = ${sale}.id and d.status = 'won')`;
