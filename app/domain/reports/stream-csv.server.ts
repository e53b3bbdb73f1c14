import { methodLabel, statusLabel } from "#app/domain/reports/labels.ts";
import { type ListedSale, listSales } from "#app/domain/reports/list-sales.server.ts";
import type { SaleCursor, SalesFilter } from "#app/domain/reports/sales-filter.ts";
import { CSV_BOM, csvRow } from "#app/kit/csv.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { toMoneyField } from "#app/kit/money.ts";
import { formatPhone } from "#app/kit/phone.ts";

const COLUMNS = [
  "Data",
  "Produto",
  "Cliente",
  "Email",
  "Valor",
  "Status",
  "Método",
  "Devolvido",
  "Taxa",
  "Líquido",
  "Telefone",
  "CPF/CNPJ",
  // Last, so that they move no existing column. `Recebido` less `Devolvido` less `Taxa` is `Líquido`.
  "Recebido",
  "Cupom",
  "Desconto",
  "Oferta",
  "Quantidade",
];
/** Rows read at once: all that is in memory, however long the file. They hold the thread for about eight milliseconds. */
const BATCH_SIZE = 200;

/**
 * Every sale of a filter as CSV, newest first, in pieces of at most 200 rows. Each piece is read by its cursor when
 * it is requested, so a slow download uses no connection to the database in between.
 */
export async function* streamCsv(sellerId: string, filter: SalesFilter): AsyncGenerator<string> {
  let head = CSV_BOM + csvRow(COLUMNS);
  let before: SaleCursor | null = null;
  do {
    const { items, older } = await listSales(sellerId, filter, { limit: BATCH_SIZE, before });
    yield head + items.map(toRow).join("");
    head = "";
    before = older;
  } while (before);
}

function toRow(sale: ListedSale): string {
  return csvRow([
    formatDateTime(sale.createdAt),
    sale.productName,
    sale.customerName ?? "",
    sale.customerEmail ?? "",
    toMoneyField(sale.amountCents),
    statusLabel(sale.status),
    methodLabel(sale.paymentMethod),
    toMoneyField(sale.refundedCents),
    sale.feeCents === null ? "" : toMoneyField(sale.feeCents),
    sale.netCents === null ? "" : toMoneyField(sale.netCents),
    formatPhone(sale.customerPhone ?? ""),
    sale.documentMask ?? "",
    toMoneyField(sale.receivedCents),
    sale.couponCode ?? "",
    sale.couponCode === null ? "" : toMoneyField(sale.discountCents),
    sale.offerName ?? "",
    String(sale.quantity),
  ]);
}
