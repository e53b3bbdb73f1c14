import { pick } from "#app/kit/pick.ts";

/** Minimum and maximum of a value by its unit (`""` for a bare number). */
export type Limits = Record<string, readonly [least: number, most: number]>;

const SPACING_LIMITS: Limits = {
  "": [0, 0],
  px: [0, 32],
  rem: [0, 2],
  em: [0, 1],
  "%": [0, 4],
  vw: [0, 3],
};
const BORDER_LIMITS: Limits = { "": [0, 0], px: [0, 6], rem: [0, 0.375], em: [0, 0.15] };
const RADIUS_LIMITS: Limits = { "": [0, 0], px: [0, 9999], rem: [0, 99], em: [0, 99], "%": [0, 100] };
/** Position and size of a background. They change no box. */
const BACKGROUND_LIMITS: Limits = { "": [0, 0], px: [0, 2000], rem: [0, 100], em: [0, 100], "%": [0, 200] };

/** What a seller may set on our own elements: all values in range stay readable and keep the layout. */
const HOOK_LIMITS: Record<string, Limits> = {
  "font-size": { px: [12, 40], rem: [0.75, 2.5], em: [0.75, 2.5], "%": [75, 250] },
  "font-weight": { "": [100, 900] },
  "letter-spacing": { "": [0, 0], px: [-1, 8], rem: [-0.05, 0.5], em: [-0.05, 0.4] },
  "line-height": { "": [0.9, 2], px: [14, 72], rem: [0.9, 4.5], em: [0.9, 2], "%": [90, 200] },
  opacity: { "": [0.5, 1], "%": [50, 100] },
  border: BORDER_LIMITS,
  "border-width": BORDER_LIMITS,
  "border-radius": RADIUS_LIMITS,
  padding: SPACING_LIMITS,
  background: BACKGROUND_LIMITS,
};
for (const side of ["top", "right", "bottom", "left"]) {
  HOOK_LIMITS[`border-${side}`] = BORDER_LIMITS;
  HOOK_LIMITS[`padding-${side}`] = SPACING_LIMITS;
}

/** For a seller's own HTML, which stays within its zone: enough for a headline. */
const ZONE_LIMITS: Limits = {
  "": [0, 1000],
  "%": [0, 100],
  px: [0, 600],
  em: [0, 20],
  rem: [0, 20],
  ch: [0, 80],
  vw: [0, 60],
  vh: [0, 40],
  deg: [0, 360],
  fr: [0, 12],
};
const ZONE_RADIUS_LIMITS: Limits = { ...ZONE_LIMITS, ...RADIUS_LIMITS };

/** Within a colour, a gradient or a grid track. */
export const FUNCTION_LIMITS: Limits = {
  "": [-1000, 1000],
  "%": [-200, 200],
  px: [-2000, 2000],
  em: [-100, 100],
  rem: [-100, 100],
  vw: [-200, 200],
  vh: [-200, 200],
  deg: [-360, 360],
  turn: [-1, 1],
  fr: [0, 12],
};

/** The limits of a property's numbers; none if it takes none. */
export function limitsFor(property: string, where: "zone" | "hook" | "ground"): Limits {
  if (where === "zone") return property === "border-radius" ? ZONE_RADIUS_LIMITS : ZONE_LIMITS;
  if (where === "ground") return property === "font-family" ? {} : BACKGROUND_LIMITS;
  return pick(HOOK_LIMITS, property) ?? {};
}

/** Whether a number with its unit is within its limits. */
export function isWithin(limits: Limits, value: string, unit: string): boolean {
  const bounds = pick(limits, unit.toLowerCase());
  if (!bounds) return false;
  const [min, max] = bounds;
  return Number(value) >= min && Number(value) <= max;
}

/** The limits in Portuguese, in the most common units. */
export function formatLimits(limits: Limits): string {
  return ["", "px", "rem", "%"]
    .map((unit) => [unit, pick(limits, unit) ?? [0, 0]] as const)
    .filter(([, [, max]]) => max > 0)
    .slice(0, 2)
    .map(
      ([unit, bounds]) =>
        `de ${bounds.map((bound) => `${String(bound).replace(".", ",")}${unit}`).join(" a ")}`,
    )
    .join(", ou ");
}
