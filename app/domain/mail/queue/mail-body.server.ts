import { deflateRawSync, inflateRawSync } from "node:zlib";
import { sql } from "drizzle-orm";
import type { FrozenMail, mails } from "#app/db/schema/mails.server.ts";
import { seal, unsealBytes } from "#app/platform/secrets.server.ts";

/** The columns of a mail's row that hold its text. */
type Kept = Pick<typeof mails.$inferSelect, "bodySealed" | "payload">;

/** Whether a row of `mails` holds its text: it was drawn, and is not sent yet. */
export const isDrawn = sql`(num_nonnulls(mails.body_sealed, mails.payload) > 0)`;

/** The same of a row that was read. */
export const hasBody = ({ bodySealed, payload }: Kept): boolean => bodySealed !== null || payload !== null;

/**
 * What a row keeps of a mail. Whoever reads the database finds no link in it that opens something: the mail is sealed with
 * APP_SECRET, and deflated before that, since what is sealed cannot be compressed any more.
 */
export function sealMail(mail: FrozenMail): { subject: string; bodySealed: string; payload: null } {
  const bytes = deflateRawSync(JSON.stringify(mail));
  return { subject: mail.subject, bodySealed: seal(bytes), payload: null };
}

/** @returns null where the row holds no text. @throws Error where it was sealed with another secret */
export function openMail({ bodySealed, payload }: Kept): FrozenMail | null {
  return bodySealed ? JSON.parse(inflateRawSync(unsealBytes(bodySealed)).toString()) : payload;
}
