/**
 * Round steps from 0 to at least `max`, about `count` of them: `niceSteps(87, 4)` → `[0, 25, 50, 75, 100]`. Whole
 * numbers only, since there is no half a sale.
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
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

/** The same, closed along `base`: the area under the line. */
export function areaPath(points: [number, number][], base: number): string {
  if (points.length === 0) return "";
  return `${linePath(points)}L${round(points.at(-1)![0])} ${round(base)}L${round(points[0]![0])} ${round(base)}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
