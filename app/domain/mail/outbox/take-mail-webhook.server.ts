import { and, eq, isNull, or, sql } from "drizzle-orm";
import { Resend } from "resend";
import { db, type Tx } from "#app/db/client.server.ts";
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
  return db.transaction(async (tx) => {
    const mailId = await findMail(tx, hook.sellerId, news);
    const fresh = await tx
      .insert(mailEvents)
      .values({ hookId: hook.id, svixId, mailId, type: news.type })
      .onConflictDoNothing()
      .returning({ svixId: mailEvents.svixId });
    if (fresh.length === 0) return "known";
    if (mailId) await note(tx, mailId, news);
    if (news.type === "domain.updated" && hook.sellerId)
      await enqueue(tx, CHECK_DOMAIN, { sellerId: hook.sellerId }, { key: hook.sellerId });
    log.info({ type: news.type, mailId, sellerId: hook.sellerId }, "mail news taken");
    return "taken";
  });
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

async function findMail(tx: Tx, sellerId: string | null, { data }: News): Promise<string | null> {
  const tag = /^[0-9a-f-]{36}$/.test(data?.tags?.mail ?? "") ? data.tags!.mail! : null;
  if (!tag && !data?.email_id) return null;
  const [found] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        or(
          tag ? eq(mails.id, tag) : undefined,
          data.email_id ? eq(mails.providerId, data.email_id) : undefined,
        ),
        sellerId
          ? and(eq(mails.sellerId, sellerId), eq(mails.via, "seller"))
          : or(eq(mails.via, "platform"), isNull(mails.sellerId)),
      ),
    )
    .limit(1);
  return found?.id ?? null;
}

async function note(tx: Tx, mailId: string, { type, data }: News): Promise<void> {
  const now = new Date();
  if (type === "email.delivered") {
    await tx
      .update(mails)
      .set({ deliveredAt: sql`coalesce(${mails.deliveredAt}, ${now.toISOString()})` })
      .where(eq(mails.id, mailId));
  }
  if (type === "email.complained")
    await tx.update(mails).set({ complainedAt: now }).where(eq(mails.id, mailId));
  const lost = pick(LOST, type);
  if (lost) {
    const why = data.bounce?.message ?? data.failed?.reason;
    const error = cut(`${lost}${why ? `: ${why}` : ""}`, 500);
    await tx.update(mails).set({ status: "failed", bouncedAt: now, error }).where(eq(mails.id, mailId));
  }
}

/** News that a mail will never be read, in the seller's words. */
const LOST: Record<string, string> = {
  "email.bounced": "devolvido pelo servidor de quem recebe",
  "email.failed": "o Resend não conseguiu enviar",
  "email.suppressed": "o Resend não envia para este endereço, que já devolveu ou denunciou um e-mail",
};
