import { deflateSync, inflateSync } from "node:zlib";
import { sql } from "drizzle-orm";
import type { FrozenMail } from "#app/db/schema/mail-data.ts";
import type { queuedMails } from "#app/db/schema/mails.server.ts";
import { MAIL_DICTIONARY } from "#app/domain/mail/queue/mail-dictionary.ts";
import { seal, unsealBytes } from "#app/platform/secrets.server.ts";

type BodyColumns = Pick<typeof queuedMails.$inferSelect, "bodySealed">;

/** Whether a row of `queued_mails` is rendered. */
export const isRendered = sql`(queued_mails.body_sealed is not null)`;

/** The same of a row that was read. */
export const hasBody = ({ bodySealed }: BodyColumns): boolean => bodySealed !== null;

/**
 * The stored columns of a mail. Its links open purchases and accounts, so it is sealed with APP_SECRET; deflated before
 * that, since sealed text cannot be compressed.
 */
export function sealMail(mail: FrozenMail): { subject: string; bodySealed: string } {
  const bytes = deflateSync(JSON.stringify(mail), { dictionary: MAIL_DICTIONARY });
  return { subject: mail.subject, bodySealed: seal(bytes) };
}

/** @returns null where the row has no text. @throws Error where it was sealed with another secret */
export function unsealMail({ bodySealed }: BodyColumns): FrozenMail | null {
  if (bodySealed === null) return null;
  return JSON.parse(inflateSync(unsealBytes(bodySealed), { dictionary: MAIL_DICTIONARY }).toString());
}
