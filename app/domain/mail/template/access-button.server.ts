import { mailButton, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { readHtml } from "#app/domain/mail/message/read-html.ts";

const LINK = /\{\{\s*product_file_url\s*\}\}|\{product_file_url\}/i;

/** Whether a template leads its buyer to what they bought: by a link, or by an address that can be read. */
export function bringsAccess(html: string): boolean {
  return readHtml(html).some((part) =>
    part.type === "text"
      ? LINK.test(part.text)
      : part.type === "open" && part.name === "a" && LINK.test(part.attributes.get("href") ?? ""),
  );
}

/** The button to the purchase, in the shop's colours. */
export function accessButton(label: string): string {
  return mailButton(label, "{product_file_url}", {
    button_color: "{button_color}",
    button_text_color: "{button_text_color}",
  });
}

const BELOW = `${paragraph("O seu acesso está na página da sua compra:")}\n${accessButton("Acessar minha compra")}`;

/** A template with the button to the purchase below what it says. */
export function withAccess(html: string): string {
  return withBelow(html, BELOW);
}

/** A mail with more below what it says. */
export function withBelow(html: string, more: string): string {
  const end = html.toLowerCase().lastIndexOf("</body");
  return end < 0 ? `${html}\n${more}` : `${html.slice(0, end)}${more}\n${html.slice(end)}`;
}

/** What a seller is told of a template without it. */
export const NO_ACCESS =
  "O modelo não leva o comprador ao que ele comprou: falta {product_file_url} como endereço de um link ou botão. Enquanto faltar, acrescentamos o botão de acesso no fim do e-mail.";
