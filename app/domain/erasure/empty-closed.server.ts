import { type SQL, sql } from "drizzle-orm";
import { adHoc, db } from "#app/db/client.server.ts";
import { EMPTY_MAIL } from "#app/domain/erasure/empty-around.server.ts";
import { AT_ONCE, emptySales, idsOf } from "#app/domain/erasure/empty-sales.server.ts";
import { emptyShop } from "#app/domain/erasure/empty-shop.server.ts";
import { isUnfinished } from "#app/domain/erasure/may-empty.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { CLOSED_KEPT_FOR, emptiedOn } from "#app/domain/sale/closed-shop.ts";
import { formatDate } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** How long before it is emptied the seller is told once more. */
const TOLD_BEFORE = 3 * DAY;
/** Money that is still being given back is waited for so long, from the closing. */
const WAITS_AT_MOST = 90 * DAY;

/** Accounts read at once. */
const ACCOUNTS = 200;

type Closed = { id: string; email: string; name: string; closed_at: string };

/**
 * Every hour: tells sellers that their closed account is about to be emptied, and empties those whose time is over: their
 * buyers first, sale by sale, then the shop, at last the seller. Killed anywhere, the next hour goes on from there.
 */
export const emptyClosed = defineJob<Record<string, never>>("empty-closed", async () => {
  const failures: unknown[] = [];
  for await (const seller of closedFor(CLOSED_KEPT_FOR - TOLD_BEFORE)) {
    if (isStopping()) return;
    // One that cannot be emptied now keeps no other waiting.
    await goOnWith(seller).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "closed accounts not emptied");
});

async function goOnWith(seller: Closed): Promise<void> {
  const closedAt = new Date(seller.closed_at);
  if (emptiedOn(closedAt) > new Date()) await tellBefore(seller, closedAt);
  else await emptyAccount(seller.id, closedAt);
}

/** Accounts closed for so long that are not emptied yet, the longest first: those that wait for something keep no other waiting. */
async function* closedFor(time: number): AsyncGenerator<Closed> {
  let last = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  for (;;) {
    const rows = await adHoc.execute<Closed & { at: string }>(sql`
      select id, email, name, closed_at, closed_at::text as at from sellers
      where closed_at < now() - make_interval(secs => ${time / 1000}) and closed_at is not null and emptied_at is null
        and closed_at >= ${last.at}::text::timestamptz
        and (closed_at, id) > (${last.at}::text::timestamptz, ${last.id}::uuid)
      order by closed_at, id limit ${ACCOUNTS}`);
    yield* rows;
    if (rows.length < ACCOUNTS) return;
    last = rows.at(-1)!;
  }
}

/** Once: the mail has its key. */
async function tellBefore({ id, email, name }: Closed, closedAt: Date): Promise<void> {
  await db.transaction((tx) =>
    queueMail(tx, {
      kind: "security-notice",
      idempotencyKey: `account-emptying/${id}/${closedAt.getTime()}`,
      recipient: email,
      sellerId: id,
      mail: {
        subject: `Em ${formatDate(emptiedOn(closedAt))} os dados da sua conta são apagados`,
        html: mailLayout({
          title: "Os dados da sua conta serão apagados",
          preview: "Até lá você pode baixá-los ou reabrir a conta.",
          bodyHtml: [
            paragraph(`Olá, ${escapeHtml(name)}!`),
            paragraph(
              `Você encerrou a conta em ${formatDate(closedAt)}. Em ${formatDate(emptiedOn(closedAt))} saem os seus dados, os de quem comprou, os produtos e os arquivos. Até lá você pode entrar, baixar uma cópia ou reabrir a conta.`,
            ),
            mailButton("Entrar na conta", env.APP_URL + paths.closing()),
          ].join("\n"),
        }),
      },
    }),
  );
}

async function emptyAccount(sellerId: string, closedAt: Date): Promise<void> {
  const patience = closedAt.getTime() + WAITS_AT_MOST > Date.now() ? isUnfinished : sql`false`;
  const theirs = sql`s.seller_id = ${sellerId} and not ${patience}`;
  // Which of a batch are finished is judged where they are locked: asked of all at once it would read every charge there is.
  for await (const ids of batches("sales", sellerId, sql`r.emptied_at is null`)) {
    await emptySales(ids, theirs, null);
    if (isStopping()) return;
  }
  const left = await adHoc.execute(sql`
    select 1 from sales where seller_id = ${sellerId} and emptied_at is null limit 1`);
  if (left.length > 0) return;
  // What went to the seller: there may be a mail for each sale.
  for await (const ids of batches("mails", sellerId, sql`r.recipient <> ''`)) {
    await emptyMails(ids);
    if (isStopping()) return;
  }
  for await (const ids of batches("sales", sellerId, sql`true`)) {
    await emptyLines(ids);
    if (isStopping()) return;
  }
  await db.transaction((tx) => emptyShop(tx, sellerId));
  log.info({ sellerId }, "closed account emptied");
}

/** Rows `r` of a seller from old to new, a batch at a time along their index: none is looked at twice, however many there are. */
async function* batches(table: "mails" | "sales", sellerId: string, which: SQL): AsyncGenerator<string[]> {
  let last = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };
  for (;;) {
    const rows = await adHoc.execute<{ at: string; id: string }>(sql`
      select r.id, r.created_at::text as at from ${sql.identifier(table)} r where r.seller_id = ${sellerId} and ${which}
        and r.created_at >= ${last.at}::text::timestamptz
        and (r.created_at, r.id) > (${last.at}::text::timestamptz, ${last.id}::uuid)
      order by r.created_at, r.id limit ${AT_ONCE}`);
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)!;
  }
}

async function emptyMails(ids: string[]): Promise<void> {
  await db.execute(sql`
    update mails m set recipient = '', ${EMPTY_MAIL}, error = null,
      status = case m.status when 'attempting' then 'failed' else m.status end, due_at = now()
    from (select id from mails where id = ${idsOf(ids)} order by id for no key update) held
    where m.id = held.id`);
}

/** Where the files of what was sold lie. */
async function emptyLines(saleIds: string[]): Promise<void> {
  await db.execute(sql`
    update sale_lines set file_url = null where sale_id = ${idsOf(saleIds)} and file_url is not null`);
}
