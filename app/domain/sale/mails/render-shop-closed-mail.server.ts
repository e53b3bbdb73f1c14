import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { PlaceholderValues } from "#app/domain/mail/template/placeholders.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { buildMailValues, chooseSaleSender } from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
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
      footerHtml: footerOf(sale, values),
    }),
  };
}

/** To a buyer who got that mail: the shop was reopened, and their access goes on. */
export function renderShopReopenedMail(
  sale: MailedSale,
  { closedAt }: MailData["shop-reopened"],
): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const day = formatDate(anonymizationDate(new Date(closedAt)));
  return {
    ...chooseSaleSender(sale, values),
    subject: `O seu acesso continua: ${values.product_name}`,
    html: renderMailLayout({
      title: "O seu acesso continua",
      preview: `${sale.brandName} reabriu a loja.`,
      bodyHtml: [
        renderParagraph(
          `${greeting(sale.customerName)} ${escapeHtml(sale.brandName)} reabriu a loja. O que você comprou lá, como <strong>${escapeHtml(values.product_name)}</strong>, continua disponível: o acesso não termina mais em ${day}, como dizia o nosso e-mail anterior.`,
        ),
        renderMailButton("Abrir a minha compra", values.product_file_url),
      ].join("\n"),
      footerHtml: footerOf(sale, values),
    }),
  };
}

const footerOf = (sale: MailedSale, { purchase_date, purchase_number }: PlaceholderValues) =>
  `Compra de ${purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${purchase_number}`;
