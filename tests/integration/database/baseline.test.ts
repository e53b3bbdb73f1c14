import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { convertOldTables, makeOldTables } from "#scripts/restore-old/old-backup.ts";
import { oldMigrations } from "#scripts/restore-old/old-migrations.ts";
import { sql } from "#tests/support/database.ts";

const NAME = `converted_${process.pid}`;

afterAll(async () => {
  await sql`drop database if exists ${sql(NAME)} with (force)`;
});

/** The objects of a schema, one per row. The order of a table's columns is not part of it. */
const CATALOGUES = {
  tables: `select relname as name, relkind as kind, reloptions, relpersistence, relrowsecurity, obj_description(oid) as comment
    from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'i'`,
  columns: `select a.attrelid::regclass || '.' || attname as name, format_type(atttypid, atttypmod) as type, attnotnull,
      pg_get_expr(adbin, adrelid) as value, attidentity, attgenerated, attcollation::regcollation as collation, attstorage,
      attcompression, attstattarget, attoptions
    from pg_attribute a inner join pg_class c on c.oid = attrelid left join pg_attrdef d on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  constraints: `select conrelid::regclass || '.' || conname as name, contype, pg_get_constraintdef(oid) as definition,
      convalidated, condeferrable, condeferred
    from pg_constraint where connamespace = 'public'::regnamespace`,
  indexes: `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition, indisvalid, reloptions
    from pg_index i inner join pg_class c on c.oid = indexrelid where relnamespace = 'public'::regnamespace`,
  functions: `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition from pg_proc p
    where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  triggers: `select tgrelid::regclass || '.' || tgname as name, pg_get_triggerdef(t.oid) as definition, tgenabled
    from pg_trigger t inner join pg_class c on c.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal and tgfoid::regproc::text not like 'watch.%'`,
  sequences: `select sequencename as name, data_type, start_value, min_value, max_value, increment_by, cycle, cache_size
    from pg_sequences where schemaname = 'public'`,
  types: `select typname as name, typtype from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`,
  statistics: `select stxname as name, pg_get_statisticsobjdef(oid) as definition from pg_statistic_ext
    where stxnamespace = 'public'::regnamespace`,
  rules: `select schemaname || '.' || tablename || '.' || policyname as name, qual, with_check from pg_policies`,
  extensions: `select extname as name, extversion from pg_extension`,
  schemas: `select nspname as name, nspacl::text from pg_namespace where nspname !~ '^pg_(toast|temp)|^watch$'`,
  journal: `select hash as name, created_at from drizzle.__drizzle_migrations`,
};

test("the baseline makes the same schema as all earlier migrations and the conversion", async () => {
  await sql`create database ${sql(NAME)} template template0`;
  const url = new URL(process.env.DATABASE_URL!);
  url.pathname = `/${NAME}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const newest = oldMigrations().at(-1)!.when;
  await client.query("begin");
  await makeOldTables(url.href, client, newest);
  await convertOldTables(client, newest);
  await client.query("commit");
  const seen: Record<string, number> = {};
  for (const [what, query] of Object.entries(CATALOGUES)) {
    const ordered = `${query} order by 1`;
    const ours = byName(await sql.unsafe(ordered));
    const theirs = byName((await client.query(ordered)).rows);
    expect(theirs, what).toEqual(ours);
    seen[what] = Object.keys(ours).length;
  }
  await client.end();
  expect(seen.tables).toBeGreaterThan(50);
  expect(seen.triggers).toBeGreaterThan(20);
  expect(seen.functions).toBeGreaterThan(10);
  expect(seen.journal).toBe(1);
});

function byName(rows: readonly Record<string, unknown>[]): Record<string, unknown> {
  return Object.fromEntries(rows.map(({ name, ...rest }) => [String(name), { ...rest }]));
}
