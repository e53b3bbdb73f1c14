import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { toPrintable } from "#app/platform/pdf/to-printable.ts";

/**
 * Parts of the page, from top to bottom. An `amount` is aligned right, the `value` of a `fact` begins beside its label.
 */
export type PagePart =
  | { kind: "heading" | "note"; text: string }
  | { kind: "amount"; label: string; value: string; isTotal?: boolean }
  | { kind: "fact"; label: string; value: string };

const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 56];
const CONTENT_WIDTH = WIDTH - 2 * MARGIN;
/** Where the value of a fact begins, and the share of the width an amount may take. */
const LABEL_SHARE = 0.3;
const AMOUNT_SHARE = 0.25;
/** Longer texts are cut first, since layout time grows with the length and strangers choose the text. */
const MAX_TEXT_LENGTH = 400;

/** Font sizes and line limits, used in this order until all parts fit. */
const LAYOUTS = [
  { scale: 1, lines: 4 },
  { scale: 0.85, lines: 4 },
  { scale: 0.7, lines: 3 },
  { scale: 0.7, lines: 1 },
] as const;
type Layout = { scale: number; lines: number };
type Fonts = { plain: PDFFont; bold: PDFFont };
type Line = { text: string; x: number; y: number; size: number; font: PDFFont; isPale: boolean };

/**
 * One A4 page in Helvetica, which every reader has and which holds all Portuguese letters. Content that does not fit is
 * set smaller, then cut.
 */
export async function renderOnePagePdf(title: string, parts: PagePart[]): Promise<Uint8Array> {
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
  const layouts = LAYOUTS.map((fit) => layOut(cleaned, fit, fonts));
  const chosen = layouts.find((lines) => lines.every(({ y }) => y >= MARGIN)) ?? layouts.at(-1)!;
  renderLines(pdf.addPage([WIDTH, HEIGHT]), chosen);
  return pdf.save();
}

function renderLines(page: PDFPage, lines: Line[]): void {
  for (const { text, x, y, size, font, isPale } of lines) {
    if (y < MARGIN) continue;
    const shade = isPale ? 0.35 : 0.1;
    page.drawText(text, { x, y, size, font, color: rgb(shade, shade, shade) });
  }
}

function layOut(parts: PagePart[], { scale, lines: maxLines }: Layout, { plain, bold }: Fonts): Line[] {
  const size = 10.5 * scale;
  const height = size * 1.4;
  const laidLines: Line[] = [];
  let y = HEIGHT - MARGIN;
  const addLines = (texts: string[], x: number | "right", font: PDFFont, isPale = false, at = size) => {
    texts.forEach((text, row) => {
      const left = x === "right" ? WIDTH - MARGIN - font.widthOfTextAtSize(text, at) : x;
      laidLines.push({ text, x: left, y: y - (row + 1) * (at * 1.4), size: at, font, isPale });
    });
    return texts.length * (at * 1.4);
  };
  for (const part of parts) {
    if (part.kind === "heading") {
      y -= height * 0.6;
      y -=
        addLines(
          wrap(part.text, bold, size * 1.5, CONTENT_WIDTH, maxLines),
          MARGIN,
          bold,
          false,
          size * 1.5,
        ) +
        height * 0.4;
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
  }
  return laidLines;
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
