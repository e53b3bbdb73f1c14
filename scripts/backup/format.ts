import { createHmac } from "node:crypto";

/**
 * A backup is one gzipped text: a JSON header line; then for each table a JSON line with its name and columns, its rows in
 * PostgreSQL's COPY format, and a line `\.`; the same for the queue's jobs; and a last JSON line with the number of rows.
 * Without its last line it is incomplete.
 */
export type Head = {
  format: "checkintelli-backup";
  version: 1;
  /** When the newest migration applied to its database was created. Unix milliseconds. */
  migration: number;
  /** ISO. */
  madeAt: string;
  /** Identifies the APP_SECRET that encrypted its content, and reveals nothing else about it. */
  secret: string;
  /** The same for APP_SECRET_OLD, if the secret was being replaced when the backup was made. */
  otherSecret?: string;
};
export type TableHead = { table: string; columns: string[] };
export type Tail = { rows: number };

/** Ends a table's rows, as in PostgreSQL's own dumps. No row in COPY's text format equals it. */
export const END = "\\.";

/** Tables with transient state, of no use in another database. */
export const EXCLUDED_TABLES = ["throttles", "queue_workers"];

/** The queue's jobs, which are stored with the tables. */
export const JOBS = "graphile_worker jobs";

export function fingerprint(appSecret: string): string {
  return createHmac("sha256", appSecret).update("checkintelli-backup").digest("hex").slice(0, 16);
}
