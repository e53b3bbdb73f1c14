/** Order bumps, and upsell offers, a product may have. */
export const MAX_ROWS = 20;
