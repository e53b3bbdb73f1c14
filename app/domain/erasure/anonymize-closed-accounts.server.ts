import { type SQL, sql } from "drizzle-orm";
import { batchDb, db, type Tx } from "#app/db/client.server.ts";
import { ago, ofSaleIds } from "#app/db/conditions.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { isUnfinished } from "#app/domain/erasure/anonymization-conditions.server.ts";
import {
  anonymizeSales,
  anyOfIds,
  BATCH_SIZE,
  hasBuyer,
} from "#app/domain/erasure/anonymize-sales.server.ts";
import { anonymizeShop } from "#app/domain/erasure/anonymize-shop.server.ts";
import { anonymizeUnconfirmedAccounts } from "#app/domain/erasure/anonymize-unconfirmed-accounts.server.ts";
import { clearLateMails } from "#app/domain/erasure/clear-late-mails.server.ts";
import { clearMailsSql, NO_RECIPIENT } from "#app/domain/erasure/clear-mails.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { anonymizationDate, CLOSED_ACCOUNT_RETENTION } from "#app/domain/sale/closed-shop.ts";
import { formatDate } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isStopping } from "#app/platform/shutdown.server.ts";
import { defineJob } from "#app/queue/job.server.ts";
import { FIRST_CURSOR, readBatches, readRows } from "#app/queue/read-batches.server.ts";
import { runEach } from "#app/queue/run-each.server.ts";

/** How long before the anonymization the seller is reminded of it. */
const WARN_BEFORE = 3 * DAY;
/** How long the anonymization waits for pending refunds, from the closing. */
const MAX_WAIT = 90 * DAY;

/** Accounts read at once. */
const ACCOUNTS_PER_BATCH = 200;

/** By the database's clock, as the end of reopening is: `is_due` to be anonymized, and whether it `waits` for pending refunds. */
type ClosedAccount = {
  id: string;
  email: string;
  name: string;
  closed_at: string;
  is_due: boolean;
  waits: boolean;
};

/**
 * Every hour: warns sellers whose closed account is about to be anonymized, and anonymizes those whose time is over: the
 * buyers first, sale by sale, then the shop, then the seller. After a crash the next run resumes. So are accounts that were never
 * confirmed. Then what was queued late is cleared.
 */
export const anonymizeClosedAccounts = defineJob<Record<string, never>>("empty-closed", async () => {
  const steps = [processClosedAccounts, anonymizeUnconfirmedAccounts, clearLateMails];
  await runEach(steps, (step) => step(), "closed accounts not anonymized");
});

async function processClosedAccounts(): Promise<void> {
  const accounts = listClosedAccounts(CLOSED_ACCOUNT_RETENTION - WARN_BEFORE);
  await runEach(accounts, processAccount, "closed accounts not anonymized");
}

async function processAccount(seller: ClosedAccount): Promise<void> {
  if (seller.is_due) await anonymizeAccount(seller);
  else await queueWarningMail(seller, new Date(seller.closed_at));
}

/** Accounts closed for this long and not anonymized yet, the longest first. */
function listClosedAccounts(minClosedMs: number): AsyncGenerator<ClosedAccount> {
  return readRows(FIRST_CURSOR, ACCOUNTS_PER_BATCH, async (cursor) =>
    batchDb.execute<ClosedAccount & typeof cursor>(sql`
      select id, email, name, closed_at, closed_at::text as at, closed_at <= ${ago(CLOSED_ACCOUNT_RETENTION)} as is_due,
        closed_at > ${ago(MAX_WAIT)} as waits from sellers
      where closed_at < ${ago(minClosedMs)} and closed_at is not null and anonymized_at is null
        and closed_at >= ${cursor.at}::text::timestamptz
        and (closed_at, id) > (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)
      order by closed_at, id limit ${ACCOUNTS_PER_BATCH}`),
  );
}

/** The idempotency key of a closing's warning. */
export const warningKey = (sellerId: string, closedAt: Date) =>
  `account-emptying/${sellerId}/${closedAt.getTime()}`;

