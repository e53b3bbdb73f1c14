import { type CssNode, generate, type List } from "css-tree";
import { isTooDeep, parseCss, parseStyle } from "#app/domain/storefront/sanitize/parse-css.server.ts";
import {
  refuseAtrule,
  refuseDeclaration,
  refuseSelector,
} from "#app/domain/storefront/sanitize/refuse-css.server.ts";
import { removals, type Tidied } from "#app/domain/storefront/sanitize/removal.ts";
import type { Where } from "#app/domain/storefront/sanitize/safe-declaration.server.ts";
import { isSafeMedia, placeOf, placesOf } from "#app/domain/storefront/sanitize/seller-css.server.ts";

type Note = (what: string, why: string) => void;
/** A stretch of the seller's text and what takes its place. */
type Edit = { from: number; to: number; text: string };

const TOO_DEEP = "há chaves ou parênteses demais uns dentro dos outros";

/**
 * A seller's CSS as they wrote it, without what the page would leave out (seller-css.server.ts), so that what is stored is
 * what is shown. Rules that may stay keep their layout.
 */
export function tidyCss(css: string): Tidied {
  const { list, note } = removals();
  if (isTooDeep(css)) {
    note(css, TOO_DEEP);
    return { kept: "", removed: list };
  }
  const sheet = parseCss(css);
  const edits = sheet.type === "StyleSheet" ? editsIn(sheet.children, css, note) : [];
  return { kept: edits.length > 0 ? apply(css, edits).trim() : css, removed: list };
}

/** The same for a `style` attribute. */
export function tidyStyle(style: string, note: Note): string {
  if (isTooDeep(style)) note(style, TOO_DEEP);
  return keptIn(parseStyle(style), style, { reach: "zone", touched: false }, note).join("; ");
}

function editsIn(nodes: List<CssNode>, css: string, note: Note): Edit[] {
  return nodes.toArray().flatMap((node): Edit[] => {
    const at = { from: node.loc!.start.offset, to: node.loc!.end.offset };
    const cut = [{ ...at, text: "" }];
    if (node.type === "Comment" || node.type === "WhiteSpace") return [];
    if (node.type === "Rule") return editRule(node, css, note);
    if (node.type !== "Atrule") {
      note(sourceOf(node, css), "não é CSS válido");
      return cut;
    }
    if (node.name.toLowerCase() !== "media" || !isSafeMedia(node) || !node.block) {
      note(`@${node.name}`, refuseAtrule(node.name));
      return cut;
    }
    const inside = editsIn(node.block.children, css, note);
    const gone = new Set(inside.flatMap(({ from, text }) => (text === "" ? [from] : [])));
    const stays = node.block.children
      .toArray()
      .some(({ type, loc }) => /rule$/i.test(type) && !gone.has(loc!.start.offset));
    return stays ? inside : cut;
  });
}

/** One rule: as it is, or written again with what each of its selectors may keep, or gone. */
function editRule(rule: Extract<CssNode, { type: "Rule" }>, css: string, note: Note): Edit[] {
  const at = { from: rule.loc!.start.offset, to: rule.loc!.end.offset };
  if (rule.prelude.type !== "SelectorList") {
    note(sourceOf(rule.prelude, css), "não é um seletor válido");
    return [{ ...at, text: "" }];
  }
  for (const selector of rule.prelude.children.toArray())
    if (!placeOf(selector)) note(sourceOf(selector, css), refuseSelector(generate(selector)));
  const kept = placesOf(rule.prelude).flatMap(({ where, nodes }) => {
    const lines = keptIn(rule.block.children, css, where, note);
    return lines.length > 0 ? [{ selectors: nodes.map((node) => sourceOf(node, css)), lines }] : [];
  });
  const selectors = kept.reduce((sum, part) => sum + part.selectors.length, 0);
  const whole =
    selectors === rule.prelude.children.size &&
    kept.every(({ lines }) => lines.length === rule.block.children.size);
  return whole ? [] : [{ ...at, text: write(kept, sourceOf(rule, css).includes("\n")) }];
}

/** The declarations that may stay, as they were written. */
function keptIn(block: List<CssNode>, css: string, where: Where, note: Note): string[] {
  return block.toArray().flatMap((node) => {
    const why = refuseDeclaration(node, where);
    const text = sourceOf(node, css);
    if (why) note(node.type === "Declaration" ? text : text.split("{")[0]!, why);
    return why ? [] : [text];
  });
}

/** Selectors that keep the same stay together. */
function write(kept: { selectors: string[]; lines: string[] }[], tall: boolean): string {
  const groups = new Map<string, string[]>();
  for (const { selectors, lines } of kept) {
    const body = tall ? `{\n${lines.map((line) => `  ${line};\n`).join("")}}` : `{ ${lines.join("; ")}; }`;
    groups.set(body, [...(groups.get(body) ?? []), ...selectors]);
  }
  return [...groups].map(([body, of]) => `${of.join(", ")} ${body}`).join(tall ? "\n" : " ");
}

function sourceOf(node: CssNode, css: string): string {
  return css.slice(node.loc!.start.offset, node.loc!.end.offset).trim();
}

/** The text with its edits, which stand in order; a line that is empty now goes too. */
function apply(css: string, edits: Edit[]): string {
  const emptied = /[ \t]*\n/y;
  let at = 0;
  let text = "";
  for (const edit of edits) {
    text += css.slice(at, edit.from) + edit.text;
    emptied.lastIndex = edit.to;
    at = edit.text === "" && emptied.test(css) ? emptied.lastIndex : edit.to;
  }
  return text + css.slice(at);
}
