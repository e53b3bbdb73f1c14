import { type CssNode, generate, walk } from "css-tree";
import { pick } from "#app/kit/pick.ts";

const TEXT =
  "color font-family font-size font-style font-weight letter-spacing line-height text-align text-decoration text-decoration-color text-decoration-line text-transform opacity";
const BOX =
  "background background-color background-image border border-color border-style border-width border-top border-right border-bottom border-left border-radius padding padding-top padding-right padding-bottom padding-left";
const LAYOUT =
  "display gap row-gap column-gap justify-content align-items align-self flex flex-direction flex-wrap flex-grow grid-template-columns width max-width min-width height max-height min-height margin margin-top margin-right margin-bottom margin-left box-shadow text-shadow list-style list-style-type vertical-align object-fit aspect-ratio white-space word-spacing float clear border-collapse border-spacing";

const PROPERTIES = {
  /** The seller's own HTML. */
  zone: new Set(`${TEXT} ${BOX} ${LAYOUT}`.split(" ")),
  /** Our elements that a seller may dress but not move. */
  hook: new Set(`${TEXT} ${BOX}`.split(" ")),
  /** The page behind the cards. */
  ground: new Set(["background", "background-color", "background-image", "font-family"]),
};

const FUNCTIONS = new Set(
  "rgb rgba hsl hsla hwb lab lch oklab oklch linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeat minmax".split(
    " ",
  ),
);

/** The most a length may be: enough for a headline, too little to push the form off the screen. */
const LONGEST: Record<string, number> = {
  px: 600,
  em: 20,
  rem: 20,
  ch: 80,
  vw: 60,
  vh: 40,
  deg: 360,
  fr: 12,
};

/** Whether a property may be set there. */
export function isSafeProperty(property: string, where: keyof typeof PROPERTIES): boolean {
  return PROPERTIES[where].has(property.toLowerCase());
}

/** Whether a value is made of plain words, numbers within bounds, colours and gradients. No address, no variable, no `!important`. */
export function hasSafeValue(node: Extract<CssNode, { type: "Declaration" }>): boolean {
  if (node.important || node.value.type === "Raw") return false;
  if (/[<\\]/.test(generate(node.value))) return false;
  let safe = true;
  walk(node.value, (part) => {
    safe &&= isSafePart(part, node.property.toLowerCase());
  });
  return safe;
}

function isSafePart(part: CssNode, property: string): boolean {
  switch (part.type) {
    case "Value":
    case "Operator":
    case "Hash":
      return true;
    case "Identifier":
      return /^[a-z-]+$/i.test(part.name) && !/^(fixed|absolute|sticky|expression)$/i.test(part.name);
    case "String":
      return property === "font-family";
    case "Function":
      return FUNCTIONS.has(part.name.toLowerCase());
    case "Number":
      return Number(part.value) >= 0 && Number(part.value) <= 1000;
    case "Percentage":
      return Number(part.value) >= 0 && Number(part.value) <= 100;
    case "Dimension":
      return Number(part.value) >= 0 && Number(part.value) <= (pick(LONGEST, part.unit.toLowerCase()) ?? -1);
    default:
      return false;
  }
}
