/** Query parameters by which ads know their clicks again: Meta, Google, TikTok, Microsoft, Kwai. */
export const CLICK_ID = /^(fbclid|gclid|gbraid|wbraid|ttclid|msclkid|click_?id|kclid)$/;

/** Where the page's script keeps the clicks a buyer came by: when (Unix ms), a dot, and they as a query. */
export const CLICKS_COOKIE = "cliques";
