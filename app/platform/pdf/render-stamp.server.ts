import type { StandardFontEmbedder } from "@cantoo/pdf-lib";
import type { FoundPage } from "#app/platform/pdf/find-pages.server.ts";
import { toPrintable } from "#app/platform/pdf/to-printable.ts";

/** If the line is too long, the end of `name` is cut; `after` stays complete. */
export type StampText = { before: string; name: string; after: string };

/** In points on an A4-wide page; scaled up on a larger one. */
const FONT_SIZE = 7;
const A4_WIDTH = 595;
const MARGIN = 18;
const BASELINE = 10;
/** How far a line that is too long is shrunk before its name is cut. */
const MIN_SCALE = 0.8;

type Page = Pick<FoundPage, "box" | "rotation" | "unit">;

/**
 * The content stream that writes the text at the foot of a page as it is read: dark with a light outline, readable on
 * any background.
 */
export function renderStamp(
  page: Page,
  stampText: StampText,
  font: StandardFontEmbedder,
  fontName: string,
): string {
  const { box, rotation } = page;
  const [across, down] = [box.right - box.left, box.top - box.bottom];
  const width = rotation % 180 === 0 ? across : down;
  const ratio = Math.min(across, down) / A4_WIDTH;
  // A small page gets a smaller margin, within limits.
  const scale = Math.min(Math.sqrt(ratio), Math.max(1, ratio));
  const maxWidth = Math.max(width - 2 * MARGIN * scale, width / 2);
  const { text, size } = fitText(stampText, font, FONT_SIZE * scale, maxWidth);
  const x = Math.max(0, (width - font.widthOfTextAtSize(text, size)) / 2);
  const at = [...ROTATIONS[rotation], ...lowerLeftCorner(page)].map(decimal).join(" ");
  const hex = font.encodeText(text).toString();
  return [
    // Closes the page's own graphics state.
    "\nQ\nq",
    `${at} cm`,
    // Marked as an artifact, so that screen readers skip it.
    `/Artifact BMC BT /${fontName} ${decimal(size)} Tf 0 Tc 0 Tw 100 Tz 0 Ts`,
    `1 0 0 1 ${decimal(x)} ${decimal(BASELINE * scale)} Tm`,
    `1 J 1 j [] 0 d ${decimal(size * 0.16)} w 1 G 0.3 g`,
    `1 Tr ${hex} Tj`,
    `1 0 0 1 ${decimal(x)} ${decimal(BASELINE * scale)} Tm 0 Tr ${hex} Tj`,
    "ET EMC Q\n",
  ].join("\n");
}

/** Matrices that rotate the text with the page; its lower left corner, as it is read, is at `lowerLeftCorner`. */
const ROTATIONS = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] };

function lowerLeftCorner({ box, rotation }: Page): [number, number] {
  if (rotation === 90) return [box.right, box.bottom];
  if (rotation === 180) return [box.right, box.top];
  if (rotation === 270) return [box.left, box.top];
  return [box.left, box.bottom];
}

function fitText(stampText: StampText, font: StandardFontEmbedder, size: number, maxWidth: number) {
  const { before, name, after } = toPrintableText(stampText, font);
  const textWidth = (text: string) => font.widthOfTextAtSize(text, size);
  const line = (name: string) => `${before} ${[name, after].filter(Boolean).join(" · ")}`;
  const letters = [...name];
  let text = line(name);
  while (textWidth(text) * MIN_SCALE > maxWidth && letters.length > 1) {
    letters.pop();
    text = line(`${letters.join("").trimEnd()}…`);
  }
  return { text, size: size * Math.min(1, maxWidth / textWidth(text)) };
}

function toPrintableText({ before, name, after }: StampText, font: StandardFontEmbedder): StampText {
  const printable = (text: string) =>
    toPrintable(text, (code) => font.encoding.canEncodeUnicodeCodePoint(code));
  return { before: printable(before), name: printable(name), after: printable(after) };
}

function decimal(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
