import {
  formatStoreAddress,
  formatStoreContact,
  formatStoreTaxId,
  type Store,
} from "#app/domain/storefront/store/format-store.ts";
import { escapeHtml } from "#app/kit/html.ts";

type Mail = { html: string; text?: string };

/** Adds the store details to a mail's footer, whatever its template. Each store appears once. */
export function withStoreFooter<M extends Mail>(mail: M, ...stores: (Store | null)[]): M {
  return withFooter(mail, ...new Set(stores.map((store) => store && storeLine(store))));
}

/** Adds lines of text to a mail's footer, whatever its template. */
export function withFooter<M extends Mail>(mail: M, ...texts: (string | null)[]): M {
  const lines = texts.filter((line) => line !== null);
  if (lines.length === 0) return mail;
  const { html, text } = mail;
  const end = html.toLowerCase().lastIndexOf("</body>");
  const at = end < 0 ? html.length : end;
  return {
    ...mail,
    html: html.slice(0, at) + lines.map(footerHtml).join("") + html.slice(at),
    ...(text === undefined ? {} : { text: [text, ...lines].join("\n\n") }),
  };
}

function storeLine(store: Store): string {
  return `Vendido por ${store.legalName}, ${formatStoreTaxId(store)}. ${formatStoreAddress(store)}. ${formatStoreContact(store)}`;
}

function footerHtml(line: string): string {
  const html = escapeHtml(line).replace(
    /\(\d\d\) \d{4,5}-\d{4}/,
    '<span style="white-space:nowrap;">$&</span>',
  );
  // The line break separates it from the template's last line in the text part. Its text begins where the layout's does.
  return `\n<div class="rodape" style="padding:0 12px 24px;font-family:Arial,Helvetica,sans-serif;font-size:12px;line-height:18px;color:#5d6575;"><p style="max-width:496px;margin:0 auto;padding:0 32px;">${html}</p></div>`;
}
