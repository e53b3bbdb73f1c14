import { eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/** Whether a seller's overpayments are refunded automatically whatever caused them. @throws Refusal not-found */
export async function findRefundsOverpayments(sellerId: string, tx: Db = db): Promise<boolean> {
  const [seller] = await tx
    .select({ refunds: sellers.refundsOverpayments })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) throw notFound();
  return seller.refunds;
}

/** Saves it for later overpayments; those that arrived before stay with their seller. */
export async function saveRefundsOverpayments(
  sellerId: string,
  refunds: boolean,
  tx: Db = db,
): Promise<void> {
  await tx.update(sellers).set({ refundsOverpayments: refunds }).where(eq(sellers.id, sellerId));
}
