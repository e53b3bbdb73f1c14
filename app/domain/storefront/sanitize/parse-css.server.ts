import { type CssNode, List, parse, tokenize, tokenTypes } from "css-tree";

/** Only this many characters of a seller's CSS are read. */
const MAX_LENGTH = 40_000;
/** The parser recurses for each nested bracket. Real CSS nests a handful. */
const MAX_DEPTH = 24;

const OPENS = new Set([
  tokenTypes.LeftCurlyBracket,
  tokenTypes.LeftParenthesis,
  tokenTypes.LeftSquareBracket,
  tokenTypes.Function,
]);
const CLOSES = new Set([
  tokenTypes.RightCurlyBracket,
  tokenTypes.RightParenthesis,
  tokenTypes.RightSquareBracket,
]);

/** The content of a `style` attribute, with positions. */
export function parseStyle(style: string): List<CssNode> {
  const list = parse(toParsable(style), {
    context: "declarationList",
    positions: true,
    onParseError: () => {},
  });
  return list.type === "DeclarationList" ? list.children : new List<CssNode>();
}

/** A seller's CSS as a tree with positions; invalid parts stay as raw nodes. */
export function parseCss(css: string): CssNode {
  return parse(toParsable(css), { parseCustomProperty: false, positions: true, onParseError: () => {} });
}

/** Whether brackets are nested too deeply to parse. */
export function isTooDeep(css: string): boolean {
  let depth = 0;
  let maxDepth = 0;
  tokenize(blankControlCharacters(css), (type) => {
    if (OPENS.has(type)) depth++;
    else if (CLOSES.has(type) && depth > 0) depth--;
    maxDepth = Math.max(maxDepth, depth);
  });
  return maxDepth > MAX_DEPTH;
}

/** Empty if it would exhaust the parser. */
function toParsable(css: string): string {
  return isTooDeep(css) ? "" : blankControlCharacters(css);
}

/** Keeps the length, so that positions stay valid. */
function blankControlCharacters(css: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed here
  return css.slice(0, MAX_LENGTH).replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g, " ");
}
