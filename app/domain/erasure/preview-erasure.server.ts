import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailSince } from "#app/db/conditions.server.ts";
import { erasures } from "#app/db/schema/buyers.server.ts";
import { isPixOpen, isUnfinished } from "#app/domain/erasure/anonymization-conditions.server.ts";
import { rejectedDisputesOf } from "#app/domain/sale/dispute/rejected-disputes.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { guaranteeEndsAt, type RejectedDispute } from "#app/domain/storefront/guarantee-end.ts";

/** A purchase that the buyer should know of before they confirm. `isRequested`: their last request is about it. */
export type PreviewedPurchase = {
  saleId: string;
  name: string;
  isPaid: boolean;
  hasOpenPix: boolean;
  isRequested: boolean;
};

/**
 * What an erasure would do: how many purchases were paid; which ones the buyer can still have refunded, soonest end first;
 * which ones are unfinished, and would be anonymized later.
 */
export type ErasurePreview = {
  paid: number;
  returnable: (Omit<PreviewedPurchase, "hasOpenPix" | "isRequested"> & { endsAt: Date })[];
  unfinished: PreviewedPurchase[];
  /** When the erasure was requested; null where it was not. */
  requestedAt: Date | null;
};

/** A buyer has few; of more, only the newest are read. */
const MAX_PURCHASES = 200;

/** For the owner of the mailbox `email`. */
export async function previewErasure(email: string, now = new Date()): Promise<ErasurePreview> {
  const rows = await db.execute<{
    id: string;
    name: string;
    status: string;
    paid_at: string | null;
    days: number | null;
    settings: Record<string, unknown> | null;
    rejected: RejectedDispute[];
    is_free: boolean;
    is_unfinished: boolean;
    has_open_pix: boolean;
    has_requested: boolean;
    is_erasure_requested: boolean;
  }>(sql`
    select s.id, coalesce((select l.name from sale_lines l where l.seller_id = s.seller_id and l.sale_id = s.id order by l.position limit 1), 'Compra') as name,
      s.status, s.completed_at as paid_at, s.guarantee_days as days, s.amount_cents = 0 as is_free, c.settings, ${rejectedDisputesOf(sql`s`)} as rejected, ${isUnfinished} as is_unfinished, ${isPixOpen} as has_open_pix,
      exists (select from refund_requests r where r.seller_id = s.seller_id and r.sale_id = s.id)
        or exists (select from charges g inner join refunds r on r.seller_id = g.seller_id and r.charge_id = g.id
          where g.seller_id = s.seller_id and g.sale_id = s.id and r.status = 'pending' and r.accepted_at is not null) as has_requested,
      exists (select from erasures e where e.email = s.customer_email and ${emailSince} <= e.requested_at) as is_erasure_requested
    from sales s left join checkout_customizations c on c.seller_id = s.seller_id
    where s.customer_email = ${email} order by s.created_at desc limit ${MAX_PURCHASES}`);
  const [erasureRequest] = await db
    .select({ requestedAt: erasures.requestedAt })
    .from(erasures)
    .where(eq(erasures.email, email));
  const purchases = rows.map((row) => ({
    ...{ saleId: row.id, name: row.name, isPaid: row.paid_at !== null, isUnfinished: row.is_unfinished },
    ...{ hasOpenPix: row.has_open_pix, isRequested: row.is_erasure_requested },
    endsAt:
      row.status === "completed" && !row.is_free && !row.has_requested && row.paid_at
        ? guaranteeEndsAt(
            new Date(row.paid_at),
            row.days ?? mergeCheckoutSettings(row.settings ?? {}).guarantee_days,
            row.rejected,
          )
        : null,
  }));
  return {
    paid: purchases.filter(({ isPaid }) => isPaid).length,
    returnable: purchases
      .flatMap(({ saleId, name, isPaid, endsAt }) =>
        endsAt && endsAt > now ? [{ saleId, name, isPaid, endsAt }] : [],
      )
      .sort((a, b) => a.endsAt.getTime() - b.endsAt.getTime()),
    unfinished: purchases
      .filter((purchase) => purchase.isUnfinished)
      .map(({ isUnfinished: _, endsAt: _end, ...purchase }) => purchase),
    requestedAt: erasureRequest?.requestedAt ?? null,
  };
}
