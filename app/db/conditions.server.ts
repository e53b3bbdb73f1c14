import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * Whether a column is one of these ids (UUIDs). The statement is the same for any number of them, and Postgres cannot see
 * their number while it plans: it assumes ten elements for an array, would find a custom plan for fewer cheaper, and replan
 * each call. Joined with rows from JSON, which it estimates at a hundred, it would read the whole table.
 */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(array(select unnest(${`{${ids.join(",")}}`}::uuid[])))`;
}

type OfSale = { sellerId: AnyColumn; saleId: AnyColumn };
type OfCharge = { sellerId: AnyColumn; chargeId: AnyColumn };

/** In a query that reads `sales`: a table's rows of that sale. Its index begins with the seller: docs/scale.md. */
export const ofSale = (table: OfSale): SQL =>
  and(eq(table.sellerId, sales.sellerId), eq(table.saleId, sales.id))!;

/** In a query that reads `charges`: a table's rows of that charge. */
export const ofCharge = (table: OfCharge): SQL =>
  and(eq(table.sellerId, charges.sellerId), eq(table.chargeId, charges.id))!;

/** In a query that reads `charges`: its sale. */
export const saleOfCharge = and(eq(sales.sellerId, charges.sellerId), eq(sales.id, charges.saleId))!;

/** A table's rows of a sale whose seller the caller does not know: one look-up more. */
export const ofSaleId = (table: OfSale, saleId: string): SQL =>
  and(eq(table.sellerId, sellerOfSale(saleId)), eq(table.saleId, saleId))!;

/** The same of several sales, which may be of several sellers. */
export const ofSaleIds = (table: OfSale, saleIds: string[]): SQL =>
  sql`${table.sellerId} = any(array(select seller_id from sales where ${anyOf(sales.id, saleIds)})) and ${anyOf(table.saleId, saleIds)}`;

/** The seller of a sale, in a statement. */
export const sellerOfSale = (saleId: string): SQL =>
  sql`(select seller_id from sales where id = ${saleId}::uuid)`;
