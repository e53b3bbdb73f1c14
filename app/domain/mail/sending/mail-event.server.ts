import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { mailEvents } from "#app/db/schema/mail-settings.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import type { Cte } from "#app/db/statement.server.ts";
import { PLATFORM_REFUSED_PREFIX } from "#app/domain/mail/sending/explain-mail-error.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";

/** Resend's event about a mail. */
export type ResendEvent = {
  type: string;
  data: {
    subject?: unknown;
    tags?: Record<string, string>;
    bounce?: { type?: string; message?: string };
    failed?: { reason?: string };
  };
};

/** The change to the mail; null where the event is of no use to us. `isOfPlatform`: of the platform's own account. */
export function toMailChange(
  { type, data }: ResendEvent,
  isOfPlatform: boolean,
): PgUpdateSetSource<typeof mails> | null {
  if (type === "email.delivered") return deliveredColumns();
  if (type === "email.complained") return { complainedAt: sql`now()` };
  const typeText = pick(FAILURE_TEXTS, type);
  if (!typeText) return null;
  const isUnsent = type === "email.failed";
  const reason = data?.bounce?.message ?? data?.failed?.reason;
  // It may also be that the address is none.
  const isOfAccount = isUnsent && /quota|domain|api.?key/i.test(String(reason));
  const failureText = isOfAccount && isOfPlatform ? `${PLATFORM_REFUSED_PREFIX}${typeText}` : typeText;
  const fullText = truncate(`${failureText}${reason ? `: ${reason}` : ""}`, 500);
  const columns: PgUpdateSetSource<typeof mails> = {
    status: "failed",
    failure: "refused",
    failedAt: sql`now()`,
    // It did not come back: mostly the account has used up its quota or lost its domain.
    ...(isUnsent ? { sentAt: sql`coalesce(${mails.sentAt}, now())` } : { bouncedAt: sql`now()` }),
    // Servers repeat the address in their reason, and the recipient may have been anonymized since.
    error: sql`case when ${mails.recipient} = '' then ${failureText}::text else ${fullText}::text end`,
  };
  return isUnsent || isPassing({ type, data })
    ? changeIf(sql`${mails.deliveredAt} is null`, columns)
    : columns;
}

/** A bounce after which the mail may still be delivered: the mailbox is full, or an automatic answer came. */
const PASSING_BOUNCE = "email.bounced.passing";

function isPassing({ type, data }: ResendEvent): boolean {
  return type === "email.bounced" && ["Transient", "Undetermined"].includes(data?.bounce?.type ?? "");
}

/** The type as it is stored: a bounce that may pass has its own. */
export function storedType(event: ResendEvent): string {
  return isPassing(event) ? PASSING_BOUNCE : event.type;
}

/** A mail without an answer was sent, and so was one that came back only for the moment. */
function deliveredColumns(): PgUpdateSetSource<typeof mails> {
  const failures = [PASSING_BOUNCE, "email.bounced", "email.suppressed"].map((type) => sql`${type}`);
  const isBack = sql`(select bool_and(e.type = ${PASSING_BOUNCE}) from ${mailEvents} e
    where e.mail_id = ${mails.id} and e.type in (${sql.join(failures, sql`, `)}))`;
  return {
    ...changeIf(sql`${mails.status} <> 'sent' and (${mails.bouncedAt} is null or ${isBack})`, {
      ...{ status: "sent", failure: null, failedAt: null, bouncedAt: null, error: null },
      sentAt: sql`coalesce(${mails.sentAt}, now())`,
    }),
    deliveredAt: sql`coalesce(${mails.deliveredAt}, now())`,
  };
}

/** What the log takes from the queue, and the subject from Resend, where no answer has been recorded. */
export function attemptColumns(
  unqueued: Cte<"attempts" | "via" | "template_failed_at">,
  { data }: ResendEvent,
): PgUpdateSetSource<typeof mails> {
  const subject = typeof data?.subject === "string" ? truncate(data.subject, 200) : null;
  const orUnqueued = (column: AnyColumn, value: SQL) =>
    sql`coalesce((select ${value} from ${unqueued}), ${column})`;
  return {
    attempts: orUnqueued(mails.attempts, sql`attempts`),
    via: orUnqueued(mails.via, sql`via`),
    templateFailedAt: orUnqueued(mails.templateFailedAt, sql`template_failed_at`),
    subject: orUnqueued(mails.subject, sql`${subject}::text`),
  };
}

/** These values where a condition holds; elsewhere each column stays as it is. */
function changeIf(condition: SQL, columns: PgUpdateSetSource<typeof mails>): PgUpdateSetSource<typeof mails> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      const column = pick(mails, name);
      return [name, sql`case when ${condition} then ${value} else ${column} end`];
    }),
  );
}

/** Whether a mail's way ends with this: it was delivered, or lost. */
export function isEnd({ type }: ResendEvent): boolean {
  return type === "email.delivered" || Object.hasOwn(FAILURE_TEXTS, type);
}

/** Why a mail will never be read, for the seller. */
const FAILURE_TEXTS: Record<string, string> = {
  "email.bounced": "devolvido pelo servidor de quem recebe",
  "email.failed": "o Resend não conseguiu enviar",
  "email.suppressed": "o Resend não envia para este endereço, que já devolveu ou denunciou um e-mail",
};
