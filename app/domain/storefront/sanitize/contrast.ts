/** Contrast that text needs to be read. Source: WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5;
/** The same for large text: from 24 px, or from 18.66 px in bold. */
const LARGE_TEXT_CONTRAST = 3;

const WHITE = "#ffffff";
const INK = "#111827";
/** How much white the top of a gradient button has (ui/buyer/styles/order.css). */
const GRADIENT_LIGHT = 0.12;

/**
 * How a colour is used: for text on a ground, under our white or near-black text, or as the buy button (large, bold).
 * Colours are `#rrggbb`.
 */
export type ColorUse = { textOn: string } | { under: "text" } | { under: "button"; gradient: boolean };

/** What to say of a colour that is hard to read. `nearest` is the readable colour closest to it. */
export type ColorAdvice = { ratio: number; needed: number; nearest: string };

/** What is wrong with a colour for its use; null where it can be read. */
export function adviseColor(color: string, use: ColorUse): ColorAdvice | null {
  if ("textOn" in use) {
    const ratio = contrast(color, use.textOn);
    if (ratio >= TEXT_CONTRAST) return null;
    return { ratio, needed: TEXT_CONTRAST, nearest: readable(color, use.textOn) };
  }
  const button = use.under === "button";
  const needed = button ? LARGE_TEXT_CONTRAST : TEXT_CONTRAST;
  const shade = (ground: string) => (button && use.gradient ? mix(ground, 255, GRADIENT_LIGHT) : ground);
  const ratio = contrast(shade(color), button ? buttonInk(color) : inkOn(color));
  if (ratio >= needed) return null;
  const fits = (ground: string, ink: string) => contrast(shade(ground), ink) >= needed;
  const darker = moved(color, 0, (ground) => fits(ground, WHITE));
  const lighter = moved(color, 255, (ground) => fits(ground, INK));
  // A button keeps its white text for as long as it can: only darker helps it.
  const nearest = button || distance(color, darker) <= distance(color, lighter) ? darker : lighter;
  return { ratio, needed, nearest };
}

/** The text on the buy button: white where it can be read as large text, since it looks right on more colours. */
export function buttonInk(color: string): string {
  return contrast(color, WHITE) >= LARGE_TEXT_CONTRAST ? WHITE : INK;
}

/** Near-black or white, whichever reads better on a colour. */
export function inkOn(color: string): string {
  return contrast(color, WHITE) >= contrast(color, INK) ? WHITE : INK;
}

/** The nearest colour, darker or lighter, in which text can be read on a ground. */
export function readable(color: string, ground: string): string {
  const fits = (moving: string) => contrast(moving, ground) >= TEXT_CONTRAST;
  return moved(color, luminance(ground) > 0.18 ? 0 : 255, fits);
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

/** A colour moved towards black (0) or white (255), no further than it must to fit. */
function moved(color: string, towards: 0 | 255, fits: (color: string) => boolean): string {
  if (fits(color)) return color;
  for (let step = 0.01; step < 1; step += 0.01) {
    const now = mix(color, towards, step);
    if (fits(now)) return now;
  }
  return towards === 0 ? "#000000" : WHITE;
}

function mix(color: string, towards: 0 | 255, part: number): string {
  const channels = channelsOf(color).map((c) => Math.round(c + (towards - c) * part));
  return `#${channels.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

function distance(a: string, b: string): number {
  const other = channelsOf(b);
  return channelsOf(a).reduce((sum, c, at) => sum + (c - other[at]!) ** 2, 0);
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
