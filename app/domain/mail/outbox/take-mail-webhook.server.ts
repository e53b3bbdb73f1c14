import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { Resend } from "resend";
import { type Db, db } from "#app/db/client.server.ts";
import { mailEvents, mailHooks } from "#app/db/schema/mail-settings.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { cut } from "#app/kit/clean-text.ts";
import { cleanJson } from "#app/kit/outside-json.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { enqueue } from "#app/queue/job.server.ts";
import { CHECK_DOMAIN } from "#app/queue/names.ts";

/** What became of a delivery: `taken` and `known` are answered 200, the others are not believed. */
export type TakenMailNews = "unknown-address" | "unsigned" | "taken" | "known";

type News = {
  type: string;
  data: {
    email_id?: string;
    tags?: Record<string, string>;
    bounce?: { message?: string };
    failed?: { reason?: string };
  };
};

/**
 * Takes Resend's signed news of a mail; each once, by its `svix-id`. Only mails that left by the account behind the
 * address are touched. News may come in any order, and before our own note that the mail was taken. Source: contracts.md 3.4.
 */
export async function takeMailWebhook(delivery: {
  hookToken: string;
  body: string;
  header: (name: string) => string | null;
}): Promise<TakenMailNews> {
  const [hook] = await db.select().from(mailHooks).where(eq(mailHooks.hookToken, delivery.hookToken));
  if (!hook) return "unknown-address";
  const svixId = delivery.header("svix-id") ?? "";
  const news = hook.secretSealed ? verified(delivery, svixId, unseal(hook.secretSealed)) : null;
  if (!news) return "unsigned";
  const taken = { hookId: hook.id, svixId, sellerId: hook.sellerId, news };
  if (news.type !== "domain.updated" || !hook.sellerId) return write(db, taken);
  const { sellerId } = hook;
  return db.transaction(async (tx) => {
    const written = await write(tx, taken);
    if (written === "taken") await enqueue(tx, CHECK_DOMAIN, { sellerId }, { key: sellerId });
    return written;
  });
}

type Taken = { hookId: string; svixId: string; sellerId: string | null; news: News };

/** Writes the news down and what they say of their mail, in one statement: thousands come after a launch. */
async function write(tx: Db, { hookId, svixId, sellerId, news }: Taken): Promise<"taken" | "known"> {
  const change = changeOf(news);
  const changed = change
    ? sql`${tx.update(mails).set(change).where(sql`${mails.id} = any(array(select mail_id from fresh))`)}`
    : sql`(select)`;
  const [fresh] = await tx.execute<{ mail_id: string | null }>(sql`
    with fresh as (
      insert into ${mailEvents} (hook_id, svix_id, seller_id, mail_id, type)
      select ${hookId}::uuid, ${svixId}::text, coalesce(${sellerId}::uuid, m.seller_id), m.id, ${news.type}::text
      from (select (${mailOf(sellerId, news)}) as id) meant left join mails m on m.id = meant.id
      on conflict do nothing
      returning mail_id
    ), changed as ${changed}
    select mail_id from fresh`);
  if (!fresh) return "known";
  log.info({ type: news.type, mailId: fresh.mail_id, sellerId }, "mail news taken");
  return "taken";
}

function verified(
  { body, header }: { body: string; header: (name: string) => string | null },
  id: string,
  webhookSecret: string,
): News | null {
  const headers = {
    id,
    timestamp: header("svix-timestamp") ?? "",
    signature: header("svix-signature") ?? "",
  };
  try {
    // The key is never used for verifying; the SDK only asks for one.
    const news = new Resend("re_").webhooks.verify({ payload: body, headers, webhookSecret });
    return cleanJson(news) as News;
  } catch {
    return null;
  }
}

/** The mail that is meant, if it left by this account. */
function mailOf(sellerId: string | null, { data }: News): SQL {
  const tag = /^[0-9a-f-]{36}$/.test(data?.tags?.mail ?? "") ? data.tags!.mail! : null;
  if (!tag && !data?.email_id) return sql`null::uuid`;
  const own = sellerId
    ? and(eq(mails.sellerId, sellerId), eq(mails.via, "seller"))
    : or(eq(mails.via, "platform"), isNull(mails.sellerId));
  const isMeant = or(
    tag ? eq(mails.id, tag) : undefined,
    data.email_id ? eq(mails.providerId, data.email_id) : undefined,
  );
  return sql`select ${mails.id} from ${mails} where ${and(isMeant, own)} limit 1`;
}

/** What they say of it; null where that is nothing we keep. */
function changeOf({ type, data }: News): PgUpdateSetSource<typeof mails> | null {
  if (type === "email.delivered") return { deliveredAt: sql`coalesce(${mails.deliveredAt}, now())` };
  if (type === "email.complained") return { complainedAt: sql`now()` };
  const lost = pick(LOST, type);
  if (!lost) return null;
  const why = data?.bounce?.message ?? data?.failed?.reason;
  const error = cut(`${lost}${why ? `: ${why}` : ""}`, 500);
  return { status: "failed", failure: "refused", bouncedAt: sql`now()`, error };
}

/** News that a mail will never be read, in the seller's words. */
const LOST: Record<string, string> = {
  "email.bounced": "devolvido pelo servidor de quem recebe",
  "email.failed": "o Resend não conseguiu enviar",
  "email.suppressed": "o Resend não envia para este endereço, que já devolveu ou denunciou um e-mail",
};
