import { randomUUID } from "node:crypto";
import { seal as sealNow } from "#app/platform/secrets.server.ts";
import { sql } from "#tests/support/database.ts";
import { columnName, type SchemaTable, schemaTables } from "#tests/support/rows/schema-tables.ts";

type Column = SchemaTable["columns"][number];
/** Values by the column's name in TypeScript. */
type Values = Record<string, unknown>;

/**
 * Columns that cannot hold arbitrary values, or tables whose CHECK forbids a row in which every column is full: the
 * rows' values. Tables that are not named here have one row.
 */
const ROWS: Record<string, Values[]> = {
  sales: [
    { status: "disputed", refundedAt: null },
    { status: "refunded", accessSuspendedAt: null },
  ],
  charges: [
    { status: "paid", method: "card", failureKind: null, declineReason: null },
    {
      status: "failed",
      method: "card",
      paidAt: null,
      paidCents: null,
      overpaidAt: null,
      declineReason: null,
    },
    {
      status: "declined",
      method: "card",
      failureKind: null,
      paidAt: null,
      paidCents: null,
      overpaidAt: null,
    },
  ],
  refunds: [{ status: "done", origin: "automatic" }],
  coupons: [{ amountCents: null }, { percent: null, includesBumps: false }],
  offers: [{ minQuantity: 1, maxQuantity: 1 }],
  disputes: [{ status: "won" }],
  contents: [
    { orderBumpId: null, upsellId: null },
    { productId: null, upsellId: null },
    { productId: null, orderBumpId: null },
  ],
  content_items: [
    { kind: "file", url: null, html: null },
    { kind: "link", fileId: null, html: null },
    { kind: "text", fileId: null, url: null },
  ],
  mails: [{ status: "sent", kind: "purchase" }],
  deliveries: [{ status: "sent" }],
};

/**
 * JSON of which only a part is erased with the buyer, as it is stored. `text` makes a text, `sealed` an encrypted
 * one.
 */
const JSON_OF: Record<string, (text: () => string, sealed: () => string) => unknown> = {
  "sale_events.data": (text) => ({ from: text() }),
  "charge_events.data": (text) => ({ detail: text() }),
  "deliveries.attemptLog": () => [{ at: new Date(), result: "answer", status: 500, ms: 12 }],
};

/**
 * Fills every column of every table of the schema, so that a future table or column is tested automatically. Rows
 * belong together by their keys: all is of one seller and one sale.
 * @param fixed by table: further values of its rows, or which rows it has; null leaves a column empty
 * @param seal makes the text of a column whose name marks it as encrypted
 * @returns the first row of each table
 * @throws Error naming a column that no row fills
 */
export async function fillTables(
  fixed: Record<string, Values | Values[]> = {},
  seal: (plain: string) => string = sealNow,
): Promise<Record<string, Values>> {
  const first: Record<string, Values> = {};
  for (const table of schemaTables) first[table.name] = await keysOf(table);
  await sql.begin(async (tx) => {
    // Nothing is derived from these rows, and they may be written in any order.
    await tx`set local session_replication_role = replica`;
    for (const table of schemaTables) {
      const full = new Set<string>();
      const own = fixed[table.name] ?? {};
      const rows = Array.isArray(own) ? own : (ROWS[table.name] ?? [{}]).map((row) => ({ ...row, ...own }));
      for (const [at, values] of rows.entries()) {
        const keys = at === 0 ? first[table.name]! : await keysOf(table);
        const row: Values = {};
        for (const column of table.columns) {
          row[column.name] =
            column.name in values
              ? values[column.name]
              : (keys[column.name] ?? parentKey(table, column, first) ?? sample(table, column, seal));
          if (row[column.name] !== null) full.add(column.name);
        }
        if (at === 0) first[table.name] = row;
        const json = JSON.stringify(
          Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value])),
        );
        await tx`insert into ${tx(table.name)} overriding system value
          select * from jsonb_populate_record(null::${tx(table.name)}, ${json}::text::jsonb)`;
      }
      const empty = table.columns.filter(
        ({ name }) => !full.has(name) && ![own].flat().some((row) => row[name] === null),
      );
      if (empty.length > 0)
        throw new Error(
          `no row of ${table.name} fills ${empty.map(({ name }) => name).join(", ")}: give it one in ROWS of tests/support/rows/fill-tables.ts`,
        );
    }
  });
  return first;
}

/** What other rows refer to: random, or the next of a sequence. */
async function keysOf({ name, columns, foreignKeys }: SchemaTable): Promise<Values> {
  const keys: Values = {};
  for (const column of columns) {
    if (column.generatedIdentity) {
      const [row] =
        await sql`select nextval(pg_get_serial_sequence(${name}, ${columnName(column.name)}))::int as id`;
      keys[column.name] = row!.id;
    } else if (column.name === "id" && column.getSQLType() === "uuid" && !isForeignKey(foreignKeys, column))
      keys.id = randomUUID();
  }
  return keys;
}

const isForeignKey = (foreignKeys: SchemaTable["foreignKeys"], column: Column) =>
  foreignKeys.some((key) => key.reference().columns.some(({ name }) => name === column.name));

/** The key that a column refers to: by its foreign key, or, without one, by its name. */
function parentKey(table: SchemaTable, column: Column, first: Record<string, Values>): unknown {
  for (const key of table.foreignKeys) {
    const { columns, foreignColumns, foreignTable } = key.reference();
    const at = columns.findIndex(({ name }) => name === column.name);
    const parent = schemaTables.find(({ columns: [any] }) => any!.table === foreignTable)!.name;
    if (at >= 0) return first[parent]![foreignColumns[at]!.name];
  }
  const parent = first[`${column.name.replace(/Id$/, "")}s`];
  return column.name.endsWith("Id") && column.getSQLType() === "uuid"
    ? (parent?.id ?? randomUUID())
    : undefined;
}

function sample(table: SchemaTable, column: Column, seal: (plain: string) => string): unknown {
  const at = `${table.name}.${column.name}`;
  const text = () => `${at} ${randomUUID()}`;
  const sealed = () => seal(text());
  const type = column.getSQLType();
  if (column.enumValues?.length) return type.endsWith("[]") ? [column.enumValues[0]] : column.enumValues[0];
  if (/^(text|varchar)/.test(type)) {
    if (type.endsWith("[]")) return [text()];
    return column.name.endsWith("Sealed") ? sealed() : text();
  }
  if (/^(bigint|integer|smallint)/.test(type)) return type.endsWith("[]") ? [1] : 1;
  if (type === "boolean") return true;
  if (type === "uuid") return randomUUID();
  if (type === "uuid[]") return [randomUUID()];
  if (type === "date" || type.startsWith("timestamp")) return new Date();
  if (type === "jsonb") return (JSON_OF[at] ?? (() => ({ text: text() })))(text, sealed);
  throw new Error(
    `no sample for ${at}, a column of type ${type}: give it one in tests/support/rows/fill-tables.ts`,
  );
}
