import { sql } from "drizzle-orm";
import { mails } from "#app/db/schema/mails.server.ts";

/** A mail as the delivery log tells of it: never its text. `attempts` counts from 1, also while the first one waits. */
export const deliveryColumns = {
  id: mails.id,
  recipient: mails.recipient,
  status: mails.status,
  attempts: sql<number>`greatest(${mails.attempts}, 1)`,
  error: mails.error,
  templateFailedAt: mails.templateFailedAt,
  createdAt: mails.createdAt,
  sentAt: mails.sentAt,
};
