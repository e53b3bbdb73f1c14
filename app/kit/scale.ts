/**
 * Round steps from 0 to at least `max`, about `count` of them: `niceSteps(87, 4)` → `[0, 25, 50, 75, 100]`.
 * Whole numbers only, so that nobody reads of half a sale.
 */
export function niceSteps(max: number, count: number): number[] {
  const rough = Math.max(max, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= rough)!;
  const step = Math.max(1, Math.ceil(factor * power));
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, i) => i * step);
}

/** An SVG path through points. */
export function linePath(points: [number, number][]): string {
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${short(x)} ${short(y)}`).join("");
}

/** The same, closed along `base`: what lies under the line. */
export function areaPath(points: [number, number][], base: number): string {
  if (points.length === 0) return "";
  return `${linePath(points)}L${short(points.at(-1)![0])} ${short(base)}L${short(points[0]![0])} ${short(base)}Z`;
}

function short(value: number): number {
  return Math.round(value * 100) / 100;
}
