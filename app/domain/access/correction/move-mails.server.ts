import { randomUUID } from "node:crypto";
import { and, desc, eq, inArray, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ofSaleIds, ownOfSale } from "#app/db/conditions.server.ts";
import type { PendingPix } from "#app/db/schema/mail-data.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { ACCESS_MAIL_KINDS, accessMail } from "#app/domain/access/access-mail.server.ts";
import { queueClosingMailsAgain } from "#app/domain/access/correction/queue-closing-mails-again.server.ts";
import {
  type EmailCorrection,
  queueCorrectedMail,
} from "#app/domain/access/correction/queue-corrected-mail.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { failMailsSql } from "#app/domain/mail/queue/fail-mails.server.ts";
import { unsealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { BUYER_MAIL_KINDS } from "#app/domain/mail/queue/mail-readers.ts";
import { OBSOLETE_TEXTS } from "#app/domain/mail/queue/obsolete-mails.server.ts";
import { type NewMail, queueMail, queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { redirectMails } from "#app/domain/mail/queue/redirect-mails.server.ts";
import { isUnsentAfterAll } from "#app/domain/mail/sending/unsent-after-all.server.ts";
import type { OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { pick } from "#app/kit/pick.ts";

const BRINGS_ACCESS: readonly string[] = ACCESS_MAIL_KINDS;
/** What happened to a purchase: nothing else tells its buyer. The access and a code are mailed again by themselves. */
const EVENT_MAIL_KINDS = BUYER_MAIL_KINDS.filter(
  (kind) => ![...BRINGS_ACCESS, "pix", "reminder"].includes(kind),
);

/**
 * Redirects mails after a correction of the e-mail, in the same transaction: the access to paid sales and a payable code are
 * mailed to the new address; the old one is notified where it may have received anything about the order. After a buyer's
 * correction that is whoever had access; a seller may type one address after the other, so only one that a mail of the order
 * names is notified. An erasure finds that mail by the notification (`clearMovedMails`).
 * @param movedSales the sales as they were before, with the old e-mail
 */
export async function moveMails(
  tx: Tx,
  movedSales: OrderedSale[],
  correction: EmailCorrection,
): Promise<void> {
  const { namedSaleId, oldEmail, newEmail, correctedBy } = correction;
  const ids = movedSales.map(({ id }) => id);
  const alreadyQueued = oldEmail ? await redirectPendingMails(tx, ids, oldEmail, newEmail) : [];
  await queueAccessMails(tx, movedSales, correction, alreadyQueued);
  if (!oldEmail) return;
  for (const orderedSale of movedSales) await queuePixMail(tx, orderedSale, oldEmail, newEmail);
  const namedSale = movedSales.find(({ id }) => id === namedSaleId) ?? movedSales[0];
  if (!namedSale) return;
  const hadAccess = hasAccess(namedSale);
  const reaching = hadAccess
    ? isNamingSql
    : and(isAttemptedSql, isNull(mails.bouncedAt), not(isUnsentAfterAll));
  if ((hadAccess && correctedBy === "buyer") || (await hasMail(tx, ids, oldEmail, reaching)))
    await queueCorrectedMail(tx, namedSale, {
      ...{ oldEmail, newEmail, correctedBy },
      movesAccess: movedSales.some(hasAccess),
    });
}

/**
 * Redirects mails that were not attempted yet. One that was attempted has a rendered text whose links are invalid now, so it is
 * dropped, also where it failed and could be sent again by `retry-mails`; what happened is queued again for the new address.
 * A written one leads to the buyer portal, which a correction does not end.
 * @returns the sales whose access mail was redirected
 */
async function redirectPendingMails(
  tx: Tx,
  saleIds: string[],
  oldEmail: string,
  newEmail: string,
): Promise<string[]> {
  const isOfOldAddress = and(
    ofSaleIds(mails, saleIds),
    eq(mails.recipient, oldEmail),
    inArray(mails.kind, BUYER_MAIL_KINDS),
  );
  await queueClosingMailsAgain(tx, saleIds, isOfOldAddress);
  const isPending = sql`${queuedMails.id} = any(array(select id from mails where ${isOfOldAddress})) and ${isNull(queuedMails.claimedAt)}`;
  const redirectedMails = await redirectMails(tx, isPending, newEmail);
  await queueEventMailsAgain(tx, isOfOldAddress, newEmail);
  // Those that still have the old address.
  await tx.execute(failMailsSql(isPending, { failure: "dropped", error: OBSOLETE_TEXTS.corrected.unsent }));
  // An access mail that was dropped before any attempt calls for no notification, and no erasure would find the address in it.
  await tx
    .update(mails)
    .set({ recipient: newEmail, error: OBSOLETE_TEXTS.corrected.unsent })
    .where(
      and(
        isOfOldAddress,
        inArray(mails.kind, ACCESS_MAIL_KINDS),
        eq(mails.failure, "dropped"),
        eq(mails.attempts, 0),
      ),
    );
  return redirectedMails.flatMap(({ saleId, kind }) =>
    saleId && BRINGS_ACCESS.includes(kind) ? saleId : [],
  );
}

/** Queues for the new address what no attempt brought to the old one, also what is being sent to it, and what was given up. */
async function queueEventMailsAgain(
  tx: Tx,
  isOfOldAddress: SQL | undefined,
  newEmail: string,
): Promise<void> {
  const undelivered = await tx
    .select({
      ...{ kind: mails.kind, sellerId: mails.sellerId, saleId: mails.saleId },
      ...{ data: queuedMails.data, bodySealed: queuedMails.bodySealed },
    })
    .from(queuedMails)
    .innerJoin(mails, eq(mails.id, queuedMails.id))
    .where(and(isOfOldAddress, inArray(mails.kind, EVENT_MAIL_KINDS)));
  const again = undelivered.map(({ data, bodySealed, ...mail }) => ({
    ...mail,
    ...(data ? { data } : { mail: unsealMail({ bodySealed }) }),
    idempotencyKey: `${mail.kind}/${randomUUID()}`,
    recipient: newEmail,
  }));
  await queueMails(tx, again as NewMail[]);
}

async function queueAccessMails(
  tx: Tx,
  orderSales: OrderedSale[],
  { newEmail, correctedBy }: EmailCorrection,
  alreadyQueued: string[],
): Promise<void> {
  const salesWithAccess = orderSales.filter(
    (orderedSale) => hasAccess(orderedSale) && !alreadyQueued.includes(orderedSale.id),
  );
  await queueMails(
    tx,
    salesWithAccess.map((sale) =>
      accessMail(sale, newEmail, {
        eventId: randomUUID(),
        paidAt: sale.completedAt!,
        ...(sale.amountCents === 0 && correctedBy === "buyer" && { isFree: true }),
      }),
    ),
  );
}

/** Mails the code again where one was sent to the old address, while it can be paid. */
async function queuePixMail(tx: Tx, sale: OrderedSale, oldEmail: string, newEmail: string): Promise<void> {
  if (sale.status !== "pending") return;
  const { id: saleId, sellerId } = sale;
  const isPixMail = and(
    ownOfSale(mails, sellerId, saleId),
    eq(mails.recipient, oldEmail),
    eq(mails.kind, "pix"),
    isAttemptedSql,
  );
  const [charge] = await tx
    .select({ provider: charges.provider, pixCode: charges.pixCode, expiresAt: charges.expiresAt })
    .from(charges)
    .where(
      and(
        ownOfSale(charges, sellerId, saleId),
        eq(charges.status, "open"),
        isNotNull(charges.pixCode),
        sql`(${charges.expiresAt} is null or ${charges.expiresAt} > now())`,
        sql`exists (select from ${mails} where ${isPixMail})`,
      ),
    )
    .orderBy(desc(charges.createdAt))
    .limit(1);
  if (!charge?.pixCode) return;
  const { provider, pixCode, expiresAt } = charge;
  const notice = pick(providers, provider)?.warning ?? null;
  const data: PendingPix = { pixCode, expiresAt: expiresAt?.toISOString() ?? null, notice };
  const idempotencyKey = `pix/${saleId}/${randomUUID()}`;
  await queueMail(tx, { kind: "pix", idempotencyKey, recipient: newEmail, sellerId, saleId, data });
}

/** Whether an attempt to send a mail has begun. */
const isAttemptedSql = sql`(mails.attempts > 0 or exists (select from queued_mails q where q.id = mails.id and q.attempts > 0))`;

/** A code or reminder that was dropped before any attempt went nowhere, and an erasure finds it without a notification. */
const isNamingSql = sql`(${inArray(mails.kind, ["pix", "reminder"])} and ${eq(mails.failure, "dropped")} and ${eq(mails.attempts, 0)}) is not true`;

/** Whether there is such a mail to an address about these sales. */
async function hasMail(
  tx: Tx,
  saleIds: string[],
  email: string,
  condition: SQL | undefined,
): Promise<boolean> {
  const [found] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(ofSaleIds(mails, saleIds), eq(mails.recipient, email), condition))
    .limit(1);
  return found !== undefined;
}
