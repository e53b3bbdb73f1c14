import type { Color, PDFFont, PDFPage } from "@cantoo/pdf-lib";
import { toPrintable } from "#app/platform/pdf/to-printable.ts";

/**
 * Parts of a page, from top to bottom. An `amount` is aligned right, the `value` of a `fact` begins beside its label.
 */
export type PagePart =
  | { kind: "heading" | "note"; text: string }
  | { kind: "amount"; label: string; value: string; isTotal?: boolean }
  | { kind: "fact"; label: string; value: string };

/** A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 56 };
const MARGIN = PAGE.margin;
const CONTENT_WIDTH = PAGE.width - 2 * MARGIN;
/** Where the value of a fact begins, and the share of the width an amount may take. */
const LABEL_SHARE = 0.3;
const AMOUNT_SHARE = 0.25;
/** Longer texts are cut first, since layout time grows with the length and strangers choose the text. */
const MAX_TEXT_LENGTH = 400;

/** The size of letters, and how many lines a text may take before it is cut. */
export type Layout = { scale: number; lines: number };
type Fonts = { plain: PDFFont; bold: PDFFont };
type Inks = { dark: Color; pale: Color };
export type Line = { text: string; x: number; y: number; size: number; font: PDFFont; isPale: boolean };
/** A part as lines; their `y` counts from its top, so it is negative. */
export type Block = { height: number; lines: Line[] };

/**
 * A document in Helvetica, which every reader has and which holds all Portuguese letters, and its parts as they can be printed.
 * The library takes 18 MB, so it is loaded with the first document.
 */
export async function beginPdf(title: string, parts: PagePart[]) {
  const { PDFDocument, rgb, StandardFonts } = await import("@cantoo/pdf-lib");
  const pdf = await PDFDocument.create();
  pdf.setTitle(
    toPrintable(title.slice(0, MAX_TEXT_LENGTH), () => true),
    { showInWindowTitleBar: true },
  );
  pdf.setLanguage("pt-BR");
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const known = new Set(fonts.plain.getCharacterSet());
  const clean = (text: string) =>
    toPrintable(text.slice(0, MAX_TEXT_LENGTH).toWellFormed(), (code) => known.has(code)) || "–";
  const cleaned = parts.map((part) =>
    "text" in part
      ? { ...part, text: clean(part.text) }
      : { ...part, label: clean(part.label), value: clean(part.value) },
  );
  const inks: Inks = { dark: rgb(0.1, 0.1, 0.1), pale: rgb(0.35, 0.35, 0.35) };
  return { pdf, fonts, inks, parts: cleaned };
}

/** Writes the lines that are above the lower margin. */
export function renderLines(page: PDFPage, lines: Line[], inks: Inks): void {
  for (const { text, x, y, size, font, isPale } of lines) {
    if (y < MARGIN) continue;
    page.drawText(text, { x, y, size, font, color: isPale ? inks.pale : inks.dark });
  }
}

/** The lines of blocks that begin at the top of a page, whether or not they fit. */
export function stackBlocks(blocks: Block[]): Line[] {
  let top = PAGE.height - MARGIN;
  return blocks.flatMap(({ lines, height }) => {
    const placed = lines.map((line) => ({ ...line, y: top + line.y }));
    top -= height;
    return placed;
  });
}

/** Breaks a part into lines. */
export function layOut(part: PagePart, { scale, lines: maxLines }: Layout, { plain, bold }: Fonts): Block {
  const size = 10.5 * scale;
  const height = size * 1.4;
  const lines: Line[] = [];
  let y = 0;
  const addLines = (texts: string[], x: number | "right", font: PDFFont, isPale = false, at = size) => {
    texts.forEach((text, row) => {
      const left = x === "right" ? PAGE.width - MARGIN - font.widthOfTextAtSize(text, at) : x;
      lines.push({ text, x: left, y: y - (row + 1) * (at * 1.4), size: at, font, isPale });
    });
    return texts.length * (at * 1.4);
  };
  if (part.kind === "heading") {
    y -= height * 0.6;
    const texts = wrap(part.text, bold, size * 1.5, CONTENT_WIDTH, maxLines);
    y -= addLines(texts, MARGIN, bold, false, size * 1.5) + height * 0.4;
  } else if ("text" in part) {
    y -= height * 0.6;
    y -= addLines(
      wrap(part.text, plain, size * 0.85, CONTENT_WIDTH, maxLines),
      MARGIN,
      plain,
      true,
      size * 0.85,
    );
  } else if (part.kind === "amount") {
    const font = part.isTotal ? bold : plain;
    const label = wrap(part.label, font, size, CONTENT_WIDTH * (1 - AMOUNT_SHARE) - size, maxLines);
    addLines(wrap(part.value, font, size, CONTENT_WIDTH * AMOUNT_SHARE, 1), "right", font);
    y -= addLines(label, MARGIN, font) + height * 0.25;
  } else {
    const label = wrap(part.label, plain, size, CONTENT_WIDTH * LABEL_SHARE - size, maxLines);
    const value = wrap(part.value, plain, size, CONTENT_WIDTH * (1 - LABEL_SHARE), maxLines);
    y -=
      Math.max(
        addLines(label, MARGIN, plain, true),
        addLines(value, MARGIN + CONTENT_WIDTH * LABEL_SHARE, plain),
      ) +
      height * 0.25;
  }
  return { lines, height: -y };
}

/**
 * Lines no wider than `maxWidth`, broken at blanks, or within a word without any; the last ends with … if text is left.
 */
function wrap(text: string, font: PDFFont, size: number, maxWidth: number, maxLines: number): string[] {
  const isWide = (line: string) => font.widthOfTextAtSize(line, size) > maxWidth;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => breakWord(each, isWide))) {
    const longer = line ? `${line} ${word}` : word;
    if (line && isWide(longer)) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  if (lines.length <= maxLines) return lines;
  let last = lines[maxLines - 1]!;
  while (last !== "" && isWide(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, maxLines - 1), `${last.trimEnd()}…`];
}

function breakWord(word: string, isWide: (line: string) => boolean): string[] {
  if (!isWide(word)) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const letter of word) {
    if (piece && isWide(piece + letter)) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}
