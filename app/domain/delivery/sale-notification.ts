import type { AdIds, DeliveryEvent, DisputeStatus, RefundRequestKind } from "#app/db/schema/lists.ts";
import type { RejectedDispute } from "#app/domain/storefront/guarantee-end.ts";

/** A sale's status right after an event, not what became of it since. */
export const STATUS_AFTER: Record<DeliveryEvent, string> = {
  "checkout.started": "pending",
  "pix.generated": "pending",
  "pix.expired": "pending",
  "sale.paid": "completed",
  "sale.refused": "failed",
  "refund.requested": "completed",
  "sale.partially_refunded": "completed",
  "sale.refunded": "refunded",
  "sale.disputed": "disputed",
  "sale.dispute_won": "completed",
  "sale.chargedback": "chargedback",
  "access.granted": "completed",
  "access.revoked": "refunded",
};

/** A line sold. `kind` and `itemId` say where in the catalogue it is or was; `itemId` is null where that is not known. */
export type NotificationLine = {
  id: string;
  kind: "product" | "bump" | "offer";
  itemId: number | null;
  /** With the quantity, if it is more than one. */
  name: string;
  quantity: number;
  /** What the buyer pays for all of it, and by how much a coupon and the payment method lowered it. */
  priceCents: number;
  discountCents: number;
  methodDiscountCents: number;
};

/** A sale event as destinations receive it: plain data. Money in cents; phone in E.164. */
export type SaleNotification = {
  event: DeliveryEvent;
  at: Date;
  isTest: boolean;
  seller: { id: string; name: string; email: string };
  sale: {
    id: string;
    parentId: string | null;
    paymentMethod: string;
    /** Of a card; null for another payment method. */
    instalments: number | null;
    /** The coupon that lowered its price, and by how much in all; null where none did. */
    coupon: { code: string; discountCents: number } | null;
    /** The offer whose price it has; null: the product's own. */
    offer: { id: string; name: string } | null;
    createdAt: Date;
    completedAt: Date | null;
    refundedAt: Date | null;
    amountCents: number;
    /** The payment provider's fee; null where unknown. */
    feeCents: number | null;
    refundedCents: number;
    /** What of it was refunded in parts up to the event. */
    refundedBeforeCents: number;
    /** What this event refunded; null where it is about something else. */
    refundCents: number | null;
    /** The refund guarantee promised to the buyer, in days; the law's where none was recorded. */
    guaranteeDays: number;
    /** Those of its payment, oldest first: they make the guarantee longer. */
    rejectedDisputes: RejectedDispute[];
  };
  product: { id: number; name: string; checkoutUrl: string };
  lines: NotificationLine[];
  customer: {
    name: string | null;
    email: string | null;
    phone: string | null;
    document: string | null;
    ip: string | null;
    /** The same for each purchase of a buyer from a seller; reveals nothing about the buyer. */
    key: string;
  };
  campaign: Record<string, string>;
  /** The buyer's ad identifiers; null without consent, and once they are deleted: who was named is with them. */
  ads: AdIds | null;
  /** The PIX the event is about, or that was paid; `url` takes the buyer back to it. */
  pix: { code: string | null; expiresAt: Date | null; url: string } | null;
  /** The kind of refund request the event is about: by right, or at the seller's discretion. */
  refundRequest: RefundRequestKind | null;
  /** Where the buyer finds what they bought. */
  accessUrl: string;
  /** Whether the money has been refunded by now, whatever the event is. */
  moneyReturned: boolean;
  /** The status of the dispute the event is about; null where it is about none, or about what the bank took back. */
  dispute: DisputeStatus | null;
  /** Whether the payment was disputed right after the event. */
  wasDisputed: boolean;
  /** Whether the buyer's access is suspended now, because the payment is disputed. */
  suspended: boolean;
  /** Where access ends: the codes (`itemCode`) of what the same e-mail has bought from the seller and still owns. */
  stillOwnedCodes: string[];
  /** The sales by which they own it. */
  stillOwnedSaleIds: string[];
  /**
   * Lines of their other purchases whose access ended while this one gave it: nothing was closed then. `orderId`: as
   * `singleOrders` names it.
   */
  heldLines: (Pick<NotificationLine, "kind" | "itemId" | "name"> & { orderId: string })[];
};

/** The code of a line for tools that sort by it: a product's number, `bump-7`; null where it is not known. */
export function itemCode({ kind, itemId }: Pick<NotificationLine, "kind" | "itemId">): string | null {
  return itemId === null ? null : kind === "product" ? String(itemId) : `${kind}-${itemId}`;
}

/** The notification without what happened after its event: it may be sent late, or again. */
export function asOfEvent(notification: SaleNotification): SaleNotification {
  const status = STATUS_AFTER[notification.event];
  const isPaid = status !== "pending" && status !== "failed";
  // Suspended while the bank decides: whatever went back, went back later.
  const isSuspension = notification.event === "access.revoked" && notification.wasDisputed;
  const isReturned = !isSuspension && (status === "refunded" || status === "chargedback");
  const isPart = notification.event === "sale.partially_refunded";
  // A refund that was booked with its payment comes after it.
  const refundedCents =
    isPaid && notification.event !== "sale.paid" ? notification.sale.refundedBeforeCents : 0;
  const rejectedDisputes = notification.sale.rejectedDisputes.filter(
    ({ decidedAt }) => Date.parse(decidedAt) <= notification.at.getTime(),
  );
  return {
    ...notification,
    sale: {
      ...notification.sale,
      rejectedDisputes,
      ...(isPaid ? {} : { completedAt: null, feeCents: null }),
      ...(isReturned ? {} : { refundedAt: null, ...(isPart ? {} : { refundedCents }) }),
    },
  };
}
