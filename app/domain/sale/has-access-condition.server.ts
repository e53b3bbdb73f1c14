import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";

/** `hasAccess` as a condition on sales: their buyers have access to what they bought. */
export const hasAccessCondition = sql<boolean>`(${sales.status} = 'completed' or ${sales.status} = 'disputed' and ${sales.accessSuspendedAt} is null)`;
