import { Placeholder, type SQL, sql } from "drizzle-orm";
import {
  alias,
  customType,
  integer,
  jsonb,
  numeric,
  PgDialect,
  pgEnum,
  pgSchema,
  pgTable,
  pgView,
  QueryBuilder,
  text,
  timestamp,
} from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { writeSqlFaster } from "#app/db/write-sql.server.ts";
import { fc } from "#tests/support/random.ts";

const casing = "snake_case";
const doubled = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => sql`lower(${value}) || ${value}`,
});
const columns = {
  id: integer().primaryKey(),
  cameAt: timestamp({ withTimezone: true }),
  data: jsonb(),
  price: numeric(),
  tags: text().array(),
  doubled: doubled(),
};
const sales = pgTable("sales", columns);
const elsewhere = pgSchema('an"other').table("old_sales", columns);
const other = alias(sales, "other_sales");
const otherElsewhere = alias(elsewhere, "more");
const mood = pgEnum("mood", ["good", "bad"]);
const few = pgView("few", { id: integer() }).as(sql`select 1 as id`);
const builder = new QueryBuilder({ casing });
const named = builder.$with("named").as(
  builder
    .select({ id: sales.id, one: sql<number>`${1}`.as("one") })
    .from(sales)
    .where(sql`${sales.id} > ${2}`),
);
const inner = builder.select({ id: other.id }).from(other).where(sql`${other.price} = ${"3"}`).as("inner");

const value = fc.oneof(
  fc.constantFrom(null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY, "it's $1", [], {}),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.date(),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => JSON.parse(json)),
  fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
);
const name = fc.constantFrom<unknown>(
  ...[sales, elsewhere, other, otherElsewhere, mood, few, alias(few, "fewer")],
  ...[sales, elsewhere, other, otherElsewhere].flatMap((table) => [table.id, table.cameAt, table.doubled]),
  ...[named, named.id, named.one, inner, inner.id, few.id],
  sql.identifier('a "name"'),
);
const param = fc.oneof(
  value.map((one) => sql.param(one)),
  fc.date({ noInvalidDate: true }).map((date) => sql.param(date, sales.cameAt)),
  fc.json().map((json) => sql.param(JSON.parse(json), sales.data)),
  fc.array(fc.string()).map((tags) => sql.param(tags, sales.tags)),
  fc.string().map((one) => sql.param(one, sales.doubled)),
  fc.string().map((one) => sql.param(one, other.doubled)),
  fc.string().map((one) => sql.placeholder(one)),
  fc.string().map((one) => sql.param(new Placeholder(one), sales.price)),
);
const select = fc.tuple(value, fc.boolean()).map(([one, isSubquery]) => {
  const query = builder
    .with(named)
    .select({ id: sales.id, data: other.data, one: sql`${one}`.as("one") })
    .from(sales)
    .innerJoin(other, sql`${sales.id} = ${other.id} and ${other.price} = ${sql.param(one)}`)
    .limit(3);
  return isSubquery ? query.as("joined") : query;
});
const { part } = fc.letrec<{ part: unknown; statement: SQL }>((tie) => ({
  part: fc.oneof({ maxDepth: 4 }, value, name, param, select, fc.array(tie("part")), tie("statement")),
  statement: fc
    .tuple(
      fc.array(tie("part"), { maxLength: 5 }),
      fc.array(fc.string()),
      fc.constantFrom("", "list", "name"),
    )
    .map(([parts, texts, kind]) => {
      if (kind === "list") return sql.join(parts as SQL[], sql`, `);
      const strings = Array.from({ length: parts.length + 1 }, (_, at) => texts[at] ?? " ");
      const statement = sql(strings as unknown as TemplateStringsArray, ...parts);
      return kind === "name" ? (statement.as("named") as unknown as SQL) : statement;
    }),
}));

/** A statement's text and values, or the error that it ends in. */
function written(dialect: PgDialect, statement: SQL): unknown {
  try {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return { text, params };
  } catch (error) {
    return (error as Error).message;
  }
}

test("a statement is written as Drizzle writes it, whatever its parts are", () => {
  const [ours, drizzles] = [new PgDialect({ casing }), new PgDialect({ casing })];
  writeSqlFaster({ dialect: ours });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, isInline) => {
      const statement = sql.join(parts as SQL[], sql` `);
      const whole = isInline ? sql`${1} ${statement.inlineParams()} ${2}` : statement;
      expect(written(ours, whole)).toEqual(written(drizzles, whole));
    }),
    { numRuns: 500 },
  );
});
