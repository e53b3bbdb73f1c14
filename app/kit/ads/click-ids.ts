/** Query parameters by which ad networks recognize their clicks: Meta, Google, TikTok, Microsoft, Kwai. */
export const CLICK_ID = /^(fbclid|gclid|gbraid|wbraid|ttclid|msclkid|click_?id|kclid)$/;

/**
 * The cookie in which the page's script stores a buyer's ad clicks: when (Unix ms), a dot, and the clicks as a query.
 */
export const CLICKS_COOKIE = "cliques";
