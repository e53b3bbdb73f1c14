import { and, inArray, like, type SQL, sql } from "drizzle-orm";
import { buyerSearchPrefix, buyerSearchVector } from "#app/db/schema/buyer-search.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { SalesFilter } from "#app/domain/reports/sales-filter.ts";

/** Characters: an e-mail address has no more. */
const MAX_SEARCH_LENGTH = 254;

/**
 * A search condition: an id, on every day; or a buyer in the period. The index on buyers is by month, so that condition is
 * built for the relevant months (`2611`, UTC).
 */
export type SearchCondition =
  | { kind: "id"; condition: SQL }
  | { kind: "person"; conditionIn: (where: SearchScope) => SQL };

/** The ids of providers that are not hexadecimal; they are told apart by upper and lower case. No name looks like one. */
const TRANSACTION_ID = /^(?=.*\d)[\w-]{20,64}$/;

type SearchScope = Pick<SalesFilter, "status" | "method" | "productId" | "couponId" | "offerId"> & {
  months: string[];
};

/**
 * A seller's search as a condition on `sales`: the beginning of a sale's id (8 characters or more), a transaction's id,
 * the beginning of an e-mail (with its @), or beginnings of words of the buyer's name. Text without a Latin letter or a
 * digit is searched for anywhere in the name, since the index has no word of it.
 * @returns null where there is nothing to search for
 */
export function findBySearch(sellerId: string, text: string): SearchCondition | null {
  const normalized = text
    .trim()
    .slice(0, MAX_SEARCH_LENGTH)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  if (/^#?[0-9a-f]{8}[0-9a-f-]*$/.test(normalized))
    return { kind: "id", condition: findById(normalized.replace("#", "").slice(0, 36)) };
  const id = text.trim();
  if (TRANSACTION_ID.test(id)) return { kind: "id", condition: findByTransaction(id) };
  if (normalized.includes("@")) {
    const condition = like(sales.customerEmail, `${normalized.replace(/[\\%_]/g, "\\$&")}%`);
    return { kind: "person", conditionIn: () => condition };
  }
  const namePrefixes = normalized.split(/[^a-z0-9]+/).filter(Boolean);
  if (id === "") return null;
  if (namePrefixes.length === 0) {
    const condition = sql`strpos(lower(coalesce(${sales.customerName}, '')), lower(${id.slice(0, MAX_SEARCH_LENGTH)})) > 0`;
    return { kind: "person", conditionIn: () => condition };
  }
  return { kind: "person", conditionIn: (where) => findByName(sellerId, namePrefixes, where) };
}

/**
 * Fetched in a materialized subquery: Postgres cannot tell a frequent name from a rare one and would read every sale of the
 * period. Month by month, since one query of all of them is many times slower. Other conditions apply only to the few that
 * are found, or each sale would be compared with all of them.
 */
function findByName(
  sellerId: string,
  namePrefixes: string[],
  { months, status, method, productId, couponId, offerId }: SearchScope,
): SQL {
  const queries = months.map((month) =>
    namePrefixes.map((prefix) => `${buyerSearchPrefix(sellerId, month)}${prefix}:*`).join(" & "),
  );
  const matchesSql = sql`string_to_table(${queries.join("|")}, '|') query cross join lateral (
    select id, status, payment_method, product_id, coupon_id, offer_id from ${sales} where ${buyerSearchVector} @@ to_tsquery('simple', query) offset 0
  ) named`;
  const otherFilters = and(
    status === "all" ? undefined : sql`status = ${status}`,
    method === null ? undefined : sql`payment_method = ${method}`,
    productId === null ? undefined : sql`product_id = ${productId}`,
    couponId === null ? undefined : sql`coupon_id = ${couponId}`,
    offerId === null ? undefined : sql`offer_id = ${offerId}`,
  );
  return sql`${sales.id} = any (array(select id from ${matchesSql} where ${otherFilters ?? sql`true`}))`;
}

function findByTransaction(id: string): SQL {
  return inArray(sales.id, sql`(${transactionSql(id)})`);
}

function transactionSql(id: string): SQL {
  return sql`select sale_id from ${charges} where ${inArray(charges.provider, Object.keys(providers))} and provider_id = ${id}`;
}

function findById(id: string): SQL {
  const digits = id.replaceAll("-", "").slice(0, 32);
  return inArray(
    sales.id,
    sql`(
      select id from ${sales} where id between ${digits.padEnd(32, "0")}::uuid and ${digits.padEnd(32, "f")}::uuid
      union ${transactionSql(id)}
    )`,
  );
}
