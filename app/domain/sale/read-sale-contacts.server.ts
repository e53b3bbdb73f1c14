import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** Who is told of what becomes of a sale. Nothing here is drawn: no name, no text, no template. */
export type SaleContacts = {
  id: string;
  status: SaleStatus;
  sellerId: string;
  parentSaleId: string | null;
  customerEmail: string | null;
  sellerEmail: string;
  notifyNewSale: boolean;
  notifyFailedPayment: boolean;
};

/** What a query of sales and their sellers reads of them. */
export const saleContacts = {
  id: sales.id,
  status: sales.status,
  sellerId: sales.sellerId,
  parentSaleId: sales.parentSaleId,
  customerEmail: sales.customerEmail,
  sellerEmail: sellers.email,
  notifyNewSale: sellers.notifyNewSale,
  notifyFailedPayment: sellers.notifyFailedPayment,
};

/** One sale's; null where there is none. */
export async function readSaleContacts(tx: Db, saleId: string): Promise<SaleContacts | null> {
  const [row] = await tx
    .select(saleContacts)
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  return row ?? null;
}
