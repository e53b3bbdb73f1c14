import type { SaleNews } from "#app/domain/outbox/news.ts";
import type { PixelSettings } from "#app/domain/outbox/pixel/settings.ts";
import { HOUR } from "#app/kit/duration.ts";

/** What an advertiser hears of: the order form was sent, a PIX was made, it was paid, it went back. */
export type Moment = "checkout" | "payment" | "purchase" | "refund";

/** Within 48 hours services know a copy by its id. */
const COPIES_KNOWN_FOR = 47 * HOUR;

/**
 * What a piece of news is to an advertiser; null where nothing, `said-before` where the PIX counted as the purchase and is
 * so long ago that the same id would count again.
 */
export function momentOf(news: SaleNews, { countsPixSince }: PixelSettings): Moment | "said-before" | null {
  const { event, sale, at } = news;
  switch (event) {
    case "checkout.started":
      return "checkout";
    case "pix.generated":
      return countsPixSince ? "purchase" : "payment";
    case "sale.paid": {
      const counted = countsPixSince !== null && sale.createdAt >= new Date(countsPixSince);
      const isLong = at.getTime() - sale.createdAt.getTime() > COPIES_KNOWN_FOR;
      return counted && isLong ? "said-before" : "purchase";
    }
    case "sale.partially_refunded":
    case "sale.refunded":
    case "sale.chargedback":
      return "refund";
    default:
      return null;
  }
}

/** What services know copies by: the same at every try, and what a pixel on a seller's own page has to say too. */
export function eventId(moment: Moment, news: SaleNews): string {
  return `${moment}.${news.sale.id}`;
}
