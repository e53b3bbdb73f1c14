import { asked } from "#app/enhance/asked.ts";
import { CLICK_ID, CLICKS_COOKIE } from "#app/kit/ads/click-ids.ts";

/**
 * Keeps the clicks of ads that led here, and when, for a buyer who comes back without them: in this browser, for this page,
 * and only where the page asks whether they may be told. They leave with an order whose buyer agreed.
 */
export function keepClicks(): void {
  const clicks = asked(CLICK_ID).toString();
  // The same click keeps the moment it was first seen.
  if (document.querySelector(".consent") && clicks && !document.cookie.includes(clicks)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere.
    document.cookie = `${CLICKS_COOKIE}=${Date.now()}.${clicks};path=${location.pathname};max-age=7776000;samesite=lax`;
  }
}
