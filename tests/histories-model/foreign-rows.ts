import { sql } from "#tests/support/database.ts";

/**
 * Tables with rows that name another seller than the row they reference. Keys and indexes begin with the seller, so such a
 * row would not be found.
 */
export async function findForeignRows(): Promise<string[]> {
  const keys = await sql<{ table: string; column: string; parent: string; key: string }[]>`
    select c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as parent, p.attname as key
    from pg_constraint c
      inner join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      inner join pg_attribute p on p.attrelid = c.confrelid and p.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1
      and exists (select from pg_attribute where attrelid = c.conrelid and attname = 'seller_id')
      and exists (select from pg_attribute where attrelid = c.confrelid and attname = 'seller_id')`;
  if (keys.length < 20) throw new Error(`only ${keys.length} foreign keys were found`);
  const queries = keys.map(
    ({ table, column, parent, key }) =>
      `select '${table}.${column}' as found where exists (select from ${table} c inner join ${parent} p on p.${key} = c.${column}
        where c.seller_id <> p.seller_id)`,
  );
  return (await sql.unsafe(queries.join(" union all "))).map(({ found }) => found);
}
