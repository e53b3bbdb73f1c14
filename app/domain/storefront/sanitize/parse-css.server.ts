import { type CssNode, List, parse, tokenize, tokenTypes } from "css-tree";

/** Characters read of a seller's CSS. */
const LONGEST = 40_000;
/** The parser calls itself for each bracket within another. What people write has a handful. */
const DEEPEST = 24;

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

/** What stands in a `style` attribute, with positions. */
export function parseStyle(style: string): List<CssNode> {
  const list = parse(readable(style), {
    context: "declarationList",
    positions: true,
    onParseError: () => {},
  });
  return list.type === "DeclarationList" ? list.children : new List<CssNode>();
}

/** A seller's CSS as a tree with positions; what is no CSS is left as it is, raw. */
export function parseCss(css: string): CssNode {
  return parse(readable(css), { parseCustomProperty: false, positions: true, onParseError: () => {} });
}

/** Whether brackets stand in more brackets than can be read. */
export function isTooDeep(css: string): boolean {
  let depth = 0;
  let deepest = 0;
  tokenize(clean(css), (type) => {
    if (OPENS.has(type)) depth++;
    else if (CLOSES.has(type) && depth > 0) depth--;
    deepest = Math.max(deepest, depth);
  });
  return deepest > DEEPEST;
}

/** Empty where it would exhaust the parser. */
function readable(css: string): string {
  return isTooDeep(css) ? "" : clean(css);
}

/** Of the same length, so that positions hold. */
function clean(css: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return css.slice(0, LONGEST).replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g, " ");
}
