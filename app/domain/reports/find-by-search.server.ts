import { and, inArray, like, type SQL, sql } from "drizzle-orm";
import { charges } from "#app/db/schema/payments.server.ts";
import { buyerWordPrefix, buyerWords, sales } from "#app/db/schema/sales.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import type { SalesFilter } from "#app/domain/reports/sales-filter.ts";

/** Characters: an e-mail address has no more. */
const LONGEST = 254;

/**
 * What a search looks in: an id on every day; a person in the period, whose condition an index answers month by month,
 * so it is asked for the months (`2611`, UTC) that matter.
 */
export type Search = { kind: "id"; condition: SQL } | { kind: "person"; conditionIn: (where: Where) => SQL };

type Where = Pick<SalesFilter, "status" | "productId"> & { months: string[] };

/**
 * A seller's search as a condition on `sales`: the beginning of a sale's id (8 characters or more), a transaction's id,
 * the beginning of an e-mail (with its @), or beginnings of words of the buyer's name.
 * @returns null where there is nothing to search for
 */
export function findBySearch(sellerId: string, text: string): Search | null {
  const plain = text
    .trim()
    .slice(0, LONGEST)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  if (/^#?[0-9a-f]{8}[0-9a-f-]*$/.test(plain))
    return { kind: "id", condition: byId(plain.replace("#", "").slice(0, 36)) };
  if (plain.includes("@")) {
    const condition = like(sales.customerEmail, `${plain.replace(/[\\%_]/g, "\\$&")}%`);
    return { kind: "person", conditionIn: () => condition };
  }
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  if (words.length === 0) return null;
  return { kind: "person", conditionIn: (where) => byName(sellerId, words, where) };
}

/**
 * Fetched apart, behind a fence: Postgres cannot tell a frequent name from a rare one and would rather try every sale of
 * the period. Month by month, since one query of all of them is many times slower. What else is asked for is left to the
 * few that are found, or each sale would be compared with all of them.
 */
function byName(sellerId: string, words: string[], { months, status, productId }: Where): SQL {
  const queries = months.map((month) =>
    words.map((word) => `${buyerWordPrefix(sellerId, month)}${word}:*`).join(" & "),
  );
  const named = sql`string_to_table(${queries.join("|")}, '|') query cross join lateral (
    select id, status, product_id from ${sales} where ${buyerWords} @@ to_tsquery('simple', query) offset 0
  ) named`;
  const asked = and(
    status === "all" ? undefined : sql`status = ${status}`,
    productId === null ? undefined : sql`product_id = ${productId}`,
  );
  return sql`${sales.id} = any (array(select id from ${named} where ${asked ?? sql`true`}))`;
}

function byId(id: string): SQL {
  const digits = id.replaceAll("-", "").slice(0, 32);
  return inArray(
    sales.id,
    sql`(
      select id from ${sales} where id between ${digits.padEnd(32, "0")}::uuid and ${digits.padEnd(32, "f")}::uuid
      union select sale_id from ${charges} where ${inArray(charges.provider, Object.keys(providers))} and provider_id = ${id}
    )`,
  );
}
