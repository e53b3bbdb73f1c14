import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * Queues the seller's notice that a refund they asked for was never confirmed, once a request. Sent whatever notices they
 * want: only they can bring it to an end. Money in cents.
 */
export async function unconfirmedRefundMail(
  tx: Db,
  saleId: string,
  refund: { chargeId: string; amountCents: number; requestedAt: Date },
): Promise<void> {
  const sale = await readMailedSale(tx, eq(sales.id, saleId));
  if (!sale) return;
  const amount = formatMoney(refund.amountCents);
  const buyer = [sale.customerName, sale.customerEmail].filter(Boolean).map(escapeHtml).join(", ");
  await queueMail(tx, {
    kind: "unconfirmed-refund",
    idempotencyKey: `unconfirmed-refund/${refund.chargeId}/${refund.requestedAt.getTime()}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    mail: {
      subject: `Reembolso não confirmado: ${amount} (${sale.lines[0]?.name ?? ""})`,
      html: mailLayout({
        title: "Um reembolso não foi confirmado",
        preview: `O provedor não confirmou a devolução de ${amount}.`,
        bodyHtml: [
          paragraph(
            `O reembolso de <strong>${amount}</strong> pedido em ${formatDateTime(refund.requestedAt)} não foi confirmado pelo provedor de pagamento, e paramos de esperar.`,
          ),
          paragraph(
            "Confira no painel do provedor se o valor voltou ao comprador. Se voltou, marque como reembolsado na tela da venda; se não, tente de novo por lá.",
          ),
          linesTable(sale.lines, sale.amountCents),
          buyer ? paragraph(`Comprador: ${buyer}`) : "",
          mailButton("Abrir a venda", env.APP_URL + paths.sale(saleId)),
        ].join("\n"),
        footerHtml: "Você recebe este aviso porque pediu este reembolso.",
      }),
    },
  });
}
