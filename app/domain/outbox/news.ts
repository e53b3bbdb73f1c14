import type { DisputeStatus, NewsEvent, RefundRequestKind } from "#app/db/schema/lists.ts";
import type { AdIds } from "#app/db/schema/sales.server.ts";

/** A sale's state as an event left it: not what became of it since. */
export const STATUS_AFTER: Record<NewsEvent, string> = {
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

/** What was sold. `kind` and `itemId` say where in the catalogue it is; `itemId` is null once it was deleted there. */
export type NewsLine = {
  id: string;
  kind: "product" | "bump" | "offer";
  itemId: number | null;
  name: string;
  priceCents: number;
};

/** News of a sale as destinations are told of it: plain data. Money in cents; phone in E.164. */
export type SaleNews = {
  event: NewsEvent;
  at: Date;
  isTest: boolean;
  seller: { id: string; name: string; email: string };
  sale: {
    id: string;
    parentId: string | null;
    paymentMethod: string;
    createdAt: Date;
    completedAt: Date | null;
    refundedAt: Date | null;
    amountCents: number;
    /** What the payment provider keeps; null where unknown. */
    feeCents: number | null;
    refundedCents: number;
    /** What went back with this news; null where it is about something else. */
    refundCents: number | null;
    /** For how many days the buyer was promised the money back; the law's where nobody kept what was promised. */
    guaranteeDays: number;
  };
  product: { id: number; name: string; checkoutUrl: string };
  lines: NewsLine[];
  customer: {
    name: string | null;
    email: string | null;
    phone: string | null;
    document: string | null;
    ip: string | null;
    /** The same for each purchase of a buyer from a seller, and nothing can be read from it. */
    key: string;
  };
  campaign: Record<string, string>;
  /** What advertisers may know the buyer's browser by; null where the buyer did not agree, or nobody asked. */
  ads: AdIds | null;
  /** The PIX the news is about, or that was paid; `url` takes the buyer back to it. */
  pix: { code: string | null; expiresAt: Date | null; url: string } | null;
  /** What a buyer asked for where the news is that they did: the money by right, or the seller's answer. */
  refundRequest: RefundRequestKind | null;
  /** Where the buyer finds what they bought. */
  accessUrl: string;
  /** Whether the money has gone back by now, whatever the news is of. */
  givenBack: boolean;
  /** What became of the dispute that the news is about; null where it is about none, or of what the bank took back. */
  dispute: DisputeStatus | null;
  /** Whether the buyer is without access by now, because the payment is disputed. */
  suspended: boolean;
  /** Where access ends: the codes (`itemCode`) of what the same e-mail has bought from the seller and keeps. */
  held: string[];
};

/** What a thing sold is called by the tools that sort by it: a product's number, `bump-7`; null once it was deleted. */
export function itemCode({ kind, itemId }: Pick<NewsLine, "kind" | "itemId">): string | null {
  return itemId === null ? null : kind === "product" ? String(itemId) : `${kind}-${itemId}`;
}

/** News without what happened only after it: it may be told late, or again, when the sale has gone on. */
export function asOfThen(news: SaleNews): SaleNews {
  const status = STATUS_AFTER[news.event];
  const isPaid = status !== "pending" && status !== "failed";
  const isBack = status === "refunded" || status === "chargedback";
  const isPart = news.event === "sale.partially_refunded";
  return {
    ...news,
    sale: {
      ...news.sale,
      ...(isPaid ? {} : { completedAt: null, feeCents: null }),
      ...(isBack ? {} : { refundedAt: null, ...(isPart ? {} : { refundedCents: 0 }) }),
    },
  };
}
