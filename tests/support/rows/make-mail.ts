import { randomUUID } from "node:crypto";
import { eq, not } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { FrozenMail, MailKind } from "#app/db/schema/mail-data.ts";
import { emailDomains, emailTemplates, mailSettings } from "#app/db/schema/mail-settings.server.ts";
import { mails, queuedMails, reminders } from "#app/db/schema/mails.server.ts";
import { withSellerLock } from "#app/db/version.server.ts";
import { freezeMail, type WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { isRendered, sealMail, unsealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { MAIL_READER } from "#app/domain/mail/queue/mail-readers.ts";
import { type NewMail, queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { clearPauseCache } from "#app/domain/mail/sending/account-pause.server.ts";
import { claimMails, queuedMailColumns } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { storeTemplate } from "#app/domain/mail/template/save-template.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { TAG_PARAMETER } from "#app/kit/paths.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { sql } from "#tests/support/database.ts";

/** A seller's own sending: a key of the sandbox, an address, a domain that Resend verified. */
export async function makeOwnSender(
  seller: { id: string },
  { key = "re_sandbox-demo", address = "loja@exemplo.com.br", verified = true } = {},
): Promise<void> {
  await db.insert(mailSettings).values({ sellerId: seller.id, resendKeySealed: seal(key) });
  await db.insert(emailTemplates).values({ sellerId: seller.id, ...DEFAULT_TEMPLATE, senderEmail: address });
  await db.insert(emailDomains).values({
    sellerId: seller.id,
    domainName: address.split("@")[1]!,
    status: verified ? "verified" : "pending",
    verifiedAt: verified ? new Date() : null,
    providerId: randomUUID(),
  });
}

/** Saves a seller's purchase mail. @returns its id */
export function saveTemplate(sellerId: string, template: Template): Promise<number> {
  return withSellerLock(sellerId, (tx) => storeTemplate(tx, sellerId, template));
}

/** A complete mail in the queue, of any kind; one of a sale is its seller's, to who reads that kind. @returns its id */
export async function makeMail(
  fields: {
    kind?: MailKind;
    recipient?: string;
    idempotencyKey?: string;
    sellerId?: string;
    saleId?: string;
  } & {
    mail?: WrittenMail;
    via?: "seller" | "platform";
    from?: string;
  } = {},
): Promise<string> {
  const { via, from, saleId, ...rest } = fields;
  const [sale] = saleId
    ? await sql`select s.seller_id, s.customer_email, v.email as seller_email from sales s
        inner join sellers v on v.id = s.seller_id where s.id = ${saleId}`
    : [];
  const reader = MAIL_READER[fields.kind ?? "purchase"];
  const mail = {
    kind: "purchase",
    idempotencyKey: `purchase/${randomUUID()}`,
    recipient:
      (reader === "seller" ? sale?.seller_email : sale?.customer_email) ??
      `ana-${randomUUID()}@exemplo.com.br`,
    saleId,
    mail: { subject: "Sua compra", html: "<p>Olá</p>", ...(via ? { via } : {}), ...(from ? { from } : {}) },
    ...rest,
  };
  const id = await db.transaction((tx) => queueMail(tx, { sellerId: sale?.seller_id, ...mail } as NewMail));
  return id!;
}

/** Renders mails that are not rendered yet, as the worker does before it sends. */
export async function renderMails(): Promise<void> {
  const waiting = await db
    .select(queuedMailColumns)
    .from(queuedMails)
    .innerJoin(mails, eq(mails.id, queuedMails.id))
    .where(not(isRendered));
  for (const mail of waiting) {
    const { payload, ...stored } = await freezeMail(mail, renderMail);
    await db
      .update(queuedMails)
      .set({ ...stored, bodySealed: sealMail(payload).bodySealed })
      .where(eq(queuedMails.id, mail.id));
  }
}

/** Records that a mail was sent, in its first attempt. */
export async function markSent(id: string): Promise<void> {
  await sql`delete from queued_mails where id = ${id}`;
  await sql`update mails set status = 'sent', attempts = 1, sent_at = now() where id = ${id}`;
}

/** In a query: the mails with what is stored of them while they wait, as a table `mails`. */
export const mailsWithTexts = () => sql`(
  select m.id, m.seller_id, m.sale_id, m.kind, m.recipient, m.subject, m.idempotency_key, m.status, m.error, m.failure, m.provider_id,
    m.created_at, m.sent_at, m.failed_at, m.delivered_at, m.bounced_at, m.complained_at, coalesce(q.via, m.via) as via,
    coalesce(q.attempts, m.attempts) as attempts, coalesce(q.template_failed_at, m.template_failed_at) as template_failed_at,
    q.data, q.body_sealed, q.scheduled_at, q.slot_at, q.leased_until, q.claimed_at, q.uncertain_since, q.account, q.priority, q.request_id
  from mails m left join queued_mails q on q.id = m.id) mails`;

/**
 * Rows of mails with their text as `payload`: null if it is not rendered yet, or was sent.
 * @param rows with `body_sealed` among their columns
 */
export function opened<T extends { body_sealed?: unknown }>(rows: readonly T[]) {
  return rows.map((row) => {
    const bodySealed = (row.body_sealed ?? null) as string | null;
    return { ...row, payload: unsealMail({ bodySealed }) as FrozenMail };
  });
}

/** Makes a mail the first to be claimed, at its slot. */
export async function scheduleNow(mailId: string): Promise<void> {
  await sql`update queued_mails set scheduled_at = date_trunc('milliseconds', now()) - interval '100 years', leased_until = null, slot_at = now() + interval '50 ms',
    account = null, priority = 1 where id = ${mailId} and scheduled_at is not null`;
}

/**
 * One attempt to send a mail, as the worker makes it, by accounts with free slots.
 * @returns whether it will be retried
 */
export async function attempt(mailId: string): Promise<"done" | "again"> {
  await scheduleNow(mailId);
  await sql`delete from mail_paces`;
  await sql`delete from mail_account_pauses`;
  clearPauseCache();
  const [claimed] = await claimMails(1);
  if (claimed?.id === mailId) await sendMail(claimed, renderMail);
  return (await mailRow(mailId)).status === "attempting" ? "again" : "done";
}

/** The row of a mail, with what is stored of it while it waits. */
export async function mailRow(id: string) {
  const [row] = opened(await sql`select * from ${mailsWithTexts()} where id = ${id}`);
  return row as unknown as Record<string, unknown> & {
    status: string;
    via: string;
    attempts: number;
    error: string | null;
    recipient: string;
    subject: string | null;
    payload: FrozenMail;
  };
}

/** Jobs of a kind that wait, with their ids. */
export async function waitingJobs(name: string): Promise<{ ids: Record<string, unknown>; runAt: Date }[]> {
  const rows = await sql`
    select j.payload, j.run_at from graphile_worker._private_jobs j
    inner join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${name} order by j.id`;
  return rows.map((row) => ({ ids: row.payload, runAt: row.run_at }));
}

/** The reminder of an order that waits: which one, since when, and when it is scheduled; null if there is none. */
export async function reminderOf(
  saleId: string,
): Promise<{ saleId: string; number: number; since: Date; scheduledAt: Date } | null> {
  const [row] = await db.select().from(reminders).where(eq(reminders.saleId, saleId));
  return row ?? null;
}

/** The link in a reminder of a sale to this address, as `stopReminders` takes it, and its path with the query. */
export function stopLinkTo(saleId: string, email: string) {
  const { pathname, search, searchParams } = new URL(stopRemindersUrl(saleId, email));
  const signature = pathname.split("/").at(-1)!;
  return { saleId, signature, tag: searchParams.get(TAG_PARAMETER)!, path: pathname + search };
}
