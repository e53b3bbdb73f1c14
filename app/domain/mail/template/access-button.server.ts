import { renderMailButton, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { readHtml } from "#app/domain/mail/message/read-html.ts";

/** Sellers know the address of the purchase page by this name. */
const ACCESS_PLACEHOLDER = /\{\{\s*product_file_url\s*\}\}|\{product_file_url\}/i;

/** Whether a template gives access to the purchase: by a link, or by a visible address. */
export function hasAccessLink(html: string): boolean {
  return readHtml(html).some((part) =>
    part.type === "text"
      ? ACCESS_PLACEHOLDER.test(part.text)
      : part.type === "open" && part.name === "a" && leadsToPurchase(part.attributes.get("href") ?? ""),
  );
}

/** Beside the placeholder there may be only what `fillHtml` makes an address of: a scheme, and parameters. */
function leadsToPurchase(href: string): boolean {
  const [before = "", after] = href.trim().split(ACCESS_PLACEHOLDER);
  return after !== undefined && /^(https?:\/\/)?$/.test(before) && /^(\?\w|[&#]|$)/.test(after);
}

/** The button to the purchase, in the shop's colours. */
export function renderAccessButton(label: string): string {
  return renderMailButton(label, "{product_file_url}", {
    button_color: "{button_color}",
    button_text_color: "{button_text_color}",
  });
}

const APPENDED_BUTTON = `${renderParagraph("O seu acesso está na página da sua compra:")}\n${renderAccessButton("Acessar minha compra")}`;

/** A template with the button to the purchase appended, before its placeholders are replaced: the button has some of its own. */
export function appendAccessButton(html: string): string {
  return appendToBody(html, APPENDED_BUTTON);
}

/** A mail with `more` appended. */
export function appendToBody(html: string, more: string): string {
  const end = html.toLowerCase().lastIndexOf("</body");
  return end < 0 ? `${html}\n${more}` : `${html.slice(0, end)}${more}\n${html.slice(end)}`;
}
