import { countingPeriods } from "#app/domain/delivery/pixel/setting-periods.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import type { SaleNotification } from "#app/domain/delivery/sale-notification.ts";
import { HOUR } from "#app/kit/duration.ts";

/** What an advertiser receives: order form sent, PIX created, paid, refunded. */
export type Moment = "checkout" | "payment" | "purchase" | "refund";

/** Services deduplicate by id for 48 hours. */
const DEDUPE_WINDOW = 47 * HOUR;

/**
 * The moment an event is to an advertiser; null where none, `said-before` where a PIX may have counted as the purchase so long
 * ago that the same id would count again: by a payment, or by another PIX. Whether one did is in the log of what was accepted.
 */
export function momentOf(
  notification: SaleNotification,
  pixel: PixelSettings,
): Moment | "said-before" | null {
  const { event, sale, at, pix } = notification;
  switch (event) {
    case "checkout.started":
      return "checkout";
    case "pix.generated":
    case "sale.paid": {
      if (event === "pix.generated" && pixel.countsPixSince === null) return "payment";
      // A card's sale may be approved days later: without a PIX nothing was counted.
      const counted = pix !== null && countingPeriods(pixel).length > 0;
      const isLong = at.getTime() - sale.createdAt.getTime() > DEDUPE_WINDOW;
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

/** The id services deduplicate by: the same at every attempt. A pixel on a seller's own page has to send the same. */
export function eventId(moment: Moment, notification: SaleNotification): string {
  return `${moment}.${notification.sale.id}`;
}
