import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { LINES_MARKER } from "#app/domain/mail/template/placeholders.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** The purchase mail as it goes out until a seller writes their own. */
export type Template = { senderName: string; senderEmail: string; subject: string; htmlContent: string };

export const DEFAULT_TEMPLATE: Template = {
  senderName: "{product}",
  senderEmail: "",
  subject: "Sua compra foi aprovada: {product_name}",
  htmlContent: mailLayout({
    title: "Pagamento aprovado",
    preview: "{product_name} está liberado para você.",
    bodyHtml: [
      paragraph(
        "Olá, {customer_name}! Recebemos o seu pagamento de <strong>{amount_formatted}</strong> e o seu acesso está liberado.",
      ),
      LINES_MARKER,
      paragraph("É só abrir a página da sua compra. O link é seu e pode ser usado quando quiser:"),
      mailButton("Acessar minha compra", "{product_file_url}"),
      paragraph("Ficou com alguma dúvida? Responda a este e-mail."),
    ].join("\n"),
    footerHtml:
      '<p style="margin:0 0 8px;">Compra feita em {purchase_date} por {customer_email}.<br>Número da transação: {transaction_id}</p>\n' +
      `<p style="margin:0 0 8px;">Tudo o que você já comprou: <a href="${env.APP_URL + paths.purchases()}">Minhas compras</a></p>\n` +
      '<p style="margin:0;">© {current_year} {brand_name}</p>',
  }),
};
