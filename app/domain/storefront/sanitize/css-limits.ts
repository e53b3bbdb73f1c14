import { pick } from "#app/kit/pick.ts";

/** By unit (`""` for a bare number), the least and the most a value may be. */
export type Limits = Record<string, readonly [least: number, most: number]>;

const SPACE: Limits = {
  "": [0, 0],
  px: [0, 32],
  rem: [0, 2],
  em: [0, 1],
  "%": [0, 4],
  vw: [0, 3],
};
const LINE: Limits = { "": [0, 0], px: [0, 6], rem: [0, 0.375], em: [0, 0.15] };
const CORNER: Limits = { "": [0, 0], px: [0, 9999], rem: [0, 99], em: [0, 99], "%": [0, 100] };
/** Where a ground lies and how large its picture is. It changes no box. */
const GROUND: Limits = { "": [0, 0], px: [0, 2000], rem: [0, 100], em: [0, 100], "%": [0, 200] };

/** What a seller may set on our own elements: every value between these can be read, and leaves the page its shape. */
const ON_HOOKS: Record<string, Limits> = {
  "font-size": { px: [12, 40], rem: [0.75, 2.5], em: [0.75, 2.5], "%": [75, 250] },
  "font-weight": { "": [100, 900] },
  "letter-spacing": { "": [0, 0], px: [-1, 8], rem: [-0.05, 0.5], em: [-0.05, 0.4] },
  "line-height": { "": [0.9, 2], px: [14, 72], rem: [0.9, 4.5], em: [0.9, 2], "%": [90, 200] },
  opacity: { "": [0.5, 1], "%": [50, 100] },
  border: LINE,
  "border-width": LINE,
  "border-radius": CORNER,
  padding: SPACE,
  background: GROUND,
};
for (const side of ["top", "right", "bottom", "left"]) {
  ON_HOOKS[`border-${side}`] = LINE;
  ON_HOOKS[`padding-${side}`] = SPACE;
}

/** In a seller's own HTML, which its zone keeps: enough for a headline. */
const IN_ZONES: Limits = {
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
const ZONE_CORNER: Limits = { ...IN_ZONES, ...CORNER };

/** Inside a colour, a gradient or a grid's track. */
export const IN_FUNCTIONS: Limits = {
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

/** What a property's own numbers may be; none where it takes none. */
export function limitsOf(property: string, where: "zone" | "hook" | "ground"): Limits {
  if (where === "zone") return property === "border-radius" ? ZONE_CORNER : IN_ZONES;
  if (where === "ground") return property === "font-family" ? {} : GROUND;
  return pick(ON_HOOKS, property) ?? {};
}

/** Whether a number with its unit is between its limits. */
export function isWithin(limits: Limits, value: string, unit: string): boolean {
  const edges = pick(limits, unit.toLowerCase());
  if (!edges) return false;
  const [least, most] = edges;
  return Number(value) >= least && Number(value) <= most;
}

/** The limits in a seller's words, in the units they use most. */
export function tellLimits(limits: Limits): string {
  return ["", "px", "rem", "%"]
    .map((unit) => [unit, pick(limits, unit) ?? [0, 0]] as const)
    .filter(([, [, most]]) => most > 0)
    .slice(0, 2)
    .map(
      ([unit, edges]) => `de ${edges.map((edge) => `${String(edge).replace(".", ",")}${unit}`).join(" a ")}`,
    )
    .join(", ou ");
}
