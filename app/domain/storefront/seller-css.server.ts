import { type CssNode, clone, generate, List, parse, walk } from "css-tree";
import { hasSafeValue, isSafeProperty } from "#app/domain/storefront/safe-declaration.server.ts";

/** Parts of the checkout a seller may style by name. None of them holds a price, a field, the notice or the pay button. */
const HOOKS = [
  "ck-brand",
  "ck-banner",
  "ck-countdown",
  "ck-product-name",
  "ck-product-description",
  "ck-bumps-title",
  "ck-bumps-subtitle",
  "ck-badges",
] as const;

/** Where the seller's own HTML stands; what is in it cannot be seen outside it (`contain: paint`). */
const ZONE = ".zone";

const SAFE_PSEUDO_CLASSES = new Set(
  "hover focus active first-child last-child nth-child nth-of-type first-of-type last-of-type only-child empty".split(
    " ",
  ),
);
/** Characters read of a seller's CSS. */
const LONGEST = 40_000;

/**
 * What a seller's CSS may do, and nothing else: style their own HTML, the named hooks, and the page's ground. Every rule
 * is rebuilt from its parsed parts; selectors are tied to a zone or are a hook, properties and values are on a list.
 * @returns rules in the layer `seller`, or an empty text
 */
export function sanitizeCss(css: string): string {
  const rules = rulesOf(parseCss(css));
  return rules ? `@layer seller{${rules}}` : "";
}

/** The declarations of a `style` attribute that may stay. */
export function sanitizeStyle(style: string): string {
  return declarationsOf(parseStyle(style), "zone");
}

/** What stands in a `style` attribute, with positions. */
export function parseStyle(style: string): List<CssNode> {
  const list = parse(clean(style), {
    context: "declarationList",
    positions: true,
    onParseError: () => {},
  });
  return list.type === "DeclarationList" ? list.children : new List<CssNode>();
}

/** A seller's CSS as a tree with positions; what is no CSS is left as it is, raw. */
export function parseCss(css: string): CssNode {
  return parse(clean(css), { parseCustomProperty: false, positions: true, onParseError: () => {} });
}

function clean(css: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return css.slice(0, LONGEST).replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]/g, " ");
}

function rulesOf(sheet: CssNode): string {
  if (sheet.type !== "StyleSheet" && sheet.type !== "Block") return "";
  return sheet.children
    .toArray()
    .map((node) => {
      if (node.type === "Rule") return ruleOf(node.prelude, node.block.children);
      if (node.type === "Atrule" && node.name.toLowerCase() === "media") return mediaOf(node);
      return "";
    })
    .join("");
}

function mediaOf(node: Extract<CssNode, { type: "Atrule" }>): string {
  const inside = node.block ? rulesOf(node.block) : "";
  return inside && isSafeMedia(node) ? `@media ${generate(node.prelude!)}{${inside}}` : "";
}

/** Whether an `@media` asks a plain question. */
export function isSafeMedia({ prelude }: Extract<CssNode, { type: "Atrule" }>): boolean {
  const condition = prelude ? generate(prelude) : "";
  return /^[\w\s:().,>=<-]+$/.test(condition) && !condition.includes("</");
}

function ruleOf(prelude: CssNode, block: List<CssNode>): string {
  if (prelude.type !== "SelectorList") return "";
  return prelude.children
    .toArray()
    .map((selector) => {
      const at = placeOf(selector);
      const declarations = at ? declarationsOf(block, at.where) : "";
      return at && declarations ? `${at.selector}{${declarations}}` : "";
    })
    .join("");
}

export type Where = "zone" | "hook" | "ground";

/** Where a selector may reach, rewritten; null where it may not stay. */
export function placeOf(selector: CssNode): { selector: string; where: Where } | null {
  if (!isPlain(selector)) return null;
  const text = generate(selector);
  if (/[<\\"'@{}]/.test(text)) return null;
  if (/^(body|html|:root|\.ck-page)$/i.test(text)) return { selector: "body", where: "ground" };
  const hook = /^\.([\w-]+)(:hover)?$/.exec(text)?.[1];
  if (hook && (HOOKS as readonly string[]).includes(hook)) return { selector: text, where: "hook" };
  // Whatever follows the zone and a space is inside it; sibling combinators at the front would reach beside it.
  return /^[+~>|]/.test(text) ? null : { selector: `${ZONE} ${withOwnClasses(selector)}`, where: "zone" };
}

/** The seller's classes carry a prefix in their HTML (seller-html.server.ts). */
function withOwnClasses(selector: CssNode): string {
  const own = clone(selector);
  walk(own, (node) => {
    if (node.type === "ClassSelector") node.name = `s-${node.name}`;
  });
  return generate(own);
}

function isPlain(selector: CssNode): boolean {
  let plain = true;
  walk(selector, (node) => {
    if (node.type === "PseudoClassSelector")
      plain &&= SAFE_PSEUDO_CLASSES.has(node.name.toLowerCase()) || node.name === "root";
    else if (node.type === "Combinator") plain &&= /^[ >+~]$/.test(node.name);
    else if (node.type === "PseudoElementSelector" || node.type === "NestingSelector" || node.type === "Raw")
      plain = false;
    else if (node.type === "AttributeSelector" || node.type === "IdSelector") plain = false;
  });
  return plain;
}

function declarationsOf(block: List<CssNode>, where: Where): string {
  return block
    .toArray()
    .flatMap((node) => {
      if (node.type !== "Declaration" || !isSafeProperty(node.property, where) || !hasSafeValue(node))
        return [];
      return [`${node.property.toLowerCase()}:${generate(node.value)}`];
    })
    .join(";");
}
