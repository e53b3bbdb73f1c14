import type { SimpleTemplate } from "#app/db/schema/mail-settings.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { renderAccessButton } from "#app/domain/mail/template/access-button.server.ts";
import { LINES_MARKER } from "#app/domain/mail/template/placeholders.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

const withAccess = (first: string) =>
  [
    first,
    "É só abrir a página da sua compra. O link é seu e pode ser usado enquanto o e-mail da compra for este.",
    "Ficou com alguma dúvida? Responda a este e-mail.",
  ].join("\n\n");

/** The text of the purchase mail until its seller writes their own. */
export const DEFAULT_SIMPLE_TEMPLATE: SimpleTemplate = {
  title: "Pagamento aprovado",
  text: withAccess(
    "Olá, {customer_name}! Recebemos o seu pagamento de {amount_formatted} e o seu acesso está liberado.",
  ),
  button: "Acessar minha compra",
};

/** The same of an order that cost nothing. */
export const FREE_SIMPLE_TEMPLATE: SimpleTemplate = {
  ...DEFAULT_SIMPLE_TEMPLATE,
  title: "Acesso liberado",
  text: withAccess("Olá, {customer_name}! O seu pedido está completo e o seu acesso está liberado."),
};

/** The whole template: below the text are the lines bought and the access button, in the shop's colours. */
export function renderSimpleTemplate({ title, text, button }: SimpleTemplate): string {
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim() !== "");
  return renderMailLayout({
    title,
    preview: "{product_name} está liberado para você.",
    bodyHtml: [
      ...paragraphs.map((part) => renderParagraph(escapeHtml(part.trim()).replaceAll("\n", "<br>\n"))),
      LINES_MARKER,
      renderAccessButton(button),
    ].join("\n"),
    footerHtml:
      '<p style="margin:0 0 8px;">Compra feita em {purchase_date} por {customer_email}.<br>Número da compra: {purchase_number}</p>\n' +
      `<p style="margin:0 0 8px;">Tudo o que você já comprou: <a href="${env.APP_URL + paths.purchases()}">Minhas compras</a></p>\n` +
      '<p style="margin:0;">© {current_year} {brand_name}</p>',
  });
}
