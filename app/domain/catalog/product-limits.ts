/** The maximum of order bumps, and of upsells, of a product. */
export const MAX_BUMPS_OR_UPSELLS = 20;
