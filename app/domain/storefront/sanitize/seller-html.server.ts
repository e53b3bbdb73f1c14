import sanitize from "sanitize-html";
import { sanitizeStyle } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { env } from "#app/platform/env.server.ts";

/** A seller's HTML that can only be looked at, and the rules its `style` attributes became (the page's policy forbids them). */
export type SellerHtml = { html: string; css: string };

/** Tags that may stay. */
export const TAGS =
  "h2 h3 h4 h5 h6 p br hr div span strong b em i u s small sub sup mark ul ol li dl dt dd blockquote figure figcaption a img table thead tbody tr th td".split(
    " ",
  );
/** Tags whose text goes with them. */
export const SILENT_TAGS = [
  "script",
  "style",
  "textarea",
  "option",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "title",
  "xmp",
];
/** Attributes that may stay, beside `class` and the rules of `style`. */
export const ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "title", "rel", "target"],
  img: ["src", "alt", "width", "height", "loading", "decoding", "referrerpolicy"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};
/** Tags that become others: the page has its `h1`. */
export const RENAMED: Record<string, string> = { h1: "h2", center: "div" };
const LONGEST = 40_000;

/**
 * Takes out of a seller's HTML all that runs, asks, loads or reaches outside: scripts, handlers, forms, frames, ids, foreign
 * schemes, links and pictures on our own host (a picture of `/logout` would be a request in the visitor's name).
 * @param scope a word of one's own per piece, so that two pieces' rules do not meet
 */
export function sanitizeHtml(input: string, scope: string): SellerHtml {
  const rules: string[] = [];
  const html = sanitize(input.slice(0, LONGEST), {
    allowedTags: TAGS,
    allowedAttributes: { "*": ["class"], ...ATTRIBUTES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: SILENT_TAGS,
    exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs.src,
    transformTags: {
      ...RENAMED,
      a: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...without(attribs, "href"),
          ...outside("href", attribs.href),
          rel: "noopener nofollow",
          target: "_blank",
        },
      }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...without(attribs, "src"),
          ...outside("src", attribs.src),
          alt: attribs.alt ?? "",
          loading: "lazy",
          decoding: "async",
          referrerpolicy: "no-referrer",
        },
      }),
      "*": (tagName, { style, class: names, ...attribs }) => {
        const own = style ? sanitizeStyle(style) : "";
        const styled = own ? `${scope}${rules.length}` : "";
        if (own) rules.push(`.zone .${styled}{${own}}`);
        const classes = [...safeClasses(names), ...(styled ? [styled] : [])].join(" ");
        return { tagName, attribs: { ...attribs, ...(classes ? { class: classes } : {}) } };
      },
    },
  });
  return { html: html.trim(), css: rules.length > 0 ? `@layer seller{${rules.join("")}}` : "" };
}

/** Classes of the page itself would dress a seller's text as a button or a price. */
export function safeClasses(names = ""): string[] {
  return names
    .split(/\s+/)
    .filter((name) => /^[a-z][\w-]*$/i.test(name))
    .map((name) => `s-${name}`);
}

/** The attribute with its address, where that leads away from us; else none. */
export function outside(name: string, address = ""): Record<string, string> {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || url.host === new URL(env.APP_URL).host) return {};
  return /^(https?|mailto|tel):$/.test(url.protocol) ? { [name]: url.href } : {};
}

function without(attribs: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = attribs;
  return rest;
}
