import { and, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { anyOf } from "#app/db/conditions.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { sealMail, unsealMail } from "#app/domain/mail/queue/mail-body.server.ts";

const isUnattempted = sql`(${queuedMails.claimedAt} is null and ${queuedMails.scheduledAt} is not null and ${queuedMails.attempts} = 0)`;

/**
 * Sends mails to another address, rendered anew; one that was written when it was queued keeps its text. Without its lease, a
 * worker that has claimed one does not send it.
 * @param isMeant a condition on `queued_mails`, whose rows are locked
 * @param mayMove a condition on these: by default those that were not attempted yet
 * @returns those that were redirected
 */
export async function redirectMails(tx: Tx, isMeant: SQL, newEmail: string, mayMove: SQL = isUnattempted) {
  // In one order, as those who send them lock several: the statements below choose them by what is stored of each.
  await tx
    .select({ id: queuedMails.id })
    .from(queuedMails)
    .where(isMeant)
    .orderBy(queuedMails.id)
    .for("update");
  const dueAgain = { slotAt: null, account: null, scheduledAt: sql`now()`, leasedUntil: null };
  const unrenderedMails = await tx
    .update(queuedMails)
    .set({ bodySealed: null, via: "platform", templateFailedAt: null, ...dueAgain })
    .where(and(isMeant, mayMove, isNotNull(queuedMails.data)))
    .returning({ id: queuedMails.id });
  const writtenMails = await tx
    .update(queuedMails)
    .set(dueAgain)
    .where(and(isMeant, mayMove, isNull(queuedMails.data)))
    .returning({ id: queuedMails.id, bodySealed: queuedMails.bodySealed });
  await readdress(tx, writtenMails, newEmail);
  const ids = [...unrenderedMails, ...writtenMails].map(({ id }) => id);
  return tx
    .update(mails)
    .set({ recipient: newEmail })
    .where(anyOf(mails.id, ids))
    .returning({ id: mails.id, saleId: mails.saleId, kind: mails.kind });
}

/** Changes the address in the stored texts of mails. */
async function readdress(
  tx: Tx,
  written: { id: string; bodySealed: string | null }[],
  newEmail: string,
): Promise<void> {
  const rows = written.flatMap(({ id, bodySealed }) => {
    const mail = unsealMail({ bodySealed });
    return mail ? { id, body_sealed: sealMail({ ...mail, to: newEmail }).bodySealed } : [];
  });
  if (rows.length === 0) return;
  await tx.execute(sql`update ${queuedMails} q set body_sealed = r.body_sealed
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, body_sealed text) where q.id = r.id`);
}
