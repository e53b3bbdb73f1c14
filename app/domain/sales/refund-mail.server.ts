import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { greeting } from "#app/domain/mail/greeting.ts";
import { mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { mailValues, senderOf } from "#app/domain/sales/mail-values.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** Queues the buyer's notice that their money was given back, in the transaction that notes the refund. Once a sale. */
export async function refundMail(tx: Db, saleId: string): Promise<void> {
  const sale = await readMailedSale(tx, eq(sales.id, saleId));
  if (!sale?.customerEmail) return;
  const values = mailValues(sale, sale.completedAt ?? sale.createdAt);
  const product = escapeHtml(values.product_name);
  await queueMail(tx, {
    kind: "refund",
    idempotencyKey: `refund/${saleId}`,
    recipient: sale.customerEmail,
    sellerId: sale.sellerId,
    saleId,
    mail: {
      ...senderOf(sale, values),
      subject: `Seu reembolso de ${values.product_name}`,
      html: mailLayout({
        title: "Reembolso feito",
        preview: `${values.amount_formatted} voltaram para você.`,
        bodyHtml: [
          paragraph(
            `${greeting(sale.customerName)} O valor de <strong>${values.amount_formatted}</strong> da sua compra de ${product} foi devolvido por PIX à conta que pagou.`,
          ),
          linesTable(sale.lines, sale.amountCents),
          paragraph("Com o reembolso, o acesso ao conteúdo foi encerrado."),
          paragraph("Não reconhece este reembolso ou ficou com dúvida? Responda a este e-mail."),
        ].join("\n"),
        footerHtml: `Compra de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da transação: ${sale.id}`,
      }),
    },
  });
}
