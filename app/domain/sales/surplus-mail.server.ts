import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Queues the seller's notice that a sale was paid once more: money to give back. Once a charge, and never switched off. */
export async function surplusMail(
  tx: Tx,
  { saleId, chargeId, amountCents }: { saleId: string; chargeId: string; amountCents: number },
): Promise<void> {
  const sale = await readMailedSale(tx, eq(sales.id, saleId));
  if (!sale) throw new Error(`sale ${saleId} is gone`);
  const amount = formatMoney(amountCents);
  const buyer = [sale.customerName, sale.customerEmail].filter(Boolean).map(escapeHtml).join(", ");
  await queueMail(tx, {
    kind: "surplus",
    idempotencyKey: `surplus/${chargeId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    mail: {
      subject: `Pagamento em dobro: devolva ${amount} (${sale.lines[0]?.name ?? ""})`,
      html: mailLayout({
        title: "Um pedido foi pago duas vezes",
        preview: `Devolva ${amount} ao comprador`,
        bodyHtml: [
          paragraph(
            `Chegou mais um pagamento de <strong>${amount}</strong> para um pedido que já tinha sido pago: o comprador pagou dois códigos PIX. A venda conta uma vez só; este valor deve ser devolvido.`,
          ),
          linesTable(sale.lines, sale.amountCents),
          buyer ? paragraph(`Comprador: ${buyer}`) : "",
          mailButton("Devolver o pagamento", env.APP_URL + paths.sale(saleId)),
        ].join("\n"),
        footerHtml: "Você recebe este aviso porque há dinheiro a devolver.",
      }),
    },
  });
}
