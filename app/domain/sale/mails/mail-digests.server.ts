import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { type DigestKind, getDigestPeriod } from "#app/domain/sale/mails/digest-period.ts";
import { readDigest } from "#app/domain/sale/mails/read-digest.server.ts";
import { renderDigestMail } from "#app/domain/sale/mails/render-digest-mail.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

const BATCH = 200;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * On a schedule: enqueues one job for each seller who wants this digest, in batches; `after` is the last id of the
 * previous batch.
 */
export const mailDigests = defineJob<{ kind: string; after: string }>("mail-digests", async (ids) => {
  const kind = ids.kind as DigestKind;
  const after = ids.after ?? FIRST_ID;
  const wants = kind === "weekly" ? sellers.notifyWeeklyReport : sellers.notifyMonthlyReport;
  const recipients = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(gt(sellers.id, after), eq(wants, true), isNull(sellers.closedAt)))
    .orderBy(asc(sellers.id))
    .limit(BATCH);
  if (recipients.length === 0) return;
  const period = dayOf(getDigestPeriod(kind, new Date()).from);
  await db.transaction(async (tx) => {
    for (const { id } of recipients)
      await enqueue(tx, mailDigest, { kind, sellerId: id }, { key: `${kind}:${period}:${id}` });
    if (recipients.length === BATCH)
      await enqueue(tx, mailDigests, { kind, after: recipients.at(-1)!.id }, { key: `${kind}:${period}` });
  });
});

/**
 * Mails one seller's digest of the last whole week or month; nothing where neither that period nor the one before had
 * a sale.
 */
export const mailDigest = defineJob<{ kind: string; sellerId: string }>(
  "mail-digest",
  async ({ kind: rawKind, sellerId }) => {
    const kind = rawKind as DigestKind;
    const period = getDigestPeriod(kind, new Date());
    const [seller] = await db
      .select({
        email: sellers.email,
        wants: kind === "weekly" ? sellers.notifyWeeklyReport : sellers.notifyMonthlyReport,
      })
      .from(sellers)
      // The account may have been closed since the job was queued.
      .where(and(eq(sellers.id, sellerId), isNull(sellers.closedAt)));
    if (!seller?.wants) return;
    const digest = await readDigest(sellerId, period);
    if (digest.count + digest.countBefore === 0) return;
    await db.transaction((tx) =>
      queueMail(tx, {
        kind: `${kind}-report`,
        idempotencyKey: `${kind}-report/${sellerId}/${dayOf(period.from)}`,
        recipient: seller.email,
        sellerId,
        mail: renderDigestMail(kind, period, digest),
      }),
    );
  },
  { priority: 20, slow: true },
);
