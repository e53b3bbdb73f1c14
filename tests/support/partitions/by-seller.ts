import type postgres from "postgres";
import type { TransactionSql } from "postgres";

const PARTITIONS = 8;

type Index = {
  name: string;
  definition: string;
  isPrimary: boolean;
  columns: string[];
  where: string | null;
};
type ForeignKey = { name: string; columns: string; table: string; referenced: string; actions: string };
type Table = {
  name: string;
  mayLackSeller: boolean;
  indexes: Index[];
  keys: ForeignKey[];
  triggers: string[];
};

/**
 * Rebuilds the sales tables of an empty migrated database as hash partitions by seller: `sales`, and whatever references it,
 * directly or by another one. Each unique key has the seller as its last column, since PostgreSQL asks for it there, and
 * each foreign key among them as its first.
 * @returns their names
 */
export async function partitionBySeller(client: postgres.Sql): Promise<string[]> {
  return client.begin(async (tx) => {
    for (let part = 0; part < PARTITIONS; part += 1) await tx.unsafe(`create schema part_${part}`);
    const names = await salesTables(tx);
    const tables: Table[] = [];
    for (const name of names) tables.push(await describe(tx, name));
    for (const table of tables) {
      await tx.unsafe(`create table "${table.name}_new" (like ${table.name} including all excluding indexes)
        partition by hash (seller_id)`);
    }
    await tx.unsafe(`drop table ${names.join(", ")} cascade`);
    for (const table of tables) await rebuild(tx, table);
    for (const { name, keys } of tables) {
      for (const key of keys) await addForeignKey(tx, name, key, names.includes(key.table));
    }
    await renameIndexes(tx);
    for (const { triggers } of tables) for (const each of triggers) await tx.unsafe(each);
    return names;
  });
}

async function salesTables(tx: TransactionSql): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    with recursive found as (
      select 'public.sales'::regclass::oid as oid
      union select conrelid from pg_constraint inner join found on confrelid = found.oid where contype = 'f'
    ) select relname as name from found inner join pg_class using (oid) order by 1`;
  return rows.map(({ name }) => name);
}

async function describe(tx: TransactionSql, name: string): Promise<Table> {
  const [column] = await tx<{ mayLackSeller: boolean }[]>`
    select not attnotnull as "mayLackSeller" from pg_attribute
    where attrelid = ${name}::regclass and attname = 'seller_id'`;
  const indexes = await tx<Index[]>`
    select relname as name, pg_get_indexdef(oid) as definition, indisprimary as "isPrimary",
      pg_get_expr(indpred, indrelid) as where,
      case when indisunique then array(
        select pg_get_indexdef(oid, n, false) from generate_series(1, indnkeyatts) n) end as columns
    from pg_index inner join pg_class on oid = indexrelid where indrelid = ${name}::regclass`;
  const keys = await tx<ForeignKey[]>`
    select conname as name, confrelid::regclass::text as table,
      parts[1] as columns, parts[2] as referenced, parts[3] as actions
    from pg_constraint, regexp_match(pg_get_constraintdef(oid), 'KEY \\(([^)]*)\\) REFERENCES [^(]+\\(([^)]*)\\)(.*)') as parts
    where conrelid = ${name}::regclass and contype = 'f'`;
  const triggers = await tx<{ definition: string }[]>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${name}::regclass and not tgisinternal`;
  const { mayLackSeller } = column!;
  return { name, mayLackSeller, indexes, keys, triggers: triggers.map(({ definition }) => definition) };
}

async function rebuild(tx: TransactionSql, { name, indexes, mayLackSeller }: Table): Promise<void> {
  await tx.unsafe(`alter table "${name}_new" rename to ${name}`);
  for (let part = 0; part < PARTITIONS; part += 1) {
    await tx.unsafe(`create table part_${part}.${name} partition of ${name}
      for values with (modulus ${PARTITIONS}, remainder ${part})`);
  }
  for (const index of indexes) {
    const { columns } = index;
    const hasSeller = !columns || columns.includes("seller_id");
    const all = hasSeller ? columns : [...columns, "seller_id"];
    if (index.isPrimary && !mayLackSeller) {
      await tx.unsafe(`alter table ${name} add constraint ${index.name} primary key (${all})`);
    } else if (hasSeller) {
      await tx.unsafe(index.definition);
    } else {
      const nulls = mayLackSeller ? "nulls not distinct" : "";
      const where = index.where ? `where ${index.where}` : "";
      await tx.unsafe(`create unique index ${index.name} on ${name} (${all}) ${nulls} ${where}`);
    }
  }
}

/** Errors name the index of the partition: it has the name of the one that it is a part of, in its own schema. */
async function renameIndexes(tx: TransactionSql): Promise<void> {
  const parts = await tx<{ part: string; parent: string }[]>`
    select inhrelid::regclass::text as part, parent.relname as parent
    from pg_inherits inner join pg_class part on part.oid = inhrelid
      inner join pg_class parent on parent.oid = inhparent and parent.relkind = 'I'
    where part.relname <> parent.relname`;
  for (const { part, parent } of parts) await tx.unsafe(`alter index ${part} rename to ${parent}`);
}

async function addForeignKey(tx: TransactionSql, name: string, key: ForeignKey, isPartitioned: boolean) {
  const seller = isPartitioned ? "seller_id, " : "";
  await tx.unsafe(`alter table ${name} add constraint ${key.name} foreign key (${seller}${key.columns})
    references ${key.table} (${seller}${key.referenced})${key.actions}`);
  if (isPartitioned && key.actions.includes("ON DELETE CASCADE")) await cascadeWithoutSeller(tx, name, key);
}

/** A key that contains a seller does not hold for a row of none, such as a platform mail in the queue: it is deleted here. */
async function cascadeWithoutSeller(
  tx: TransactionSql,
  name: string,
  { name: key, table, columns, referenced }: ForeignKey,
) {
  await tx.unsafe(`create function cascade_${key}() returns trigger language plpgsql as $$
    begin delete from ${name} where seller_id is null and ${columns} = old.${referenced}; return null; end $$;
    create trigger cascade_${key} after delete on ${table} for each row when (old.seller_id is null)
      execute function cascade_${key}()`);
}
