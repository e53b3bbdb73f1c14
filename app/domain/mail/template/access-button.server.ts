import { renderMailButton, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { readHtml } from "#app/domain/mail/message/read-html.ts";

const ACCESS_PLACEHOLDER = /\{\{\s*product_file_url\s*\}\}|\{product_file_url\}/i;

/** Whether a template gives access to the purchase: by a link, or by a visible address. */
export function hasAccessLink(html: string): boolean {
  return readHtml(html).some((part) =>
    part.type === "text"
      ? ACCESS_PLACEHOLDER.test(part.text)
      : part.type === "open" &&
        part.name === "a" &&
        ACCESS_PLACEHOLDER.test(part.attributes.get("href") ?? ""),
  );
}

/** The button to the purchase, in the shop's colours. */
export function renderAccessButton(label: string): string {
  return renderMailButton(label, "{product_file_url}", {
    button_color: "{button_color}",
    button_text_color: "{button_text_color}",
  });
}

const APPENDED_BUTTON = `${renderParagraph("O seu acesso está na página da sua compra:")}\n${renderAccessButton("Acessar minha compra")}`;

/** A template with the button to the purchase appended. */
export function appendAccessButton(html: string): string {
  return withBelow(html, APPENDED_BUTTON);
}

/** A mail with `more` appended. */
export function withBelow(html: string, more: string): string {
  const end = html.toLowerCase().lastIndexOf("</body");
  return end < 0 ? `${html}\n${more}` : `${html.slice(0, end)}${more}\n${html.slice(end)}`;
}

/** The seller's warning about a template without access. */
export const NO_ACCESS_LINK_TEXT =
  "O modelo não leva o comprador ao que ele comprou: falta {product_file_url} como endereço de um link ou botão. Enquanto faltar, acrescentamos o botão de acesso no fim do e-mail.";
