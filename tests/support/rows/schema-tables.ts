import { globSync } from "node:fs";
import { is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";

export type SchemaTable = ReturnType<typeof getTableConfig>;

const modules = await Promise.all(
  globSync("app/db/schema/*.server.ts").map((file) => import(/* @vite-ignore */ `../../../${file}`)),
);

/** Every table as the schema declares it; its columns have the names they have in TypeScript. */
export const schemaTables: SchemaTable[] = modules
  .flatMap((module) => Object.values(module))
  .filter((value): value is PgTable => is(value, PgTable))
  .map((table) => getTableConfig(table));

/** A column's name in Postgres. */
export const columnName = (name: string) => toSnakeCase(name);

/**
 * The columns of a table, by their names in TypeScript, that hold text or JSON that may be more than a constant of
 * ours.
 */
export function textsOf({ columns }: SchemaTable): string[] {
  return columns
    .filter((column) => /text|json|char|bytea|inet/.test(column.getSQLType()))
    .filter((column) => !column.enumValues?.length)
    .map(({ name }) => name);
}

/** `table.column` of every column of the schema that holds sealed text, as Postgres calls it. */
export const sealedColumns = schemaTables.flatMap(({ name, columns }) =>
  columns
    .filter((column) => column.name.endsWith("Sealed"))
    .map((column) => `${name}.${columnName(column.name)}`),
);
