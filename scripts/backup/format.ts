import { createHmac } from "node:crypto";

/**
 * A backup is one gzipped text: a line of JSON that says what it is; then for each table a line of JSON with its name and
 * columns, its rows as PostgreSQL's COPY writes them, and a line `\.`; the same for the queue's jobs; and a last line of
 * JSON that says how many rows there were. Without its last line it is not whole.
 */
export type Head = {
  format: "checkintelli-backup";
  version: 1;
  /** When the newest migration was made that its database had run. Unix milliseconds. */
  migration: number;
  /** ISO. */
  madeAt: string;
  /** Tells whether an APP_SECRET is the one that sealed what is inside, and nothing else of it. */
  secret: string;
  /** The same for APP_SECRET_OLD, where one gave way to the other when the backup was made. */
  otherSecret?: string;
};
export type TableHead = { table: string; columns: string[] };
export type Tail = { rows: number };

/** What ends a table's rows, as in a dump of PostgreSQL's own. No row of COPY's text is this. */
export const END = "\\.";

/** Tables of the moment, worth nothing in another database. */
export const NOT_KEPT = ["throttles", "queue_workers"];

/** The queue's jobs, beside the tables. */
export const JOBS = "graphile_worker jobs";

export function fingerprint(appSecret: string): string {
  return createHmac("sha256", appSecret).update("checkintelli-backup").digest("hex").slice(0, 16);
}
