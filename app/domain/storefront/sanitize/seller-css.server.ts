import { type CssNode, clone, generate, type List, walk } from "css-tree";
import {
  FONT_SELECTORS,
  FOOTER_BACKGROUND,
  HOOK_BOUNDS,
  isPageHook,
} from "#app/domain/storefront/page-hooks.ts";
import { parseCss, parseStyle } from "#app/domain/storefront/sanitize/parse-css.server.ts";
import {
  hasSafeValue,
  isSafeProperty,
  type StyleTarget,
} from "#app/domain/storefront/sanitize/safe-declaration.server.ts";

/** The container of the seller's own HTML; its content is not visible outside it (`contain: paint`). */
const ZONE = ".zone";
const ZONE_TARGET: StyleTarget = { reach: "zone", isInteractive: false };

const SAFE_PSEUDO_CLASSES = new Set(
  "hover focus active first-child last-child nth-child nth-of-type first-of-type last-of-type only-child empty".split(
    " ",
  ),
);
const INTERACTIVE_STATES = /:(hover|focus|active)/i;

/**
 * Sanitizes a seller's CSS by allowlists: it may style their own HTML, the named hooks, and the page's background.
 * Every rule is rebuilt from its parsed parts; selectors are scoped to a zone or are a hook.
 * @returns rules in the layer `seller`, preceded by the bounds of the hooks; or an empty text
 */
export function sanitizeCss(css: string): string {
  const rules = rulesOf(parseCss(css));
  const footerRule = rules.includes("body{") ? FOOTER_BACKGROUND : "";
  return rules ? `${HOOK_BOUNDS}${footerRule}@layer seller{${rules}}` : "";
}

/** The allowed declarations of a `style` attribute. */
export function sanitizeStyle(style: string): string {
  return declarationsOf(parseStyle(style), ZONE_TARGET).join(";");
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

/** Whether an `@media` query is simple. One that cannot be parsed may contain an unbalanced bracket. */
export function isSafeMedia({ prelude }: Extract<CssNode, { type: "Atrule" }>): boolean {
  return prelude?.type === "AtrulePrelude" && /^[\w\s:().,>=<-]+$/.test(generate(prelude));
}

/** Writes the declarations once per reach, not per selector, so that the output stays proportional to the input. */
function ruleOf(prelude: CssNode, block: List<CssNode>): string {
  if (prelude.type !== "SelectorList") return "";
  return groupSelectors(prelude)
    .map(({ target, selectors }) => writeRules(selectors.join(), target, declarationsOf(block, target)))
    .join("");
}

/** A font for the whole page applies only to the seller's own texts. */
function writeRules(selectors: string, target: StyleTarget, declarations: string[]): string {
  const isFont = (text: string) => target.reach === "ground" && text.startsWith("font-family:");
  const rule = (of: string, lines: string[]) => (lines.length > 0 ? `${of}{${lines.join(";")}}` : "");
  return (
    rule(
      selectors,
      declarations.filter((text) => !isFont(text)),
    ) + rule(`:where(${FONT_SELECTORS})`, declarations.filter(isFont))
  );
}

type SelectorGroup = { target: StyleTarget; selectors: string[]; nodes: CssNode[] };

/** The allowed selectors of a rule, grouped by reach. */
export function groupSelectors(list: Extract<CssNode, { type: "SelectorList" }>): SelectorGroup[] {
  const groups = new Map<string, SelectorGroup>();
  for (const node of list.children.toArray()) {
    const resolved = resolveSelector(node);
    if (!resolved) continue;
    const key = `${resolved.target.reach} ${resolved.target.isInteractive}`;
    const known = groups.get(key) ?? { target: resolved.target, selectors: [], nodes: [] };
    known.selectors.push(resolved.selector);
    known.nodes.push(node);
    groups.set(key, known);
  }
  return [...groups.values()];
}

/** A selector, rewritten to its reach; null if it is not allowed. */
export function resolveSelector(selector: CssNode): { selector: string; target: StyleTarget } | null {
  if (!isPlain(selector)) return null;
  const text = generate(selector);
  if (/[<\\"'@{}]/.test(text)) return null;
  if (/^(body|html|:root|\.ck-page)$/i.test(text))
    return { selector: "body", target: { reach: "ground", isInteractive: false } };
  const isInteractive = INTERACTIVE_STATES.test(text);
  const hook = /^\.([\w-]+)(:hover)?$/.exec(text)?.[1];
  if (hook && isPageHook(hook)) return { selector: text, target: { reach: "hook", isInteractive } };
  // A selector after the zone and a space stays inside it; leading sibling combinators would reach outside.
  if (/^[+~>|]/.test(text)) return null;
  return { selector: `${ZONE} ${prefixClasses(selector)}`, target: { reach: "zone", isInteractive } };
}

/** Prefixes classes like the seller's HTML does (seller-html.server.ts). */
function prefixClasses(selector: CssNode): string {
  const own = clone(selector);
  walk(own, (node) => {
    if (node.type === "ClassSelector") node.name = `s-${node.name}`;
  });
  return generate(own);
}

function isPlain(selector: CssNode): boolean {
  let isPlainSoFar = true;
  walk(selector, (node) => {
    if (node.type === "PseudoClassSelector")
      isPlainSoFar &&= SAFE_PSEUDO_CLASSES.has(node.name.toLowerCase()) || node.name === "root";
    else if (node.type === "Combinator") isPlainSoFar &&= /^[ >+~]$/.test(node.name);
    else if (node.type === "PseudoElementSelector" || node.type === "NestingSelector" || node.type === "Raw")
      isPlainSoFar = false;
    else if (node.type === "AttributeSelector" || node.type === "IdSelector") isPlainSoFar = false;
  });
  return isPlainSoFar;
}

function declarationsOf(block: List<CssNode>, target: StyleTarget): string[] {
  return block.toArray().flatMap((node) => {
    if (
      node.type !== "Declaration" ||
      !isSafeProperty(node.property, target) ||
      !hasSafeValue(node, target.reach)
    )
      return [];
    return [`${node.property.toLowerCase()}:${generate(node.value)}`];
  });
}
