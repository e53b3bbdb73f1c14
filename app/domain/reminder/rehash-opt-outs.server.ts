import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";

const BATCH_SIZE = 1000;

/**
 * While APP_SECRET is being changed: hashes the opted-out addresses with the new secret. The addresses themselves are not
 * stored, so all buyers of the seller are hashed and compared.
 * @returns how many were rehashed
 */
export async function rehashOptOuts(): Promise<number> {
  const sellers = await batchDb.execute<{ id: string }>(
    sql`select distinct seller_id as id from reminder_opt_outs`,
  );
  let count = 0;
  for (const { id } of sellers) {
    let last = "";
    let emails: { email: string }[];
    do {
      // The operators of the index on a seller's buyers.
      emails = await batchDb.execute<{ email: string }>(sql`
        select distinct on (email) email from (
          select customer_email as email from sales
          where seller_id = ${id} and customer_email ~>~ ${last} order by customer_email using ~<~ limit ${BATCH_SIZE}
        ) s order by email using ~<~`);
      count += await rehashBatch(
        id,
        emails.map(({ email }) => email),
      );
      last = emails.at(-1)?.email ?? "";
    } while (last !== "");
  }
  return count;
}

async function rehashBatch(sellerId: string, emails: string[]): Promise<number> {
  const hashes = emails.flatMap((email) => {
    const [now, ...others] = computeAddressHashes(email);
    return others.map((was) => ({ was, now }));
  });
  if (hashes.length === 0) return 0;
  const [done] = await batchDb.execute<{ count: number }>(sql`
    with fresh as (
      select * from jsonb_to_recordset(${JSON.stringify(hashes)}::text::jsonb) as f (was text, now text)
    ), deleted as (
      delete from reminder_opt_outs o using fresh
      where o.seller_id = ${sellerId} and o.email_hash = fresh.was returning fresh.now, o.at
    ), inserted as (
      insert into reminder_opt_outs (seller_id, email_hash, at) select ${sellerId}, now, at from deleted
      on conflict do nothing
    )
    select count(*)::int as count from deleted`);
  return done!.count;
}
