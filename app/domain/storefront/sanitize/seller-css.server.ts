import { type CssNode, clone, generate, type List, walk } from "css-tree";
import { FONT_WEARERS, FOOT_GROUND, HOOK_BOUNDS, isHook } from "#app/domain/storefront/page-hooks.ts";
import { parseCss, parseStyle } from "#app/domain/storefront/sanitize/parse-css.server.ts";
import {
  hasSafeValue,
  isSafeProperty,
  type Where,
} from "#app/domain/storefront/sanitize/safe-declaration.server.ts";

/** Where the seller's own HTML stands; what is in it cannot be seen outside it (`contain: paint`). */
const ZONE = ".zone";
const IN_ZONE: Where = { reach: "zone", touched: false };

const SAFE_PSEUDO_CLASSES = new Set(
  "hover focus active first-child last-child nth-child nth-of-type first-of-type last-of-type only-child empty".split(
    " ",
  ),
);
const TOUCHED = /:(hover|focus|active)/i;

/**
 * What a seller's CSS may do, and nothing else: style their own HTML, the named hooks, and the page's ground. Every rule
 * is rebuilt from its parsed parts; selectors are tied to a zone or are a hook, properties and values are on a list.
 * @returns rules in the layer `seller`, the bounds of the hooks before them; or an empty text
 */
export function sanitizeCss(css: string): string {
  const rules = rulesOf(parseCss(css));
  const grounded = rules.includes("body{") ? FOOT_GROUND : "";
  return rules ? `${HOOK_BOUNDS}${grounded}@layer seller{${rules}}` : "";
}

/** The declarations of a `style` attribute that may stay. */
export function sanitizeStyle(style: string): string {
  return declarationsOf(parseStyle(style), IN_ZONE).join(";");
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

/** Whether an `@media` asks a plain question. One that could not be parsed may hold a bracket too many. */
export function isSafeMedia({ prelude }: Extract<CssNode, { type: "Atrule" }>): boolean {
  return prelude?.type === "AtrulePrelude" && /^[\w\s:().,>=<-]+$/.test(generate(prelude));
}

/** The declarations once for each kind of place, not for each selector: what comes out is in proportion to what went in. */
function ruleOf(prelude: CssNode, block: List<CssNode>): string {
  if (prelude.type !== "SelectorList") return "";
  return placesOf(prelude)
    .map(({ where, selectors }) => write(selectors.join(), where, declarationsOf(block, where)))
    .join("");
}

/** A font for the whole page is worn by the seller's own words. */
function write(selectors: string, where: Where, declarations: string[]): string {
  const isFont = (text: string) => where.reach === "ground" && text.startsWith("font-family:");
  const rule = (of: string, kept: string[]) => (kept.length > 0 ? `${of}{${kept.join(";")}}` : "");
  return (
    rule(
      selectors,
      declarations.filter((text) => !isFont(text)),
    ) + rule(`:where(${FONT_WEARERS})`, declarations.filter(isFont))
  );
}

type Places = { where: Where; selectors: string[]; nodes: CssNode[] };

/** The selectors of a rule that may stay, those of one reach together. */
export function placesOf(list: Extract<CssNode, { type: "SelectorList" }>): Places[] {
  const places = new Map<string, Places>();
  for (const node of list.children.toArray()) {
    const place = placeOf(node);
    if (!place) continue;
    const key = `${place.where.reach} ${place.where.touched}`;
    const known = places.get(key) ?? { where: place.where, selectors: [], nodes: [] };
    known.selectors.push(place.selector);
    known.nodes.push(node);
    places.set(key, known);
  }
  return [...places.values()];
}

/** Where a selector may reach, rewritten; null where it may not stay. */
export function placeOf(selector: CssNode): { selector: string; where: Where } | null {
  if (!isPlain(selector)) return null;
  const text = generate(selector);
  if (/[<\\"'@{}]/.test(text)) return null;
  if (/^(body|html|:root|\.ck-page)$/i.test(text))
    return { selector: "body", where: { reach: "ground", touched: false } };
  const touched = TOUCHED.test(text);
  const hook = /^\.([\w-]+)(:hover)?$/.exec(text)?.[1];
  if (hook && isHook(hook)) return { selector: text, where: { reach: "hook", touched } };
  // Whatever follows the zone and a space is inside it; sibling combinators at the front would reach beside it.
  if (/^[+~>|]/.test(text)) return null;
  return { selector: `${ZONE} ${withOwnClasses(selector)}`, where: { reach: "zone", touched } };
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

function declarationsOf(block: List<CssNode>, where: Where): string[] {
  return block.toArray().flatMap((node) => {
    if (
      node.type !== "Declaration" ||
      !isSafeProperty(node.property, where) ||
      !hasSafeValue(node, where.reach)
    )
      return [];
    return [`${node.property.toLowerCase()}:${generate(node.value)}`];
  });
}
