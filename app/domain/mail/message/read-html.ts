import { Tokenizer } from "htmlparser2";

/** A part of an HTML text, in document order. Names are lowercase; entities are decoded, invalid characters replaced. */
export type HtmlPart =
  | { type: "open"; name: string; attributes: Map<string, string> }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

/** Elements whose content is not readable text. */
const HIDDEN_ELEMENTS = new Set(["script", "style", "title"]);

/**
 * Parses any HTML in linear time: tags, their attributes and the text between them, without comments, scripts and styles.
 * Does not match closing tags: tracking open ones costs a parser quadratic time.
 */
export function readHtml(html: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  let tag: { name: string; attributes: Map<string, string> } | null = null;
  let hiddenElement: string | null = null;
  let attribute = "";
  let value = "";
  const pushText = (text: string) => {
    if (!hiddenElement) parts.push({ type: "text", text });
  };
  const pushOpenTag = () => {
    if (tag) parts.push({ type: "open", ...tag });
    if (tag && HIDDEN_ELEMENTS.has(tag.name)) hiddenElement = tag.name;
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
      onopentagend: pushOpenTag,
      onselfclosingtag: pushOpenTag,
      onclosetag: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        if (name === hiddenElement) hiddenElement = null;
        parts.push({ type: "close", name });
      },
      ontext: (start, end) => pushText(html.slice(start, end)),
      ontextentity: (code) => pushText(String.fromCodePoint(code)),
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
