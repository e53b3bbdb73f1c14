import { sql } from "drizzle-orm";
import { sales } from "#app/db/schema/sales.server.ts";

/** As a condition on sales: their buyers have access to what they bought. Says what `hasAccess` says. */
export const holdsAccess = sql<boolean>`(${sales.status} = 'completed' or ${sales.status} = 'disputed' and ${sales.accessSuspendedAt} is null)`;
