import { type CssNode, generate, type List } from "css-tree";
import {
  atruleRefusalReason,
  declarationRefusalReason,
  selectorRefusalReason,
} from "#app/domain/storefront/sanitize/css-refusal-reasons.server.ts";
import { isTooDeep, parseCss, parseStyle } from "#app/domain/storefront/sanitize/parse-css.server.ts";
import { collectRemovals, type TidiedText } from "#app/domain/storefront/sanitize/removal.ts";
import type { StyleTarget } from "#app/domain/storefront/sanitize/safe-declaration.server.ts";
import {
  groupSelectors,
  isSafeMedia,
  resolveSelector,
} from "#app/domain/storefront/sanitize/seller-css.server.ts";

type Note = (what: string, reason: string) => void;
/** A range of the seller's text and its replacement. */
type Edit = { from: number; to: number; text: string };

const TOO_DEEP_REASON = "há chaves ou parênteses demais uns dentro dos outros";

/**
 * A seller's CSS as written, without what the page would remove (seller-css.server.ts), so that the stored text is what
 * is shown. Allowed rules keep their layout.
 */
export function tidyCss(css: string): TidiedText {
  const { list, note } = collectRemovals();
  if (isTooDeep(css)) {
    note(css, TOO_DEEP_REASON);
    return { text: "", removed: list };
  }
  const sheet = parseCss(css);
  const edits = sheet.type === "StyleSheet" ? collectEdits(sheet.children, css, note) : [];
  return { text: edits.length > 0 ? apply(css, edits).trim() : css, removed: list };
}

/** The same for a `style` attribute. */
export function tidyStyle(style: string, note: Note): string {
  if (isTooDeep(style)) note(style, TOO_DEEP_REASON);
  return allowedDeclarations(parseStyle(style), style, { reach: "zone", isInteractive: false }, note).join(
    "; ",
  );
}

function collectEdits(nodes: List<CssNode>, css: string, note: Note): Edit[] {
  return nodes.toArray().flatMap((node): Edit[] => {
    const at = { from: node.loc!.start.offset, to: node.loc!.end.offset };
    const deletion = [{ ...at, text: "" }];
    if (node.type === "Comment" || node.type === "WhiteSpace") return [];
    if (node.type === "Rule") return editRule(node, css, note);
    if (node.type !== "Atrule") {
      note(sourceOf(node, css), "não é CSS válido");
      return deletion;
    }
    if (node.name.toLowerCase() !== "media" || !isSafeMedia(node) || !node.block) {
      note(`@${node.name}`, atruleRefusalReason(node.name));
      return deletion;
    }
    const inside = collectEdits(node.block.children, css, note);
    const deletedAt = new Set(inside.flatMap(({ from, text }) => (text === "" ? [from] : [])));
    const hasRulesLeft = node.block.children
      .toArray()
      .some(({ type, loc }) => /rule$/i.test(type) && !deletedAt.has(loc!.start.offset));
    return hasRulesLeft ? inside : deletion;
  });
}

/** One rule: unchanged, rewritten with what is allowed for each selector, or removed. */
function editRule(rule: Extract<CssNode, { type: "Rule" }>, css: string, note: Note): Edit[] {
  const at = { from: rule.loc!.start.offset, to: rule.loc!.end.offset };
  if (rule.prelude.type !== "SelectorList") {
    note(sourceOf(rule.prelude, css), "não é um seletor válido");
    return [{ ...at, text: "" }];
  }
  for (const selector of rule.prelude.children.toArray())
    if (!resolveSelector(selector)) note(sourceOf(selector, css), selectorRefusalReason(generate(selector)));
  const allowedParts = groupSelectors(rule.prelude).flatMap(({ target, nodes }) => {
    const lines = allowedDeclarations(rule.block.children, css, target, note);
    return lines.length > 0 ? [{ selectors: nodes.map((node) => sourceOf(node, css)), lines }] : [];
  });
  const selectors = allowedParts.reduce((sum, part) => sum + part.selectors.length, 0);
  const isUnchanged =
    selectors === rule.prelude.children.size &&
    allowedParts.every(({ lines }) => lines.length === rule.block.children.size);
  return isUnchanged ? [] : [{ ...at, text: writeRules(allowedParts, sourceOf(rule, css).includes("\n")) }];
}

/** The allowed declarations, as they were written. */
function allowedDeclarations(block: List<CssNode>, css: string, target: StyleTarget, note: Note): string[] {
  return block.toArray().flatMap((node) => {
    const reason = declarationRefusalReason(node, target);
    const text = sourceOf(node, css);
    if (reason) note(node.type === "Declaration" ? text : text.split("{")[0]!, reason);
    return reason ? [] : [text];
  });
}

/** Selectors with the same declarations stay together. */
function writeRules(allowedParts: { selectors: string[]; lines: string[] }[], isMultiline: boolean): string {
  const groups = new Map<string, string[]>();
  for (const { selectors, lines } of allowedParts) {
    const body = isMultiline
      ? `{\n${lines.map((line) => `  ${line};\n`).join("")}}`
      : `{ ${lines.join("; ")}; }`;
    groups.set(body, [...(groups.get(body) ?? []), ...selectors]);
  }
  return [...groups].map(([body, of]) => `${of.join(", ")} ${body}`).join(isMultiline ? "\n" : " ");
}

function sourceOf(node: CssNode, css: string): string {
  return css.slice(node.loc!.start.offset, node.loc!.end.offset).trim();
}

/** Applies the edits, which are in order; a line that becomes empty is removed. */
function apply(css: string, edits: Edit[]): string {
  const restOfLine = /[ \t]*\n/y;
  let at = 0;
  let text = "";
  for (const edit of edits) {
    text += css.slice(at, edit.from) + edit.text;
    restOfLine.lastIndex = edit.to;
    at = edit.text === "" && restOfLine.test(css) ? restOfLine.lastIndex : edit.to;
  }
  return text + css.slice(at);
}
