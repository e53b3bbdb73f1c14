import { DomUtils, parseDocument } from "htmlparser2";

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
