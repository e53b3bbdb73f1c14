import { type CssNode, generate, type List } from "css-tree";
import { refuseAtrule, refuseDeclaration, refuseSelector } from "#app/domain/storefront/refuse-css.server.ts";
import { removals, type Tidied } from "#app/domain/storefront/removal.ts";
import {
  isSafeMedia,
  parseCss,
  parseStyle,
  placeOf,
  type Where,
} from "#app/domain/storefront/seller-css.server.ts";

type Note = (what: string, why: string) => void;
/** A stretch of the seller's text and what takes its place. */
type Edit = { from: number; to: number; text: string };

/**
 * A seller's CSS as they wrote it, without what the page would leave out (seller-css.server.ts), so that what is stored is
 * what is shown. Rules that may stay keep their layout.
 */
export function tidyCss(css: string): Tidied {
  const { list, note } = removals();
  const sheet = parseCss(css);
  const edits = sheet.type === "StyleSheet" ? editsIn(sheet.children, css, note) : [];
  return { kept: edits.length > 0 ? apply(css, edits).trim() : css, removed: list };
}

/** The same for a `style` attribute. */
export function tidyStyle(style: string, note: Note): string {
  const kept = keptIn(parseStyle(style), style, "zone", note);
  return kept.join("; ");
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
    const rules = node.block.children.toArray().filter(({ type }) => type === "Rule");
    const gone = rules.filter((rule) =>
      inside.some(({ from, text }) => text === "" && from === rule.loc!.start.offset),
    );
    return gone.length === rules.length ? cut : inside;
  });
}

/** One rule: as it is, or written again with what each of its selectors may keep, or gone. */
function editRule(rule: Extract<CssNode, { type: "Rule" }>, css: string, note: Note): Edit[] {
  const at = { from: rule.loc!.start.offset, to: rule.loc!.end.offset };
  if (rule.prelude.type !== "SelectorList") {
    note(sourceOf(rule.prelude, css), "não é um seletor válido");
    return [{ ...at, text: "" }];
  }
  const kept: { selector: string; lines: string[] }[] = [];
  let whole = true;
  for (const selector of rule.prelude.children.toArray()) {
    const text = generate(selector);
    const place = placeOf(selector);
    if (!place) note(sourceOf(selector, css), refuseSelector(text));
    const lines = place ? keptIn(rule.block.children, css, place.where, note) : [];
    whole &&= lines.length > 0 && lines.length === rule.block.children.size;
    if (lines.length > 0) kept.push({ selector: sourceOf(selector, css), lines });
  }
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
function write(kept: { selector: string; lines: string[] }[], tall: boolean): string {
  const groups = new Map<string, string[]>();
  for (const { selector, lines } of kept) {
    const body = tall ? `{\n${lines.map((line) => `  ${line};\n`).join("")}}` : `{ ${lines.join("; ")}; }`;
    groups.set(body, [...(groups.get(body) ?? []), selector]);
  }
  return [...groups].map(([body, selectors]) => `${selectors.join(", ")} ${body}`).join(tall ? "\n" : " ");
}

function sourceOf(node: CssNode, css: string): string {
  return css.slice(node.loc!.start.offset, node.loc!.end.offset).trim();
}

function apply(css: string, edits: Edit[]): string {
  return edits.reduceRight((text, { from, to, text: by }) => {
    const after = text.slice(to);
    return text.slice(0, from) + by + (by === "" ? after.replace(/^[ \t]*\n/, "") : after);
  }, css);
}
