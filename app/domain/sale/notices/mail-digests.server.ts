import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { digestMail } from "#app/domain/sale/notices/digest-mail.server.ts";
import { type DigestKind, digestPeriod } from "#app/domain/sale/notices/digest-period.ts";
import { readDigest } from "#app/domain/sale/notices/read-digest.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { defineJob, enqueue } from "#app/queue/job.server.ts";

const BATCH = 200;
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** By the clock: one job for each seller who wants this digest, a batch at a time; `after` is where the last batch ended. */
export const mailDigests = defineJob<{ kind: string; after: string }>("mail-digests", async (ids) => {
  const kind = ids.kind as DigestKind;
  const after = ids.after ?? NOBODY;
  const wants = kind === "weekly" ? sellers.notifyWeeklyReport : sellers.notifyMonthlyReport;
  const due = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(gt(sellers.id, after), eq(wants, true), isNull(sellers.closedAt)))
    .orderBy(asc(sellers.id))
    .limit(BATCH);
  if (due.length === 0) return;
  const period = dayOf(digestPeriod(kind, new Date()).from);
  await db.transaction(async (tx) => {
    for (const { id } of due)
      await enqueue(tx, mailDigest, { kind, sellerId: id }, { key: `${kind}:${period}:${id}` });
    if (due.length === BATCH)
      await enqueue(tx, mailDigests, { kind, after: due.at(-1)!.id }, { key: `${kind}:${period}` });
  });
});

/** One seller's digest of the last whole week or month; nothing where neither it nor the one before had a sale. */
export const mailDigest = defineJob<{ kind: string; sellerId: string }>(
  "mail-digest",
  async ({ kind: word, sellerId }) => {
    const kind = word as DigestKind;
    const period = digestPeriod(kind, new Date());
    const [seller] = await db
      .select({
        email: sellers.email,
        wants: kind === "weekly" ? sellers.notifyWeeklyReport : sellers.notifyMonthlyReport,
      })
      .from(sellers)
      .where(eq(sellers.id, sellerId));
    if (!seller?.wants) return;
    const digest = await readDigest(sellerId, period);
    if (digest.count + digest.countBefore === 0) return;
    await db.transaction((tx) =>
      queueMail(tx, {
        kind: `${kind}-report`,
        idempotencyKey: `${kind}-report/${sellerId}/${dayOf(period.from)}`,
        recipient: seller.email,
        sellerId,
        mail: digestMail(kind, period, digest),
      }),
    );
  },
  { priority: 20, patient: true },
);
