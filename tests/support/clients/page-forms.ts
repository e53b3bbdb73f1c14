import { DomUtils, parseDocument } from "htmlparser2";

/** A form of a page as a browser would send it: each button's own submission. */
export type PageForm = { page: string; action: string; fields: [string, string][] };

/** The posting forms of a page's HTML, ours and so written as React writes: attributes quoted, no form in a form. */
export function formsOf(page: string, html: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = "", inside = ""]) => {
    if (attribute(head, "method")?.toLowerCase() !== "post") return [];
    const { pathname, search } = new URL(attribute(head, "action") ?? page, `http://localhost${page}`);
    const action = pathname + search;
    const fields = [...inside.matchAll(/<(?:input|select|textarea)\b([^>]*)>/g)].flatMap(([, tag = ""]) =>
      fieldOf(tag),
    );
    const buttons = [...inside.matchAll(/<button\b([^>]*)>/g)].flatMap(
      ([, tag = ""]): [string, string][][] => {
        if (attribute(tag, "type") === "button") return [];
        const name = attribute(tag, "name");
        return [name ? [[name, attribute(tag, "value") ?? ""]] : []];
      },
    );
    return (buttons.length > 0 ? buttons : [[]]).map((button) => ({
      page,
      action,
      fields: [...fields, ...button],
    }));
  });
}

/** The addresses of the same page that its links lead to: its tabs, kinds, what can be edited. */
export function choicesOf(page: string, html: string): string[] {
  const path = page.split("?")[0]!;
  const links = [...html.matchAll(/<a\b([^>]*)>/g)].map(([, tag = ""]) => attribute(tag, "href") ?? "");
  return [...new Set(links)].filter(
    (href) => /^[^?]+\?[a-z]+=[\w-]+$/.test(href) && href.startsWith(`${path}?`),
  );
}

function fieldOf(tag: string): [string, string][] {
  const name = attribute(tag, "name");
  // A file is chosen or missing.
  if (!name || attribute(tag, "type") === "file") return [];
  return [[name, attribute(tag, "value") || usual(name, attribute(tag, "type") ?? "text")]];
}

/** Something that fits a field, so that the others are read at all. */
function usual(name: string, type: string): string {
  if (/email/i.test(name) || type === "email") return `pessoa-${crypto.randomUUID()}@exemplo.com.br`;
  if (/password/i.test(name)) return "uma senha comprida";
  if (/phone/.test(name)) return "11987654321";
  if (/document/.test(name)) return "52998224725";
  if (/url|logo/i.test(name)) return "https://exemplo.com.br/a";
  if (/price/i.test(name)) return "19,90";
  if (/color/.test(name)) return "#123456";
  if (/domain/.test(name)) return "loja.exemplo.com.br";
  return type === "checkbox" ? "on" : type === "number" ? "10" : "Texto comum";
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(` ${tag}`)?.[1];
  return value
    ?.replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

/** For the failure of an expected status: the status and what the page says is wrong, instead of the whole page. */
export function describeAnswer({ status, html }: { status: number; html: string }): string {
  const page = parseDocument(html).children;
  const texts = (isWanted: (attributes: Record<string, string>, name: string) => boolean) =>
    DomUtils.findAll(({ attribs, name }) => isWanted(attribs, name), page)
      .map((element) => DomUtils.textContent(element).replace(/\s+/g, " ").trim())
      .filter(Boolean);
  const errors = texts(({ role, id }) => role === "alert" || id?.endsWith("-error") === true);
  const heading = texts((_, name) => name === "h1")[0] ?? html.slice(0, 300);
  const reasons = errors.length > 0 ? [...new Set(errors)].join("; ") : "it shows no error";
  return `The answer was ${status}, "${heading}": ${reasons}.`;
}
