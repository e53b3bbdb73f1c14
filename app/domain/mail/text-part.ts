import { pick } from "#app/kit/pick.ts";

/** Accents as older HTML spells them: `&ccedil;`, `&atilde;`. */
const MARKS: Record<string, string> = {
  acute: "\u0301",
  grave: "\u0300",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  cedil: "\u0327",
};

/** The plain-text part of a mail, made from its HTML: links as `text (address)`, blocks as lines. */
export function textPart(html: string): string {
  return html
    .replace(/<(style|head|title)[\s\S]*?<\/\1>/gi, "")
    .replace(
      /<a\b[^>]*href=(["'])(.*?)\1[^>]*>([\s\S]*?)<\/a>/gi,
      (_, _quote: string, href: string, label: string) => `${label} (${href})`,
    )
    .replace(/<(br|\/p|\/div|\/tr|\/h[1-6]|\/li)\b[^>]*>/gi, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(/&nbsp;/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&([a-z])(acute|grave|circ|tilde|uml|cedil);/gi, (_, letter: string, mark: string) =>
      (letter + pick(MARKS, mark.toLowerCase())).normalize("NFC"),
    )
    .replace(/&amp;/g, "&")
    .replace(/[ \t]+/g, " ")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
