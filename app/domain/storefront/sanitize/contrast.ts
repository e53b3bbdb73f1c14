/** Minimum contrast of text. Source: WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5;
/** The same for large text: from 24 px, or from 18.66 px in bold. */
const LARGE_TEXT_CONTRAST = 3;

const WHITE = "#ffffff";
const DARK_TEXT = "#111827";
/** The share of white at the top of a gradient button (ui/buyer/styles/order.css). */
const GRADIENT_WHITE = 0.12;

/**
 * How a colour is used: for text on a background, under our white or near-black text, or as the buy button (large,
 * bold). Colours are `#rrggbb`.
 */
export type ColorUse = { textOn: string } | { under: "text" } | { under: "button"; gradient: boolean };

/** Advice on a colour that is hard to read. `nearest` is the closest readable colour. */
export type ColorAdvice = { ratio: number; needed: number; nearest: string };

/** Advice for a colour and its use; null if it is readable. */
export function adviseColor(color: string, use: ColorUse): ColorAdvice | null {
  if ("textOn" in use) {
    const ratio = contrast(color, use.textOn);
    if (ratio >= TEXT_CONTRAST) return null;
    return { ratio, needed: TEXT_CONTRAST, nearest: nearestReadable(color, use.textOn) };
  }
  const button = use.under === "button";
  const needed = button ? LARGE_TEXT_CONTRAST : TEXT_CONTRAST;
  const shade = (background: string) =>
    button && use.gradient ? mix(background, 255, GRADIENT_WHITE) : background;
  const ratio = contrast(shade(color), button ? buttonTextColor(color) : textColorOn(color));
  if (ratio >= needed) return null;
  const fits = (background: string, textColor: string) => contrast(shade(background), textColor) >= needed;
  const darker = moveTowards(color, 0, (background) => fits(background, WHITE));
  const lighter = moveTowards(color, 255, (background) => fits(background, DARK_TEXT));
  // A button keeps its white text as long as possible, so only a darker colour helps.
  const nearest = button || distance(color, darker) <= distance(color, lighter) ? darker : lighter;
  return { ratio, needed, nearest };
}

/** The text colour of the buy button: white if readable as large text, since it suits more colours. */
export function buttonTextColor(color: string): string {
  return contrast(color, WHITE) >= LARGE_TEXT_CONTRAST ? WHITE : DARK_TEXT;
}

/** Near-black or white, whichever is more readable on a colour. */
export function textColorOn(color: string): string {
  return contrast(color, WHITE) >= contrast(color, DARK_TEXT) ? WHITE : DARK_TEXT;
}

/** The nearest colour, darker or lighter, that is readable on a background. */
export function nearestReadable(color: string, background: string): string {
  const fits = (moving: string) => contrast(moving, background) >= TEXT_CONTRAST;
  return moveTowards(color, luminance(background) > 0.18 ? 0 : 255, fits);
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

/** A colour moved towards black (0) or white (255), only as far as needed to fit. */
function moveTowards(color: string, towards: 0 | 255, fits: (color: string) => boolean): string {
  if (fits(color)) return color;
  for (let step = 0.01; step < 1; step += 0.01) {
    const shifted = mix(color, towards, step);
    if (fits(shifted)) return shifted;
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
