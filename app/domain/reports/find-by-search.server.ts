import { and, inArray, like, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { buyerText, buyerWordPrefix, buyerWords, sales } from "#app/db/schema/sales.server.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";

/** What a search looks in. An id is searched on every day, a person in the period. */
export type Search = { kind: "id" | "person"; condition: SQL };

/** More people than this share a name: then the newest sales hold enough of them. */
const FREQUENT = 2000;

/**
 * A seller's search as a condition on `sales` that an index answers: the beginning of a sale's id (8 characters or more),
 * a transaction's id, the beginning of an e-mail (with its @), or beginnings of words of the buyer's name. At most one
 * statement.
 * @returns null where there is nothing to search for
 */
export async function findBySearch(sellerId: string, text: string): Promise<Search | null> {
  const plain = text
    .trim()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  if (/^#?[0-9a-f]{8}[0-9a-f-]*$/.test(plain))
    return { kind: "id", condition: byId(plain.replace("#", "").slice(0, 36)) };
  if (plain.includes("@")) {
    const pattern = `${plain.replace(/[\\%_]/g, "\\$&")}%`;
    return { kind: "person", condition: like(sales.customerEmail, pattern) };
  }
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean);
  if (words.length === 0) return null;
  return { kind: "person", condition: await byName(sellerId, words) };
}

/**
 * Postgres cannot tell a frequent name from a rare one and chooses wrongly either way, so we look: of a rare name all
 * sales are fetched by the words' index, of a frequent one the newest sales are read until a page is full.
 */
async function byName(sellerId: string, words: string[]): Promise<SQL> {
  const query = words.map((word) => `${buyerWordPrefix(sellerId)}${word}:*`).join(" & ");
  const named = sql`select id from ${sales} where ${buyerWords} @@ to_tsquery('simple', ${query})`;
  // Materialized, it is planned as if all were wanted, so by the index, and yet stops where the limit does.
  const [found] = await db.execute<{ frequent: boolean }>(sql`
    with named as materialized (${named})
    select count(*) > ${FREQUENT} as frequent from (select from named limit ${FREQUENT + 1}) first_ones`);
  if (!found!.frequent) return sql`${sales.id} = any (array(${named}))`;
  return and(...words.map((word) => sql`${buyerText} ~ ${`(^|[^a-z0-9])${word}`}`))!;
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
