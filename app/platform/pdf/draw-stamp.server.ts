import type { StandardFontEmbedder } from "@cantoo/pdf-lib";
import { drawable } from "#app/platform/pdf/drawable.ts";
import type { FoundPage } from "#app/platform/pdf/find-pages.server.ts";
import type { StampWords } from "#app/platform/pdf/stamp.server.ts";

/** Points on a page as wide as a sheet of A4; larger on a larger one. */
const SIZE = 7;
const SHEET = 595;
const MARGIN = 18;
const FOOT = 10;
/** How far a line that is too long is made smaller before its name is cut. */
const SMALLEST = 0.8;

type Page = Pick<FoundPage, "box" | "rotation" | "unit">;

/** What draws the words at the foot of a page as it is read: dark, with a light edge, so that any ground shows them. */
export function stampDrawing(
  page: Page,
  words: StampWords,
  font: StandardFontEmbedder,
  fontName: string,
): string {
  const { box, rotation } = page;
  const [across, down] = [box.right - box.left, box.top - box.bottom];
  const width = rotation % 180 === 0 ? across : down;
  const ratio = Math.min(across, down) / SHEET;
  // A small page is held closer, but not that much.
  const scale = Math.min(Math.sqrt(ratio), Math.max(1, ratio));
  const room = Math.max(width - 2 * MARGIN * scale, width / 2);
  const { text, size } = fitted(words, font, SIZE * scale, room);
  const begin = Math.max(0, (width - font.widthOfTextAtSize(text, size)) / 2);
  const at = [...TURNS[rotation], ...corner(page)].map(decimal).join(" ");
  const hex = font.encodeText(text).toString();
  return [
    // Ends what the page began.
    "\nQ\nq",
    `${at} cm`,
    // Nothing of what the page says: a voice that reads it leaves this out.
    `/Artifact BMC BT /${fontName} ${decimal(size)} Tf 0 Tc 0 Tw 100 Tz 0 Ts`,
    `1 0 0 1 ${decimal(begin)} ${decimal(FOOT * scale)} Tm`,
    `1 J 1 j [] 0 d ${decimal(size * 0.16)} w 1 G 0.3 g`,
    `1 Tr ${hex} Tj`,
    `1 0 0 1 ${decimal(begin)} ${decimal(FOOT * scale)} Tm 0 Tr ${hex} Tj`,
    "ET EMC Q\n",
  ].join("\n");
}

/** Turns what is drawn as the page is turned; its lower left corner, as it is read, comes where `corner` tells. */
const TURNS = { 0: [1, 0, 0, 1], 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] };

function corner({ box, rotation }: Page): [number, number] {
  if (rotation === 90) return [box.right, box.bottom];
  if (rotation === 180) return [box.right, box.top];
  if (rotation === 270) return [box.left, box.top];
  return [box.left, box.bottom];
}

function fitted(words: StampWords, font: StandardFontEmbedder, size: number, room: number) {
  const { before, name, after } = clean(words, font);
  const wide = (text: string) => font.widthOfTextAtSize(text, size);
  const line = (name: string) => `${before} ${[name, after].filter(Boolean).join(" · ")}`;
  const letters = [...name];
  let text = line(name);
  while (wide(text) * SMALLEST > room && letters.length > 1) {
    letters.pop();
    text = line(`${letters.join("").trimEnd()}…`);
  }
  return { text, size: size * Math.min(1, room / wide(text)) };
}

function clean({ before, name, after }: StampWords, font: StandardFontEmbedder): StampWords {
  const draw = (text: string) => drawable(text, (code) => font.encoding.canEncodeUnicodeCodePoint(code));
  return { before: draw(before), name: draw(name), after: draw(after) };
}

function decimal(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
