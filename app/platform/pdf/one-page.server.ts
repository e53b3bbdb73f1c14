import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { drawable } from "#app/platform/pdf/drawable.ts";

/** A piece of the page, from top to bottom. An `amount` stands at the right edge, the `value` of a `fact` beside its label. */
export type PagePart =
  | { kind: "heading" | "note"; text: string }
  | { kind: "amount"; label: string; value: string; isTotal?: boolean }
  | { kind: "fact"; label: string; value: string };

const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 56];
const ROOM = WIDTH - 2 * MARGIN;
/** Where the value of a fact begins, and how much of the width an amount may take. */
const LABELS = 0.3;
const AMOUNTS = 0.25;
/** No text is read further than this: laying one out must not be work that a stranger can order. */
const LONGEST = 400;

/** Tried in this order until all parts fit: how large the letters are, and how many lines one text may take. */
const FITS = [
  { scale: 1, lines: 4 },
  { scale: 0.85, lines: 4 },
  { scale: 0.7, lines: 3 },
  { scale: 0.7, lines: 1 },
] as const;
type Fit = { scale: number; lines: number };
type Fonts = { plain: PDFFont; bold: PDFFont };
type Line = { text: string; x: number; y: number; size: number; font: PDFFont; isPale: boolean };

/**
 * One sheet of A4 in Helvetica, which every reader has and which holds all Portuguese letters. What does not fit is set
 * smaller, then cut.
 */
export async function onePagePdf(title: string, parts: PagePart[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(
    drawable(title.slice(0, LONGEST), () => true),
    { showInWindowTitleBar: true },
  );
  pdf.setLanguage("pt-BR");
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const known = new Set(fonts.plain.getCharacterSet());
  const clean = (text: string) =>
    drawable(text.slice(0, LONGEST).toWellFormed(), (code) => known.has(code)) || "–";
  const cleaned = parts.map((part) =>
    "text" in part
      ? { ...part, text: clean(part.text) }
      : { ...part, label: clean(part.label), value: clean(part.value) },
  );
  const laid = FITS.map((fit) => layOut(cleaned, fit, fonts));
  const chosen = laid.find((lines) => lines.every(({ y }) => y >= MARGIN)) ?? laid.at(-1)!;
  draw(pdf.addPage([WIDTH, HEIGHT]), chosen);
  return pdf.save();
}

function draw(page: PDFPage, lines: Line[]): void {
  for (const { text, x, y, size, font, isPale } of lines) {
    if (y < MARGIN) continue;
    const shade = isPale ? 0.35 : 0.1;
    page.drawText(text, { x, y, size, font, color: rgb(shade, shade, shade) });
  }
}

function layOut(parts: PagePart[], { scale, lines: most }: Fit, { plain, bold }: Fonts): Line[] {
  const size = 10.5 * scale;
  const height = size * 1.4;
  const out: Line[] = [];
  let y = HEIGHT - MARGIN;
  const put = (texts: string[], x: number | "right", font: PDFFont, isPale = false, at = size) => {
    texts.forEach((text, row) => {
      const left = x === "right" ? WIDTH - MARGIN - font.widthOfTextAtSize(text, at) : x;
      out.push({ text, x: left, y: y - (row + 1) * (at * 1.4), size: at, font, isPale });
    });
    return texts.length * (at * 1.4);
  };
  for (const part of parts) {
    if (part.kind === "heading") {
      y -= height * 0.6;
      y -= put(wrap(part.text, bold, size * 1.5, ROOM, most), MARGIN, bold, false, size * 1.5) + height * 0.4;
    } else if ("text" in part) {
      y -= height * 0.6;
      y -= put(wrap(part.text, plain, size * 0.85, ROOM, most), MARGIN, plain, true, size * 0.85);
    } else if (part.kind === "amount") {
      const font = part.isTotal ? bold : plain;
      const label = wrap(part.label, font, size, ROOM * (1 - AMOUNTS) - size, most);
      put(wrap(part.value, font, size, ROOM * AMOUNTS, 1), "right", font);
      y -= put(label, MARGIN, font) + height * 0.25;
    } else {
      const label = wrap(part.label, plain, size, ROOM * LABELS - size, most);
      const value = wrap(part.value, plain, size, ROOM * (1 - LABELS), most);
      y -=
        Math.max(put(label, MARGIN, plain, true), put(value, MARGIN + ROOM * LABELS, plain)) + height * 0.25;
    }
  }
  return out;
}

/** Lines no wider than `room`, broken at blanks, within a word only where it has none; the last ends with … where text is left. */
function wrap(text: string, font: PDFFont, size: number, room: number, most: number): string[] {
  const isWide = (line: string) => font.widthOfTextAtSize(line, size) > room;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => broken(each, isWide))) {
    const longer = line ? `${line} ${word}` : word;
    if (line && isWide(longer)) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  if (lines.length <= most) return lines;
  let last = lines[most - 1]!;
  while (last !== "" && isWide(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}

function broken(word: string, isWide: (line: string) => boolean): string[] {
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
