import { matchingParameters } from "#app/enhance/matching-parameters.ts";
import { CLICK_ID, CLICKS_COOKIE } from "#app/kit/ads/click-ids.ts";

/**
 * Stores the ad clicks that led here, and when, for a buyer who returns without them: in this browser, for this page,
 * and only if the page asks for consent. They are sent with an order whose buyer consented.
 */
export function storeAdClicks(): void {
  const clicks = matchingParameters(CLICK_ID).toString();
  // The same click keeps its first time.
  if (document.querySelector(".consent") && clicks && !document.cookie.includes(clicks)) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere.
    document.cookie = `${CLICKS_COOKIE}=${Date.now()}.${clicks};path=${location.pathname};max-age=7776000;samesite=lax`;
  }
}
