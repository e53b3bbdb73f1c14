import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sql } from "#tests/support/database.ts";

// Without one, deleting or changing a row reads the whole of each table that points to it.
test("every foreign key has an index that begins with its columns", async () => {
  const bare = await sql`
    select c.conrelid::regclass::text as "table", c.conname as "key"
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace
      -- Sellers, sales and charges are never deleted: see below. An index for nobody would cost each purchase ten more entries,
      -- and those of a sale's and a charge's rows begin with the seller, whom a foreign key does not name.
      and not (c.confrelid = 'sellers'::regclass and c.confdeltype = 'a')
      and c.confrelid not in ('sales'::regclass, 'charges'::regclass) and not exists (
      select from pg_index i
      where i.indrelid = c.conrelid and i.indisvalid
        -- Its first columns are the key's, in whatever order.
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        -- A partial one serves where all it leaves out are rows without the key.
        and (i.indpred is null or (cardinality(c.conkey) = 1 and pg_get_expr(i.indpred, i.indrelid) = format(
          '(%I IS NOT NULL)',
          (select attname from pg_attribute where attrelid = c.conrelid and attnum = c.conkey[1])
        )))
    )
    order by 1, 2`;
  expect(bare.map(({ table, key }) => `${table}: ${key}`)).toEqual([]);
  const [{ keys } = { keys: 0 }] = await sql`select count(*)::int as keys from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`;
  expect(keys).toBeGreaterThan(30);
});

test("no code deletes a seller, a sale or a charge, or changes its id", () => {
  const wrong = globSync("{app,scripts}/**/*.{ts,tsx}").filter((file) =>
    /delete\((?:sellers|sales|charges)\)|delete from (?:"?(?:sellers|sales|charges)\b|\$\{(?:sellers|sales|charges)\})|update (?:sellers|sales|charges) set id\b/i.test(
      readFileSync(file, "utf8"),
    ),
  );
  expect(wrong).toEqual([]);
});
