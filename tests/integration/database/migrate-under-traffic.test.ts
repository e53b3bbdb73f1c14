import { expect, test } from "vitest";
import { migrate } from "#app/db/migrate.server.ts";
import { laterVersion } from "#tests/integration/database/later-version.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { order } from "#tests/support/clients/sold-through.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";

/** Two migrations as a later version may bring them: columns and a rule, then an index of a table that may be large. */
const LATER = {
  "9998_columns": [
    `alter table "sales" add column "later_note" text`,
    `alter table "sales" add constraint "sales_later_note_check" check ("later_note" <> '') not valid`,
  ],
  "9999_index": [`create index concurrently "sales_later_note_index" on "sales" ("later_note")`],
};

test("the previous version keeps selling while a later one migrates, also behind a held lock", async () => {
  const app = await startApp();
  const { product } = await openShop();
  const { folder } = laterVersion(LATER);
  let sold = 0;
  let over = false;
  const failures: string[] = [];
  const buying = (async () => {
    for (let i = 0; !over; i++)
      await order(app.url, product.id, `b${i}@exemplo.com.br`).then(
        () => sold++,
        (error) => failures.push(String(error)),
      );
  })();
  // A report that reads until it has seen what it waits for.
  const reading = await holdLock((tx) => tx`select count(*) from sales`);
  const migrating = migrate({ folder });
  await untilLockedOut();
  const before = sold;
  await until(() => sold > before + 3, {
    what: "orders placed while a migration cannot have the lock that a reader holds",
  });
  expect((await sql`select to_regclass('sales_later_note_index') as built`)[0]!.built).toBeNull();
  await reading.release();
  await migrating;
  const after = sold;
  await until(() => sold > after + 3, { what: "orders placed after the migration" });
  over = true;
  await buying;
  expect(failures).toEqual([]);
  const [index] =
    await sql`select indisvalid from pg_index where indexrelid = 'sales_later_note_index'::regclass`;
  expect(index).toEqual({ indisvalid: true });
  const [column] = await sql`select count(*)::int as n from sales where later_note is null`;
  expect(column!.n).toBeGreaterThanOrEqual(sold);
  expect((await app.fetch("/readyz")).status).toBe(200);
  // Once more changes nothing.
  await migrate({ folder });
});

test("an index left invalid by an interrupted attempt is rebuilt, one that only was not recorded is kept", async () => {
  await sql`create table later_twins (word text)`;
  await sql`insert into later_twins values ('a'), ('a')`;
  await expect(
    sql`create unique index concurrently "later_twins_word" on later_twins (word)`,
  ).rejects.toThrow();
  await sql`delete from later_twins`;
  const { folder, times } = laterVersion({
    "9999_unique": [`create unique index concurrently "later_twins_word" on "later_twins" ("word")`],
  });
  await migrate({ folder });
  const index = () =>
    sql`select indisvalid, indexrelid from pg_index where indexrelid = 'later_twins_word'::regclass`;
  const rebuilt = await index();
  expect(rebuilt).toMatchObject([{ indisvalid: true }]);
  await sql`delete from drizzle.__drizzle_migrations where created_at = ${times[0]!}`;
  await migrate({ folder });
  expect(await index()).toEqual(rebuilt);
});

test("many processes that migrate at once do it once", async () => {
  const { folder } = laterVersion({ "9999_once": [`create table "later_once" ("id" int)`] });
  await Promise.all([1, 2, 3, 4].map(() => migrate({ folder })));
  const rows = await sql`select to_regclass('later_once') as there`;
  expect(rows[0]!.there).toBe("later_once");
});
