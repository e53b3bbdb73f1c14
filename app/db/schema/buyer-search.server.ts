import { sql } from "drizzle-orm";

/** A buyer's name and the local part of their e-mail, lower case, without accents and punctuation. */
const BUYER_TEXT =
  `lower(translate(coalesce(customer_name, '') || ' ' || split_part(coalesce(customer_email, ''), '@', 1), ` +
  `'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ.+_-/:''"()&#', ` +
  `'AAAAAEEEEIIIIOOOOOUUUUCNaaaaaeeeeiiiiooooouuuucn            '))`;

/**
 * The prefix of each of a buyer's words in the index: the seller and the month (UTC) of the sale, so that a search reads no
 * other seller's buyers and no other month's.
 * @param month `2611` is November 2026
 */
export const buyerSearchPrefix = (sellerId: string, month: string) =>
  `s${sellerId.replaceAll("-", "").slice(0, 16)}${month}`;
/** The words of `BUYER_TEXT`, each with its prefix. */
export const buyerSearchVector = sql.raw(
  `to_tsvector('simple', regexp_replace(${BUYER_TEXT}, '([a-z0-9]+)', ` +
    `'s' || left(replace(seller_id::text, '-', ''), 16) || ` +
    `(extract(year from created_at at time zone 'UTC') * 100 + extract(month from created_at at time zone 'UTC') - 200000)::int::text || '\\1', 'g'))`,
);
