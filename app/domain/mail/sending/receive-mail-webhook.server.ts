import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { Resend } from "resend";
import { type Db, db } from "#app/db/client.server.ts";
import { mailEvents, mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { Statement } from "#app/db/statement.server.ts";
import {
  attemptColumns,
  isEnd,
  type ResendEvent,
  storedType,
  toMailChange,
} from "#app/domain/mail/sending/mail-event.server.ts";
import { cleanJson } from "#app/kit/untrusted-json.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN, MAIL_BY_PLATFORM } from "#app/queue/names.ts";

/** The result: `taken` and `known` are answered 200, the others are rejected. */
export type MailWebhookOutcome = "unknown-address" | "unsigned" | "taken" | "known";

/**
 * Receives Resend's signed webhook about a mail; each once, by its `svix-id`. Changes only mails sent by the account that
 * the address belongs to. Webhooks may come in any order, and before our own record that the mail was accepted.
 */
export async function receiveMailWebhook(request: {
  hookToken: string;
  body: string;
  header: (name: string) => string | null;
}): Promise<MailWebhookOutcome> {
  const [hook] = await db.select().from(mailHooks).where(eq(mailHooks.hookToken, request.hookToken));
  if (!hook) return "unknown-address";
  const svixId = request.header("svix-id") ?? "";
  const event = hook.secretSealed ? verifyEvent(request, svixId, unseal(hook.secretSealed)) : null;
  if (!event) return "unsigned";
  const received = {
    hookId: hook.id,
    svixId,
    sellerId: hook.sellerId,
    event,
    untriedSecret: untriedSecretOf(hook),
  };
  const { sellerId } = hook;
  const isDomainUpdate = sellerId !== null && event.type === "domain.updated";
  if (!isDomainUpdate && event.type !== "email.failed") return toOutcome(await storeEvent(db, received));
  return db.transaction(async (tx) => {
    const storedEvent = await storeEvent(tx, received);
    if (!storedEvent) return "known";
    if (isDomainUpdate) await enqueue(tx, CHECK_DOMAIN, { sellerId }, { key: sellerId });
    else if (storedEvent.mailId) await enqueue(tx, MAIL_BY_PLATFORM, { mailId: storedEvent.mailId });
    return "taken";
  });
}

const toOutcome = (storedEvent: StoredEvent | null) => (storedEvent ? "taken" : "known");

type ReceivedEvent = {
  hookId: string;
  svixId: string;
  sellerId: string | null;
  event: ResendEvent;
  /** The secret that verified it, as it is stored, where it is the first that it verified. */
  untriedSecret: string | null;
};

/** A secret entered by hand is known to be right once it has verified a webhook. */
function untriedSecretOf({
  providerId,
  checkedAt,
  secretSealed,
}: typeof mailHooks.$inferSelect): string | null {
  return providerId === null && checkedAt === null ? secretSealed : null;
}

/** The mail that a stored event is about, if it is one of ours. */
type StoredEvent = { mailId: string | null };

/**
 * Stores the webhook and updates its mail in one statement: thousands come after a launch. A mail that was delivered or lost waits
 * no more: its answer may never come, and its account may be replaced before the next attempt.
 * @returns null where it was stored before
 */
async function storeEvent(
  tx: Db,
  { hookId, svixId, sellerId, event, untriedSecret }: ReceivedEvent,
): Promise<StoredEvent | null> {
  const mailChange = toMailChange(event, sellerId === null);
  const statement = new Statement();
  const stored = statement.add<"mail_id">(
    "stored",
    sql`insert into ${mailEvents} (hook_id, svix_id, seller_id, mail_id, type)
      select ${hookId}::uuid, ${svixId}::text, coalesce(${sellerId}::uuid, m.seller_id), m.id, ${storedType(event)}::text
      from (select (${findMailSql(sellerId, event)}) as id) meant left join mails m on m.id = meant.id
      on conflict do nothing
      returning mail_id`,
  );
  const isMail = (column: AnyColumn) => sql`${column} = any(array(select mail_id from ${stored}))`;
  if (isEnd(event)) {
    const { attempts, via, templateFailedAt } = queuedMails;
    const unqueued = statement.add<"attempts" | "via" | "template_failed_at">(
      "unqueued",
      tx.delete(queuedMails).where(isMail(queuedMails.id)).returning({ attempts, via, templateFailedAt }),
    );
    Object.assign(mailChange!, attemptColumns(unqueued, event));
  }
  if (untriedSecret)
    statement.add(
      "tried",
      tx
        .update(mailHooks)
        .set({ checkedAt: sql`now()` })
        .where(and(eq(mailHooks.id, hookId), eq(mailHooks.secretSealed, untriedSecret))),
    );
  if (mailChange) statement.add("changed", tx.update(mails).set(mailChange).where(isMail(mails.id)));
  const [storedEvent] = await tx.execute<{ mail_id: string | null }>(
    statement.selectFrom(stored, sql`mail_id`),
  );
  if (!storedEvent) return null;
  const mailId = storedEvent.mail_id;
  log.info({ type: event.type, mailId, sellerId }, "mail webhook received");
  return { mailId };
}

function verifyEvent(
  { body, header }: { body: string; header: (name: string) => string | null },
  id: string,
  webhookSecret: string,
): ResendEvent | null {
  const headers = {
    id,
    timestamp: header("svix-timestamp") ?? "",
    signature: header("svix-signature") ?? "",
  };
  try {
    // Verifying needs no key, but the SDK's constructor requires one.
    const verified = new Resend("re_").webhooks.verify({ payload: body, headers, webhookSecret });
    // A seller who entered the secret by hand can sign anything.
    const event = cleanJson(verified) as Partial<ResendEvent> | null;
    return typeof event?.type === "string" ? (event as ResendEvent) : null;
  } catch {
    return null;
  }
}

/** The mail concerned, by its tag, if this account sent it. */
function findMailSql(sellerId: string | null, { data }: ResendEvent): SQL {
  const tag = data?.tags?.mail;
  if (typeof tag !== "string" || !isUuid(tag)) return sql`null::uuid`;
  const via = sql`coalesce((select q.via from queued_mails q where q.id = m.id), m.via)`;
  const isOfAccount = sellerId
    ? sql`m.seller_id = ${sellerId} and ${via} = 'seller'`
    : sql`(m.seller_id is null or ${via} = 'platform')`;
  return sql`select m.id from mails m where m.id = ${tag} and ${isOfAccount}`;
}
