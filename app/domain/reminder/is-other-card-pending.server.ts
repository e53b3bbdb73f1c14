import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isCardPendingElsewhere } from "#app/domain/mail/queue/unpaid-order-mails.server.ts";

/** Whether the buyer pays for the same with a card in another order, which is not decided: both would be bought. */
export async function isOtherCardPending(sellerId: string, saleId: string): Promise<boolean> {
  const [found] = await db.execute(
    sql`select from ${sales} s where s.seller_id = ${sellerId} and s.id = ${saleId} and ${isCardPendingElsewhere}`,
  );
  return found !== undefined;
}
