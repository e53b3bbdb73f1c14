import { erasing } from "#app/domain/erasure/erase-buyer.server.ts";
import { sql } from "#tests/support/database.ts";

/** What a worker does about the wish of this address, once; false where there is none (any more). */
export async function turn(email: string): Promise<boolean> {
  await sql`update erasures set due_at = date_trunc('milliseconds', now()) - interval '1 second' where email = ${email}`;
  const due = await erasing.claim(50);
  const own = due.find((erasure) => erasure.email === email);
  if (own) await erasing.handle(own);
  return own !== undefined;
}

/** Turns until the wish is gone, with as much time between them as there would be. */
export async function eraseWholly(email: string): Promise<void> {
  for (let turns = 0; await turn(email); turns++) {
    if (turns > 5) throw new Error(`${email} is not forgotten after ${turns} turns`);
    await sql`update mails set status = 'sent' where recipient = ${email} and status = 'attempting'`;
    await sql`update sales set completed_at = completed_at - interval '1 day' where customer_email = ${email}`;
    await sql`update sales set emptied_at = emptied_at - interval '2 hours'
      where emptied_as = (select id::text from erasures where email = ${email})`;
  }
}

/** The tables and rows in which one of these texts stands, anywhere in the database. */
export async function placesOf(texts: string[]): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`);
    for (const { row } of rows)
      for (const text of texts)
        if (row.toLowerCase().includes(text.toLowerCase()))
          found.push(`${name}: ${text} in ${row.slice(0, 300)}`);
  }
  return found;
}
