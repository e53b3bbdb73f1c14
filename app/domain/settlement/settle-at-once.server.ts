import { sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { movingCharge } from "#app/domain/charge/move-charge.server.ts";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { judgePayment } from "#app/domain/sale/judge-payment.ts";
import { mailsOfPayment } from "#app/domain/sale/mark-sale-paid.server.ts";
import { movingSale } from "#app/domain/sale/move-sale.server.ts";
import type { SaleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";

/** A charge and its sale as they were read before the provider was asked. Money in cents. */
export type ReadPayment = {
  charge: { id: string; status: ChargeStatus; amountCents: number };
  sale: SaleContacts;
};

/**
 * Books the usual payment, the whole of it and the first of its sale, in one statement: it locks charge and sale, in the order
 * in which all lock them, and moves them where both are still as they were read, and the mails go to whom they would go now.
 * @returns false where something is otherwise, or the payment is another: nothing was written then
 */
export async function settleAtOnce(
  { charge, sale }: ReadPayment,
  paid: ProviderTransaction,
): Promise<boolean> {
  if (paid.state !== "paid" || paid.refundedCents) return false;
  if (judgePayment(charge, sale, paid.amountCents) !== "counts") return false;
  const at = new Date();
  const { providerId, amountCents: paidCents, feeCents } = paid;
  // A look that is due again means news that came since: this statement may not see them.
  const isAsRead = sql`${charges.id} = ${charge.id} and ${charges.status} = ${charge.status}
    and ${charges.amountCents} = ${charge.amountCents}
    and (${charges.nextCheckAt} is null or ${charges.nextCheckAt} > clock_timestamp())
    and ${sales.id} = ${sale.id} and ${sales.status} = ${sale.status}
    and ${sales.customerEmail} is not distinct from ${sale.customerEmail}
    and ${sellers.email} = ${sale.sellerEmail} and ${sellers.notifyNewSale} = ${sale.notifyNewSale}`;
  const held = db
    .select({ id: charges.id })
    .from(charges)
    .innerJoin(sales, sql`${sales.id} = ${charges.saleId}`)
    .innerJoin(sellers, sql`${sellers.id} = ${sales.sellerId}`)
    .where(isAsRead)
    .for("no key update", { of: [charges, sales] });
  const came = { to: "paid", providerId, paidCents, feeCents, at, surplus: false } as const;
  const charged = movingCharge(charge, came, "provider", sql`held`);
  const completed = { to: "completed", at, feeCents } as const;
  const sold = movingSale(sale, completed, "provider", mailsOfPayment(sale, at), sql`moved`);
  const rows = await db.execute(sql`
    with held as materialized ${held}, ${charged}, ${sold.parts}
    select ${sold.told} from moved_sale`);
  return rows.length > 0;
}
