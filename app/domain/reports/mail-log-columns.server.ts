import { sql } from "drizzle-orm";
import { mails } from "#app/db/schema/mails.server.ts";

/** A mail in the delivery log: never its text. `attempts` counts from 1, also before the first one. */
export const mailLogColumns = {
  id: mails.id,
  recipient: mails.recipient,
  status: mails.status,
  attempts: sql<number>`greatest(${mails.attempts}, 1)`,
  error: mails.error,
  templateFailedAt: mails.templateFailedAt,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
};
