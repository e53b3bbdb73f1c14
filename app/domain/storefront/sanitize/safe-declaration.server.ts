import { type CssNode, generate, walk } from "css-tree";
import { FUNCTION_LIMITS, isWithin, limitsFor } from "#app/domain/storefront/sanitize/css-limits.ts";
import { isTextFont } from "#app/domain/storefront/text-fonts.ts";

/** What a rule styles: a seller's own HTML, one of our elements they may style, or the page behind the cards. */
export type Reach = "zone" | "hook" | "ground";
/** The same, and whether the rule applies only during an interaction (hover, focus). */
export type StyleTarget = { reach: Reach; isInteractive: boolean };

const TEXT_PROPERTIES =
  "color font-family font-size font-style font-weight letter-spacing line-height text-align text-decoration text-decoration-color text-decoration-line text-transform opacity";
const BOX_PROPERTIES =
  "background background-color background-image border border-color border-style border-width border-top border-right border-bottom border-left border-radius padding padding-top padding-right padding-bottom padding-left";
const LAYOUT_PROPERTIES =
  "display gap row-gap column-gap justify-content align-items align-self flex flex-direction flex-wrap flex-grow grid-template-columns width max-width min-width height max-height min-height margin margin-top margin-right margin-bottom margin-left box-shadow text-shadow list-style list-style-type vertical-align object-fit aspect-ratio white-space word-spacing float clear border-collapse border-spacing";

const PROPERTIES: Record<Reach, Set<string>> = {
  zone: new Set(`${TEXT_PROPERTIES} ${BOX_PROPERTIES} ${LAYOUT_PROPERTIES}`.split(" ")),
  hook: new Set(`${TEXT_PROPERTIES} ${BOX_PROPERTIES}`.split(" ")),
  ground: new Set(["background", "background-color", "background-image", "font-family"]),
};
/** Nothing moves under the pointer: otherwise the button could move away from it. */
const INTERACTIVE_PROPERTIES = new Set(
  "color background background-color background-image border-color text-decoration text-decoration-color text-decoration-line opacity box-shadow text-shadow".split(
    " ",
  ),
);

const SAFE_FUNCTIONS = new Set(
  "rgb rgba hsl hsla hwb lab lch oklab oklch linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeat minmax".split(
    " ",
  ),
);
const GLOBAL_KEYWORDS = /^(inherit|initial|unset|revert|revert-layer)$/i;
/** Keywords that move an element out of its container, or make text unreadably small. */
const FORBIDDEN_KEYWORDS = /^(fixed|absolute|sticky|expression|xx-small|x-small|xxx-large|math)$/i;

/** Whether a property may be set there. */
export function isSafeProperty(property: string, { reach, isInteractive }: StyleTarget): boolean {
  const name = property.toLowerCase();
  return PROPERTIES[reach].has(name) && (!isInteractive || INTERACTIVE_PROPERTIES.has(name));
}

/**
 * Whether a value consists of keywords, numbers within limits, colours and gradients. No URL, no variable, no
 * `!important`.
 */
export function hasSafeValue(node: Extract<CssNode, { type: "Declaration" }>, reach: Reach): boolean {
  if (node.important || node.value.type === "Raw") return false;
  if (/[<\\]/.test(generate(node.value))) return false;
  const property = node.property.toLowerCase();
  if (property === "font-family") return hasOnlyTextFonts(node.value);
  const limits = limitsFor(property, reach);
  let isSafe = true;
  walk(node.value, function (part) {
    isSafe &&= isSafePart(part, this.function ? FUNCTION_LIMITS : limits);
  });
  return isSafe;
}

function hasOnlyTextFonts(value: CssNode): boolean {
  if (value.type !== "Value") return false;
  const parts = value.children.toArray();
  if (parts.some(({ type }) => !/^(Identifier|String|Operator)$/.test(type))) return false;
  const families = parts.map(familyText).join(" ").split(",");
  return GLOBAL_KEYWORDS.test(families.join()) || families.every(isTextFont);
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
      return /^[a-z-]+$/i.test(part.name) && !FORBIDDEN_KEYWORDS.test(part.name);
    case "Function":
      return SAFE_FUNCTIONS.has(part.name.toLowerCase());
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
