/** How often each file of a purchase may be downloaded until its seller allows more. */
export const DOWNLOADS_PER_SALE = 10;
