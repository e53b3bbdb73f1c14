import { type CssNode, generate, walk } from "css-tree";
import { IN_FUNCTIONS, isWithin, limitsOf } from "#app/domain/storefront/sanitize/css-limits.ts";
import { isTextFont } from "#app/domain/storefront/text-fonts.ts";

/** What a rule reaches: a seller's own HTML, one of our elements they may dress, or the page behind the cards. */
export type Reach = "zone" | "hook" | "ground";
/** The same, and whether it holds only while a hand is on it. */
export type Where = { reach: Reach; touched: boolean };

const TEXT =
  "color font-family font-size font-style font-weight letter-spacing line-height text-align text-decoration text-decoration-color text-decoration-line text-transform opacity";
const BOX =
  "background background-color background-image border border-color border-style border-width border-top border-right border-bottom border-left border-radius padding padding-top padding-right padding-bottom padding-left";
const LAYOUT =
  "display gap row-gap column-gap justify-content align-items align-self flex flex-direction flex-wrap flex-grow grid-template-columns width max-width min-width height max-height min-height margin margin-top margin-right margin-bottom margin-left box-shadow text-shadow list-style list-style-type vertical-align object-fit aspect-ratio white-space word-spacing float clear border-collapse border-spacing";

const PROPERTIES: Record<Reach, Set<string>> = {
  zone: new Set(`${TEXT} ${BOX} ${LAYOUT}`.split(" ")),
  hook: new Set(`${TEXT} ${BOX}`.split(" ")),
  ground: new Set(["background", "background-color", "background-image", "font-family"]),
};
/** Under a pointer nothing moves: the button would go from under it. */
const STILL = new Set(
  "color background background-color background-image border-color text-decoration text-decoration-color text-decoration-line opacity box-shadow text-shadow".split(
    " ",
  ),
);

const FUNCTIONS = new Set(
  "rgb rgba hsl hsla hwb lab lch oklab oklch linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeat minmax".split(
    " ",
  ),
);
const INHERITED = /^(inherit|initial|unset|revert|revert-layer)$/i;
/** Words that place a thing outside its place, or are text of no readable size. */
const WORDS_OUT = /^(fixed|absolute|sticky|expression|xx-small|x-small|xxx-large|math)$/i;

/** Whether a property may be set there. */
export function isSafeProperty(property: string, { reach, touched }: Where): boolean {
  const name = property.toLowerCase();
  return PROPERTIES[reach].has(name) && (!touched || STILL.has(name));
}

/** Whether a value is made of plain words, numbers within bounds, colours and gradients. No address, no variable, no `!important`. */
export function hasSafeValue(node: Extract<CssNode, { type: "Declaration" }>, reach: Reach): boolean {
  if (node.important || node.value.type === "Raw") return false;
  if (/[<\\]/.test(generate(node.value))) return false;
  const property = node.property.toLowerCase();
  if (property === "font-family") return hasTextFonts(node.value);
  const limits = limitsOf(property, reach);
  let safe = true;
  walk(node.value, function (part) {
    safe &&= isSafePart(part, this.function ? IN_FUNCTIONS : limits);
  });
  return safe;
}

function hasTextFonts(value: CssNode): boolean {
  if (value.type !== "Value") return false;
  const parts = value.children.toArray();
  if (parts.some(({ type }) => !/^(Identifier|String|Operator)$/.test(type))) return false;
  const families = parts.map(familyText).join(" ").split(",");
  return INHERITED.test(families.join()) || families.every(isTextFont);
}

function familyText(part: CssNode): string {
  if (part.type === "Identifier") return part.name;
  return part.type === "String" ? part.value : ",";
}

function isSafePart(part: CssNode, limits: Parameters<typeof isWithin>[0]): boolean {
  switch (part.type) {
    case "Value":
    case "Operator":
    case "Hash":
      return true;
    case "Identifier":
      return /^[a-z-]+$/i.test(part.name) && !WORDS_OUT.test(part.name);
    case "Function":
      return FUNCTIONS.has(part.name.toLowerCase());
    case "Number":
      return isWithin(limits, part.value, "");
    case "Percentage":
      return isWithin(limits, part.value, "%");
    case "Dimension":
      return isWithin(limits, part.value, part.unit);
    default:
      return false;
  }
}
