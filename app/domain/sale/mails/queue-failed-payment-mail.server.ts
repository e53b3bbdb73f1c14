import { and, eq, gt, inArray, like, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import type { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { readSaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { HOUR } from "#app/kit/duration.ts";

/** A broken gateway fails every order: one mail an hour about the same failure is enough. */
const MIN_INTERVAL = HOUR;

/**
 * Queues the seller's mail that an order could not be paid, where they want such mails. Each reason once per sale, and at
 * most once an hour, of a refused key for each account: a cancelled code must not hide that the key was refused, nor one account's
 * key another one's. Orders that fail at the same moment do not see each other's mail: the key decides.
 */
export async function queueFailedPaymentMail(
  tx: Db,
  saleId: string,
  failure: MailData["failed-payment"],
): Promise<void> {
  const sale = await readSaleContacts(tx, saleId);
  if (!sale?.notifyFailedPayment) return;
  const { why, detail, provider } = failure;
  const about = provider ? `${why}/${provider}` : why;
  const now = Date.now();
  const hour = Math.floor(now / MIN_INTERVAL);
  const [key, lastKey] = [hour, hour - 1].map((nth) => `failed-payment/${sale.sellerId}.${nth}/${about}`);
  // By its keys: a plan for any moment may read all mails of the seller.
  const isRecent = and(
    eq(mails.sellerId, sale.sellerId),
    inArray(mails.idempotencyKey, [key!, lastKey!]),
    gt(mails.createdAt, new Date(now - MIN_INTERVAL)),
  );
  const isOfSale = and(
    ownOfSale(mails, sale.sellerId, saleId),
    eq(mails.kind, "failed-payment"),
    like(mails.idempotencyKey, `%/${about}`),
  );
  const [known] = await tx.select({ id: mails.id }).from(mails).where(or(isRecent, isOfSale)).limit(1);
  if (known) return;
  await queueMail(tx, {
    kind: "failed-payment",
    idempotencyKey: key!,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    data: { ...failure, detail: truncate(detail, 300) },
  });
}

/** A provider's failure as the mail has it. @param provider its name */
export function toFailedPayment(
  provider: string,
  { kind, message }: ProviderError,
): MailData["failed-payment"] {
  const failure = { why: kind, detail: message };
  return kind === "credentials" ? { ...failure, provider } : failure;
}
