import { type AnyColumn, and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { UNDECIDED_CARD } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { SECOND } from "#app/kit/duration.ts";

/**
 * Whether a column is one of these ids (UUIDs). The statement is the same for any number of them, and Postgres cannot see
 * their number while it plans: it assumes ten elements for an array, would find a custom plan for fewer cheaper, and replan
 * each call. Joined with rows from JSON, which it estimates at a hundred, it would read the whole table.
 */
export function anyOf(column: AnyColumn, ids: string[]): SQL {
  return sql`${column} = any(array(select unnest(${`{${ids.join(",")}}`}::uuid[])))`;
}

/** The moment so many milliseconds ago, by the database's clock: a machine's may be wrong. */
export const ago = (milliseconds: number): SQL =>
  sql`now() - make_interval(secs => ${milliseconds / SECOND}::float8)`;

/** The `deactivatedAt` to write for a row that is to be active or paused: one that is paused already keeps its time. */
export const deactivatedAtOf = (table: { deactivatedAt: AnyColumn }, active: boolean): SQL | null =>
  active ? null : sql`coalesce(${table.deactivatedAt}, now())`;

type OfSale = { sellerId: AnyColumn; saleId: AnyColumn };
type OfCharge = { sellerId: AnyColumn; chargeId: AnyColumn };
type Value = string | number | AnyColumn | SQL;

/** A seller's row with that id. Indexes begin with the seller: docs/scale.md. */
export const ownById = (table: { sellerId: AnyColumn; id: AnyColumn }, sellerId: Value, id: Value): SQL =>
  and(eq(table.sellerId, sellerId), eq(table.id, id))!;

/** A seller's rows with these ids. */
export const ownByIds = (
  table: { sellerId: AnyColumn; id: AnyColumn },
  sellerId: Value,
  ids: string[],
): SQL => and(eq(table.sellerId, sellerId), anyOf(table.id, ids))!;

/** A table's rows of a seller's sale. */
export const ownOfSale = (table: OfSale, sellerId: Value, saleId: Value): SQL =>
  and(eq(table.sellerId, sellerId), eq(table.saleId, saleId))!;

/** A table's rows of a seller's charge. */
export const ownOfCharge = (table: OfCharge, sellerId: Value, chargeId: Value): SQL =>
  and(eq(table.sellerId, sellerId), eq(table.chargeId, chargeId))!;

/** In a query that reads `sales`: a table's rows of that sale. */
export const ofSale = (table: OfSale): SQL => ownOfSale(table, sales.sellerId, sales.id);

/** In a query that reads `charges`: a table's rows of that charge. */
export const ofCharge = (table: OfCharge): SQL => ownOfCharge(table, charges.sellerId, charges.id);

/** In a query that reads `charges`: its sale. */
export const saleOfCharge = ownById(sales, charges.sellerId, charges.saleId);

/** A table's rows of a sale whose seller the caller does not know: one look-up more. */
export const ofSaleId = (table: OfSale, saleId: string): SQL =>
  ownOfSale(table, sellerOfSale(saleId), saleId);

/** The same of several sales, which may be of several sellers. */
export const ofSaleIds = (table: OfSale, saleIds: string[]): SQL =>
  sql`${table.sellerId} = any(array(select seller_id from sales where ${anyOf(sales.id, saleIds)})) and ${anyOf(table.saleId, saleIds)}`;

/** The seller of a sale, in a statement. */
export const sellerOfSale = (saleId: string): SQL =>
  sql`(select seller_id from sales where id = ${saleId}::uuid)`;

/**
 * Whether a card payment of a sale is not decided yet: it may still be approved, and its page says not to pay again. One whose
 * process died is decided by `sweepCharges`.
 * @param sale the table `sales` or its alias in the query
 */
export const hasPendingCard = (sale: SQL) => sql<boolean>`exists (
  select from charges c where c.seller_id = ${sale}.seller_id and c.sale_id = ${sale}.id and c.method = 'card'
    and c.status in (${sql.raw(UNDECIDED_CARD.map((status) => `'${status}'`).join(", "))}))`;

/** Whether a charge is the payment of its sale (`isSalePayment`), as a condition of a query on charges. */
export const isSalePaymentSql = and(eq(charges.status, "paid"), isNull(charges.overpaidAt))!;

/**
 * Whether a refund of a charge is under way, as a column or a condition of a query on it.
 * @param charge the table `charges` or its alias in the query
 */
export const hasPendingRefund = (charge: SQL) => sql<boolean>`exists (
  select from refunds r where r.seller_id = ${charge}.seller_id and r.charge_id = ${charge}.id and r.status = 'pending')`;

/** Since when a sale `s` has had its buyer's e-mail: an erasure request that the address made before is not about it. */
export const emailSince = sql`greatest(s.created_at, s.anonymized_at, s.email_corrected_at, (
  select max(v.at) from sale_events v
  where v.seller_id = s.seller_id and v.sale_id = s.id and v.kind = 'customer_edited' and v.data ? 'given'))`;
