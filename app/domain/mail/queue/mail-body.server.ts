import { deflateRawSync, inflateRawSync } from "node:zlib";
import { sql } from "drizzle-orm";
import type { FrozenMail } from "#app/db/schema/mail-data.ts";
import type { mails } from "#app/db/schema/mails.server.ts";
import { seal, unsealBytes } from "#app/platform/secrets.server.ts";

/** The columns of a mail's row that hold its text. */
type BodyColumns = Pick<typeof mails.$inferSelect, "bodySealed" | "payload">;

/** Whether a row of `mails` has its text: it was rendered, and is not sent yet. */
export const isRendered = sql`(num_nonnulls(mails.body_sealed, mails.payload) > 0)`;

/** The same of a row that was read. */
export const hasBody = ({ bodySealed, payload }: BodyColumns): boolean =>
  bodySealed !== null || payload !== null;

/**
 * The stored columns of a mail. Its links open purchases and accounts, so it is sealed with APP_SECRET; deflated before
 * that, since sealed text cannot be compressed.
 */
export function sealMail(mail: FrozenMail): { subject: string; bodySealed: string; payload: null } {
  const bytes = deflateRawSync(JSON.stringify(mail));
  return { subject: mail.subject, bodySealed: seal(bytes), payload: null };
}

/** @returns null where the row has no text. @throws Error where it was sealed with another secret */
export function unsealMail({ bodySealed, payload }: BodyColumns): FrozenMail | null {
  return bodySealed ? JSON.parse(inflateRawSync(unsealBytes(bodySealed)).toString()) : payload;
}
