import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";

/** Who is notified of a sale's changes. No name and no template: mails are rendered when they are sent. */
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

/** The columns of `SaleContacts`, for a query on sales and sellers. */
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

/** The contacts of one sale; null where there is none. */
export async function readSaleContacts(tx: Db, saleId: string): Promise<SaleContacts | null> {
  const [row] = await tx
    .select(saleContacts)
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  return row ?? null;
}
