import { and, eq, gt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/layout.server.ts";
import { linesTable } from "#app/domain/mail/lines-table.server.ts";
import { queueMail } from "#app/domain/mail/queue-mail.server.ts";
import { readMailedSale } from "#app/domain/sales/read-mailed-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** A broken gateway fails every order: one notice an hour says it. */
const AT_MOST_EVERY = HOUR;

/**
 * Queues the seller's notice that an order could not be paid, where they want such notices. `reason` is Portuguese.
 * Once a sale, and at most once an hour.
 */
export async function failedPaymentMail(tx: Db, saleId: string, reason: string): Promise<void> {
  const sale = await readMailedSale(tx, eq(sales.id, saleId));
  if (!sale?.notifyFailedPayment) return;
  const [recent] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.sellerId, sale.sellerId),
        gt(mails.createdAt, new Date(Date.now() - AT_MOST_EVERY)),
        eq(mails.kind, "failed-payment"),
      ),
    )
    .limit(1);
  if (recent) return;
  const buyer = [sale.customerName, sale.customerEmail].filter(Boolean).map(escapeHtml).join(", ");
  await queueMail(tx, {
    kind: "failed-payment",
    idempotencyKey: `failed-payment/${saleId}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    saleId,
    mail: {
      subject: `Pagamento não concluído: ${formatMoney(sale.amountCents)} (${sale.lines[0]?.name ?? ""})`,
      html: mailLayout({
        title: "Um pagamento falhou",
        preview: reason,
        bodyHtml: [
          paragraph(escapeHtml(reason)),
          linesTable(sale.lines, sale.amountCents),
          buyer ? paragraph(`Comprador: ${buyer}`) : "",
          paragraph(
            "Se outros pedidos falharem na próxima hora, não escrevemos de novo: confira a conexão agora.",
          ),
          mailButton("Conferir a conexão", env.APP_URL + paths.settings("gateways")),
        ].join("\n"),
        footerHtml:
          "Você recebe este aviso porque as notificações de pagamento falho estão ligadas em Configurações.",
      }),
    },
  });
}
