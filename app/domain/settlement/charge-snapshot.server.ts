import { type AnyColumn, eq, type GetColumnData, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { readJsonColumn } from "#app/db/columns.server.ts";
import { isSalePaymentSql, saleOfCharge } from "#app/db/conditions.server.ts";
import { paymentWebhooks } from "#app/db/schema/charge-checks.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { isExtraDisputed } from "#app/domain/charge/check-times.server.ts";
import { sealedKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { type SaleContacts, saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import type { LastRefund } from "#app/domain/settlement/book-reversal.server.ts";

/** What a charge check reads, as columns of a query on charges and their sales. */
export const checkColumns = {
  status: charges.status,
  method: charges.method,
  amountCents: charges.amountCents,
  provider: charges.provider,
  providerId: charges.providerId,
  reference: charges.reference,
  createdAt: charges.createdAt,
  expiresAt: charges.expiresAt,
  sealedKeys,
  nextCheckAt: charges.nextCheckAt,
  lastRefund: sql<LastRefund>`(
        select json_build_object('status', r.status, 'requestedAt', r.requested_at, 'acceptedAt', r.accepted_at, 'isUnsent', r.send_at is not null)
        from refunds r where r.seller_id = ${charges.sellerId} and r.charge_id = ${charges.id} order by (r.status = 'pending') desc, r.requested_at desc limit 1)`.mapWith(
    readRefund,
  ),
  // Its seller found that it was not refunded, and its provider has called it cancelled ever since.
  isCancellationChecked: sql<boolean>`${isSalePaymentSql} and ${sales.cancelledCheckedAt} is not null`,
  isExtraDisputed: isExtraDisputed(sql`${charges}`),
  // Another state than the booked one; `paid` of a mismatch may be its correction. A scalar subquery, not `exists`: that one is
  // planned as a hash of all unhandled webhooks.
  isChangeAnnounced: sql<boolean>`coalesce((select true from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id}
        and w.handled_at is null and w.state <> 'open' and (w.state <> 'paid' or ${charges.status} = 'mispaid') limit 1), false)`,
  // What was refunded or contested was paid before.
  paymentAnnouncedAt:
    sql`(select max(w.received_at) from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id}
        and w.state in ('paid', 'refunded', 'disputed', 'chargedback'))`.mapWith(
      paymentWebhooks.receivedAt,
    ) as SQL<Date | null>,
  // Read before the call: a webhook that arrives during it is not answered by it.
  pendingWebhookIds: sql<
    string[]
  >`array(select w.id::text from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id}
        and w.handled_at is null)`,
  webhookProviderId: sql<
    string | null
  >`(select w.provider_id from payment_webhooks w where w.seller_id = ${charges.sellerId} and w.charge_id = ${charges.id} order by w.id desc limit 1)`,
};

/** A charge as read for its check, and the contacts of its sale. */
export type ChargeSnapshot = { charge: CheckedCharge; sale: SaleContacts };

/** Such a row. */
export type CheckedCharge = {
  [K in keyof typeof checkColumns]: (typeof checkColumns)[K] extends SQL<infer T>
    ? T
    : (typeof checkColumns)[K] extends AnyColumn
      ? GetColumnData<(typeof checkColumns)[K]>
      : never;
};

/** Reads a charge and the contacts of its sale. */
export async function findSnapshot(chargeId: string): Promise<ChargeSnapshot | undefined> {
  const [found] = await db
    .select({ charge: checkColumns, sale: saleContacts })
    .from(charges)
    .innerJoin(sales, saleOfCharge)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(charges.id, chargeId));
  return found;
}

function readRefund(value: unknown): LastRefund {
  const raw = readJsonColumn<{
    status: NonNullable<LastRefund>["status"];
    requestedAt: string;
    acceptedAt: string | null;
    isUnsent: boolean;
  }>(value);
  const acceptedAt = raw.acceptedAt === null ? null : new Date(raw.acceptedAt);
  const { status, isUnsent } = raw;
  return { status, requestedAt: new Date(raw.requestedAt), acceptedAt, isUnsent };
}
