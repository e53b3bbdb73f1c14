import { sql } from "drizzle-orm";
import { batchDb, type Db } from "#app/db/client.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { isRotatingSecret } from "#app/platform/secrets.server.ts";

const BATCH_SIZE = 1000;

/**
 * While APP_SECRET is being changed: hashes the opted-out addresses with the new secret. The addresses themselves are not
 * stored, so all buyers of the seller are hashed and compared.
 * @returns how many were rehashed, and how many are of buyers who are not stored any more: by which secret those are hashed
 * is unknown
 */
export async function rehashOptOuts(): Promise<{ rehashed: number; unknown: number }> {
  const sellers = await batchDb.execute<{ id: string; hashes: string[] }>(
    sql`select seller_id as id, jsonb_agg(email_hash) as hashes from reminder_opt_outs group by seller_id`,
  );
  let rehashed = 0;
  let unknown = 0;
  for (const { id, hashes } of sellers) {
    const left = new Set(hashes);
    let last = "";
    let rows: { email: string }[];
    do {
      // The operators of the index on a seller's buyers.
      rows = await batchDb.execute<{ email: string }>(sql`
        select distinct on (email) email from (
          select customer_email as email from sales
          where seller_id = ${id} and customer_email ~>~ ${last} order by customer_email using ~<~ limit ${BATCH_SIZE}
        ) s order by email using ~<~`);
      const emails = rows.map(({ email }) => email);
      rehashed += await rehashOptOutsOf(batchDb, id, emails);
      for (const hash of emails.flatMap(computeAddressHashes)) left.delete(hash);
      last = emails.at(-1) ?? "";
    } while (last !== "");
    unknown += left.size;
  }
  return { rehashed, unknown };
}

/**
 * The same for these buyers of a seller: also before their addresses are removed, since it cannot be done later.
 * @returns how many were rehashed
 */
export async function rehashOptOutsOf(tx: Db, sellerId: string, emails: string[]): Promise<number> {
  if (!isRotatingSecret) return 0;
  const hashes = emails.flatMap((email) => {
    const [now, ...others] = computeAddressHashes(email);
    return others.map((was) => ({ was, now }));
  });
  if (hashes.length === 0) return 0;
  const [done] = await tx.execute<{ count: number }>(sql`
    with fresh as (
      select distinct was, now from jsonb_to_recordset(${JSON.stringify(hashes)}::text::jsonb) as f (was text, now text)
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
