import { erasureQueue } from "#app/domain/erasure/erase-buyer.server.ts";
import { mailClosing } from "#app/domain/erasure/mail-closing.server.ts";
import { sql } from "#tests/support/database.ts";
import { markSent } from "#tests/support/rows/make-mail.ts";

/** Processes the erasure request of this address once, as a worker does; false if there is none (any more). */
export async function runErasurePass(email: string): Promise<boolean> {
  await sql`update erasures set scheduled_at = date_trunc('milliseconds', now()) - interval '1 second' where email = ${email}`;
  const claimed = await erasureQueue.claim(50);
  const own = claimed.find((erasure) => erasure.email === email);
  if (own) await erasureQueue.handle(own);
  return own !== undefined;
}

/** Runs passes until the request is gone, with the usual time between them. */
export async function eraseWholly(email: string): Promise<void> {
  for (let passes = 0; await runErasurePass(email); passes++) {
    if (passes > 5) throw new Error(`${email} is not forgotten after ${passes} turns`);
    for (const { id } of await sql`select id from mails where recipient = ${email} and status = 'attempting'`)
      await markSent(id);
    await sql`update sales set completed_at = completed_at - interval '1 day' where customer_email = ${email}`;
    await sql`update sales set anonymized_at = anonymized_at - interval '2 hours'
      where anonymized_as = (select id::text from erasures where email = ${email})`;
  }
}

/** The tables and rows that contain one of these texts, anywhere in the database. */
export async function findTexts(texts: string[]): Promise<string[]> {
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

/** Runs the queued jobs that mail the buyers of a closed shop, or of a reopened one, as a worker does later. @returns how many there were */
export async function mailClosings(sellerId: string, job = mailClosing): Promise<number> {
  for (let ran = 0; ; ran++) {
    const [queued] = await sql`delete from graphile_worker._private_jobs where id = (
      select j.id from graphile_worker._private_jobs j inner join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${job.name} and j.payload ->> 'sellerId' = ${sellerId} order by j.id limit 1) returning payload`;
    if (!queued) return ran;
    if (ran > 5) throw new Error(`the buyers of ${sellerId} are not mailed after ${ran} batches`);
    await job.handle(queued.payload, { number: 1, last: false });
  }
}
