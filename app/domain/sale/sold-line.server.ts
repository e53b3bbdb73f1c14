import { sql } from "drizzle-orm";

/** The fields of a `SoldLine` for `json_build_object`, of `sale_lines l`. */
export const soldLineFields = sql.raw(
  "'name', l.name, 'priceCents', l.price_cents, 'discountCents', l.discount_cents, 'methodDiscountCents', l.method_discount_cents, 'pixDiscountCents', l.pix_discount_cents",
);