/** Once: its idempotency key is that of the closing. Not for an account that was reopened since it was listed. */
async function queueWarningMail(account: ClosedAccount, closedAt: Date): Promise<void> {
  const { id, email, name } = account;
  await db.transaction(async (tx) => {
    if (!(await lockClosed(tx, account, "share"))) return;
    await queueMail(tx, {
      kind: "security-notice",
      idempotencyKey: warningKey(id, closedAt),
      recipient: email,
      sellerId: id,
      mail: {
        subject: `Em ${formatDate(anonymizationDate(closedAt))} os dados da sua conta são apagados`,
        html: renderMailLayout({
          title: "Os dados da sua conta serão apagados",
          preview: "Até lá você pode baixá-los ou reabrir a conta.",
          bodyHtml: [
            renderParagraph(greeting(name)),
            renderParagraph(
              `Você encerrou a conta em ${formatDate(closedAt)}. Em ${formatDate(anonymizationDate(closedAt))} saem os seus dados, os de quem comprou, os produtos e os arquivos. Até lá você pode entrar, baixar uma cópia ou reabrir a conta.`,
            ),
            renderMailButton("Entrar na conta", env.APP_URL + paths.closing()),
          ].join("\n"),
        }),
      },
    });
  });
}

async function anonymizeAccount(account: ClosedAccount): Promise<void> {
  const { id: sellerId } = account;
  const isBlocked = account.waits ? isUnfinished : sql`false`;
  const canBeAnonymized = sql`s.seller_id = ${sellerId} and not ${isBlocked}`;
  const lock = (tx: Tx) => lockClosed(tx, account, "share");
  // Unfinished sales are excluded where a batch is locked: for all sales at once that would read every charge.
  for await (const ids of batches("sales", sellerId, hasBuyer("r"))) {
    await anonymizeSales(ids, canBeAnonymized, null, lock);
    if (isStopping()) return;
  }
  const remaining = await batchDb.execute(sql`
    select 1 from sales s where s.seller_id = ${sellerId} and ${hasBuyer("s")} limit 1`);
  if (remaining.length > 0) return;
  // Mails to the seller: there may be one for each sale.
  for await (const ids of batches("mails", sellerId, sql`r.recipient <> ''`)) {
    await db.transaction(async (tx) => (await lock(tx)) && clearMails(tx, sql`m.id = ${anyOfIds(ids)}`));
    if (isStopping()) return;
  }
  for await (const ids of batches("sales", sellerId, sql`true`)) {
    await db.transaction(async (tx) => (await lock(tx)) && clearLineFiles(tx, ids));
    if (isStopping()) return;
  }
  const isAnonymized = await db.transaction(async (tx) => {
    if (!(await lockClosed(tx, account, "update"))) return false;
    // Queued since the step above began; what a transaction that has read the address inserts later, `clearLateMails` finds.
    await clearMails(tx, sql`m.seller_id = ${sellerId} and m.created_at > ${ago(DAY)} and m.recipient <> ''`);
    await anonymizeShop(tx, sellerId);
    return true;
  });
  if (isAnonymized) log.info({ sellerId }, "closed account anonymized");
}

/** Keeps an account from being reopened until the transaction ends. @returns false where it was, since it was listed */
async function lockClosed(
  tx: Tx,
  { id, closed_at }: ClosedAccount,
  strength: "share" | "update",
): Promise<boolean> {
  const closed = await tx.execute(sql`
    select 1 from sellers where id = ${id} and closed_at = ${closed_at}::timestamptz for ${sql.raw(strength)}`);
  return closed.length > 0;
}

/** Rows `r` of a seller from old to new, in batches along their index, so that each is read once. */
async function* batches(
  table: "mails" | "sales",
  sellerId: string,
  condition: SQL,
): AsyncGenerator<string[]> {
  const read = async (cursor: typeof FIRST_CURSOR) =>
    batchDb.execute<typeof cursor>(sql`
      select r.id, r.created_at::text as at from ${sql.identifier(table)} r where r.seller_id = ${sellerId} and ${condition}
        and r.created_at >= ${cursor.at}::text::timestamptz
        and (r.created_at, r.id) > (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)
      order by r.created_at, r.id limit ${BATCH_SIZE}`);
  for await (const rows of readBatches(FIRST_CURSOR, BATCH_SIZE, read)) yield rows.map(({ id }) => id);
}

/** @param condition which mails `m` */
async function clearMails(tx: Tx, condition: SQL): Promise<void> {
  await tx.execute(clearMailsSql(sql`mails m where ${condition}`, sql`${NO_RECIPIENT}, error = null`));
}

/** Clears the file addresses of lines. */
async function clearLineFiles(tx: Tx, saleIds: string[]): Promise<void> {
  await tx.execute(sql`
    update sale_lines set file_url = null where ${ofSaleIds(saleLines, saleIds)} and file_url is not null`);
}
