import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { pacedChecks } from "#app/db/schema/charge-checks.server.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/**
 * Schedules checks of a seller's charges at the pace of their accounts (`paced-check-queue`). An earlier scheduled time stays,
 * so that repeating it changes nothing.
 */
export async function scheduleChecks(sellerId: string, chargeIds: string[]): Promise<void> {
  if (chargeIds.length === 0) return;
  await db.execute(sql`
    with scheduled as (
      insert into ${pacedChecks} as p (charge_id, seller_id, provider, scheduled_at)
      select c.id, s.seller_id, c.provider, date_trunc('milliseconds', now())
      from ${charges} c inner join ${sales} s on s.seller_id = c.seller_id and s.id = c.sale_id
      where s.seller_id = ${sellerId} and c.provider_id is not null
        and c.id = any(select jsonb_array_elements_text(${JSON.stringify(chargeIds)}::jsonb)::uuid) order by c.id
      on conflict (seller_id, charge_id) do update set scheduled_at = least(p.scheduled_at, excluded.scheduled_at)
    )
    update ${gatewayAccounts} set next_paced_check_at = least(next_paced_check_at, now() + interval '1 minute')
    where seller_id = ${sellerId}`);
}
