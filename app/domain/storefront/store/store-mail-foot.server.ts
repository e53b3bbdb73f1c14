import {
  type Store,
  storeAddress,
  storeContact,
  storeTaxId,
} from "#app/domain/storefront/store/store-words.ts";
import { escapeHtml } from "#app/kit/html.ts";

type Mail = { html: string; text?: string };

/** The same mail with who sells at its foot, whatever template it is made of. Each store is told once. */
export function withStoreFoot<M extends Mail>(mail: M, ...stores: (Store | null)[]): M {
  const lines = [...new Set(stores.flatMap((store) => (store ? [storeLine(store)] : [])))];
  if (lines.length === 0) return mail;
  const { html, text } = mail;
  const end = html.toLowerCase().lastIndexOf("</body>");
  const at = end < 0 ? html.length : end;
  return {
    ...mail,
    html: html.slice(0, at) + lines.map(footOf).join("") + html.slice(at),
    ...(text === undefined ? {} : { text: [text, ...lines].join("\n\n") }),
  };
}

function storeLine(store: Store): string {
  return `Vendido por ${store.legalName}, ${storeTaxId(store)}. ${storeAddress(store)}. ${storeContact(store)}`;
}

function footOf(line: string): string {
  // The line break keeps its words apart from the last of a template in the text part.
  return `\n<div class="rodape" style="max-width:560px;margin:0 auto;padding:0 32px 24px;font-family:Arial,Helvetica,sans-serif;font-size:12px;line-height:18px;color:#5d6575;"><p style="margin:0;">${escapeHtml(line)}</p></div>`;
}
