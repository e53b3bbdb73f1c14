import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, moment, uuidKey } from "#app/db/columns.server.ts";

/**
 * A way into the buyer's place, asked for by mail: a link until it is pressed, then that browser's session. Whoever has it
 * reads the mailbox of `email`. Only hashes are kept.
 */
export const buyerSessions = pgTable(
  "buyer_sessions",
  {
    id: uuidKey(),
    /** Lowercase. */
    email: text().notNull(),
    /** SHA-256 of the token in the link. */
    linkHash: text().notNull(),
    /** SHA-256 of the cookie's token; null until the link is pressed. */
    tokenHash: text(),
    /** When the link ends; once it was pressed, when the session does. */
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("buyer_sessions_link_hash_key").on(t.linkHash),
    uniqueIndex("buyer_sessions_token_hash_key").on(t.tokenHash),
    index("buyer_sessions_expires_idx").on(t.expiresAt),
  ],
);
