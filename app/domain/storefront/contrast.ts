/** Contrast that text needs to be read. Source: WCAG 2.2, 1.4.3. */
export const TEXT_CONTRAST = 4.5;
/** The same for large text: from 24 px, or from 18.66 px in bold. */
export const LARGE_TEXT_CONTRAST = 3;

const WHITE = "#ffffff";
const INK = "#111827";

/** How a colour is used: for text on a ground, or as the ground of our white or near-black text. Colours are `#rrggbb`. */
export type ColorUse = { textOn: string } | { groundOf: "text" | "large text" };

/** What to say of a colour that is hard to read. `nearest` is the readable colour closest to it. */
export type ColorAdvice = { ratio: number; needed: number; nearest: string };

/** What is wrong with a colour for its use; null where it can be read. */
export function adviseColor(color: string, use: ColorUse): ColorAdvice | null {
  if ("textOn" in use) {
    const ratio = contrast(color, use.textOn);
    if (ratio >= TEXT_CONTRAST) return null;
    return { ratio, needed: TEXT_CONTRAST, nearest: readable(color, use.textOn) };
  }
  const needed = use.groundOf === "text" ? TEXT_CONTRAST : LARGE_TEXT_CONTRAST;
  const ratio = contrast(color, inkOn(color));
  if (ratio >= needed) return null;
  const [darker, lighter] = [moved(color, 0, WHITE, needed), moved(color, 255, INK, needed)];
  return { ratio, needed, nearest: distance(color, darker) <= distance(color, lighter) ? darker : lighter };
}

/** Near-black or white, whichever reads better on a colour. */
export function inkOn(color: string): string {
  return contrast(color, WHITE) >= contrast(color, INK) ? WHITE : INK;
}

/** The nearest colour, darker or lighter, in which text can be read on a ground. */
export function readable(color: string, ground: string): string {
  return moved(color, luminance(ground) > 0.18 ? 0 : 255, ground, TEXT_CONTRAST);
}

/** 1 (the same) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance, 0 (black) to 1 (white). Source: WCAG 2.2. */
export function luminance(color: string): number {
  const [r, g, b] = channelsOf(color).map((c) => {
    const part = c / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** A colour moved towards black (0) or white (255), no further than `needed` asks. */
function moved(color: string, towards: 0 | 255, against: string, needed: number): string {
  const channels = channelsOf(color);
  for (let step = 0; step <= 100; step++) {
    const now = toHex(channels.map((c) => Math.round(c + ((towards - c) * step) / 100)));
    if (contrast(now, against) >= needed) return step === 0 ? color : now;
  }
  return towards === 0 ? "#000000" : WHITE;
}

function distance(a: string, b: string): number {
  const other = channelsOf(b);
  return channelsOf(a).reduce((sum, c, at) => sum + (c - other[at]!) ** 2, 0);
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function toHex(channels: number[]): string {
  return `#${channels.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}
