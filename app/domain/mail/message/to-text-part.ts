import { readHtml } from "#app/domain/mail/message/read-html.ts";

/** The end of one of these ends a line. */
const BLOCK_ELEMENTS = new Set(["p", "div", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "li"]);

/** The plain-text part of a mail, made from its HTML: links as `text (address)`, blocks as lines. */
export function toTextPart(html: string): string {
  const output: string[] = [];
  let address = "";
  const endLink = () => {
    if (address) output.push(` (${address})`);
    address = "";
  };
  for (const part of readHtml(html)) {
    if (part.type === "text") output.push(part.text);
    else if (part.type === "close") {
      if (part.name === "a") endLink();
      if (BLOCK_ELEMENTS.has(part.name)) output.push("\n");
    } else {
      if (part.name === "br") output.push("\n");
      if (part.name !== "a") continue;
      // Links do not nest: the next one ends the one before.
      endLink();
      address = part.attributes.get("href")?.trim() ?? "";
    }
  }
  endLink();
  return tidyLines(output.join(""));
}

/** Collapses blanks into one, and empty lines into at most one. */
function tidyLines(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/[ \t\r\u00a0]+/g, " ").trim());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
