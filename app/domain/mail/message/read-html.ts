import { Tokenizer } from "htmlparser2";

/** What stands in a piece of HTML, in its order. Names are lowercase; entities are read, impossible characters replaced. */
export type HtmlPart =
  | { type: "open"; name: string; attributes: Map<string, string> }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

/** The content of these is not for reading. */
const SILENT = new Set(["script", "style", "title"]);

/**
 * Reads HTML in linear time, whatever it is: tags, their attributes and the text between them; comments, scripts and
 * styles are left out. Which tag closes which is not asked: keeping the open ones costs a parser quadratic time.
 */
export function readHtml(html: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  let tag: { name: string; attributes: Map<string, string> } | null = null;
  let silent: string | null = null;
  let attribute = "";
  let value = "";
  const text = (text: string) => {
    if (!silent) parts.push({ type: "text", text });
  };
  const open = () => {
    if (tag) parts.push({ type: "open", ...tag });
    if (tag && SILENT.has(tag.name)) silent = tag.name;
    tag = null;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = { name: html.slice(start, end).toLowerCase(), attributes: new Map() };
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      // As in a browser, the first of two attributes of one name counts.
      onattribend: () => {
        if (tag && !tag.attributes.has(attribute)) tag.attributes.set(attribute, value);
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        if (name === silent) silent = null;
        parts.push({ type: "close", name });
      },
      ontext: (start, end) => text(html.slice(start, end)),
      ontextentity: (code) => text(String.fromCodePoint(code)),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return parts;
}
