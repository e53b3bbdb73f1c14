import { sql } from "drizzle-orm";

/**
 * Whether an account accepted a mail and then reported that it could not send it. Any other failure has either no time of
 * sending or one of its return.
 */
export const isUnsentAfterAll = sql`(mails.status = 'failed' and mails.sent_at is not null and mails.bounced_at is null)`;
