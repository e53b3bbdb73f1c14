import { sql } from "drizzle-orm";
import { adHoc } from "#app/db/client.server.ts";
import { addressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";

const AT_ONCE = 1000;

/**
 * While one secret gives way to another: hashes with the new one the addresses of those who asked for no reminders. Which
 * addresses these are is written nowhere, so all buyers of the seller are tried.
 * @returns how many were hashed anew
 */
export async function resignOptOuts(): Promise<number> {
  const sellers = await adHoc.execute<{ id: string }>(
    sql`select distinct seller_id as id from reminder_opt_outs`,
  );
  let count = 0;
  for (const { id } of sellers) {
    let last = "";
    let emails: { email: string }[];
    do {
      // The operators of the index that finds a seller's buyers.
      emails = await adHoc.execute<{ email: string }>(sql`
        select distinct on (email) email from (
          select customer_email as email from sales
          where seller_id = ${id} and customer_email ~>~ ${last} order by customer_email using ~<~ limit ${AT_ONCE}
        ) s order by email using ~<~`);
      count += await resign(
        id,
        emails.map(({ email }) => email),
      );
      last = emails.at(-1)?.email ?? "";
    } while (last !== "");
  }
  return count;
}

async function resign(sellerId: string, emails: string[]): Promise<number> {
  const hashes = emails.flatMap((email) => {
    const [now, ...others] = addressHashes(email);
    return others.map((was) => ({ was, now }));
  });
  if (hashes.length === 0) return 0;
  const [done] = await adHoc.execute<{ count: number }>(sql`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(hashes)}::text::jsonb) as f (was text, now text)
    ), gone as (
      delete from reminder_opt_outs o using fresh
      where o.seller_id = ${sellerId} and o.email_hash = fresh.was returning fresh.now, o.at
    ), kept as (
      insert into reminder_opt_outs (seller_id, email_hash, at) select ${sellerId}, now, at from gone
      on conflict do nothing
    )
    select count(*)::int as count from gone`);
  return done!.count;
}
