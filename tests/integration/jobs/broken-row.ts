import { sql } from "#tests/support/database.ts";

/**
 * Has a row's every change fail while `work` runs, as a constraint or a statement that takes too long would.
 * @param condition on `old` or `new`, which are both the changed row where there is only one of them
 */
export async function withBrokenRow(
  table: string,
  event: "insert" | "update" | "delete",
  condition: string,
  work: () => Promise<void>,
): Promise<void> {
  await sql.unsafe(`create function broken_row() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise 'broken by a test'; end if;
      return ${event === "delete" ? "old" : "new"};
    end $$`);
  await sql.unsafe(
    `create trigger broken_row before ${event} on ${table} for each row execute function broken_row()`,
  );
  try {
    await work();
  } finally {
    await sql`drop function broken_row cascade`;
  }
}
