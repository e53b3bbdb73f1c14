import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { buildMailValues, chooseSaleSender } from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/** To the buyer: the shop was closed, and until when their access lasts. */
export function renderShopClosedMail(sale: MailedSale, { closedAt }: MailData["shop-closed"]): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const shop = escapeHtml(sale.brandName);
  const day = formatDate(anonymizationDate(new Date(closedAt)));
  const portal = env.APP_URL + paths.purchases();
  return {
    ...chooseSaleSender(sale, values),
    subject: `Baixe o que você comprou até ${day}: ${values.product_name}`,
    html: renderMailLayout({
      title: "Seu acesso tem data para terminar",
      preview: `${sale.brandName} encerrou a loja. O acesso vale até ${day}.`,
      bodyHtml: [
        renderParagraph(
          `${greeting(sale.customerName)} ${shop} encerrou a loja. O seu acesso ao que você comprou lá, como <strong>${escapeHtml(values.product_name)}</strong>, termina em <strong>${day}</strong>.`,
        ),
        renderParagraph(
          "Até lá, abra a página da compra, baixe os arquivos e guarde os links e textos. Depois não será possível recuperá-los.",
        ),
        renderMailButton("Abrir a minha compra", values.product_file_url),
        renderParagraph(
          `Comprou mais de uma vez? Tudo está em <a href="${portal}">Minhas compras</a>, com os recibos em PDF. Um pedido de devolução também se faz lá, até essa data.`,
        ),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${shop}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}
