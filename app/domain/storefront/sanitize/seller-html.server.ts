import sanitize from "sanitize-html";
import { sanitizeStyle } from "#app/domain/storefront/sanitize/seller-css.server.ts";
import { env } from "#app/platform/env.server.ts";

/** A seller's sanitized HTML, and the rules made of its `style` attributes (the page's policy forbids those). */
export type SellerHtml = { html: string; css: string };

/** Allowed tags. */
export const ALLOWED_TAGS =
  "h2 h3 h4 h5 h6 p br hr div span strong b em i u s small sub sup mark ul ol li dl dt dd blockquote figure figcaption a img table thead tbody tr th td".split(
    " ",
  );
/** Tags that are removed with their text. */
export const DROPPED_TAGS = [
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
/** Allowed attributes, besides `class` and the rules of `style`. */
export const ALLOWED_ATTRIBUTES: Record<string, string[]> = {
  a: ["href", "title", "rel", "target"],
  img: ["src", "alt", "width", "height", "loading", "decoding", "referrerpolicy"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
};
/** Renamed tags: the page has its own `h1`. */
export const RENAMED_TAGS: Record<string, string> = { h1: "h2", center: "div" };
const MAX_LENGTH = 40_000;

/**
 * Removes from a seller's HTML all that runs, requests, loads or reaches outside: scripts, handlers, forms, frames,
 * ids, foreign schemes, links and pictures on our own host (a picture of `/logout` would be a request in the visitor's
 * name).
 * @param scope unique per piece, so that the rules of two pieces do not collide
 */
export function sanitizeHtml(input: string, scope: string): SellerHtml {
  const rules: string[] = [];
  const html = sanitize(input.slice(0, MAX_LENGTH), {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: { "*": ["class"], ...ALLOWED_ATTRIBUTES },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: DROPPED_TAGS,
    exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs.src,
    transformTags: {
      ...RENAMED_TAGS,
      a: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...withoutAttribute(attribs, "href"),
          ...externalAddress("href", attribs.href),
          rel: "noopener nofollow",
          target: "_blank",
        },
      }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: {
          ...withoutAttribute(attribs, "src"),
          ...externalAddress("src", attribs.src),
          alt: attribs.alt ?? "",
          loading: "lazy",
          decoding: "async",
          referrerpolicy: "no-referrer",
        },
      }),
      "*": (tagName, { style, class: names, ...attribs }) => {
        const ownRules = style ? sanitizeStyle(style) : "";
        const styleClass = ownRules ? `${scope}${rules.length}` : "";
        if (ownRules) rules.push(`.zone .${styleClass}{${ownRules}}`);
        const classes = [...prefixedClasses(names), ...(styleClass ? [styleClass] : [])].join(" ");
        return { tagName, attribs: { ...attribs, ...(classes ? { class: classes } : {}) } };
      },
    },
  });
  return { html: html.trim(), css: rules.length > 0 ? `@layer seller{${rules.join("")}}` : "" };
}

/** Prefixes classes: the page's own would make a seller's text look like a button or a price. */
export function prefixedClasses(names = ""): string[] {
  return names
    .split(/\s+/)
    .filter((name) => /^[a-z][\w-]*$/i.test(name))
    .map((name) => `s-${name}`);
}

/** The attribute if its address leads to another host; else none. */
export function externalAddress(name: string, address = ""): Record<string, string> {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : null;
  if (!url || url.host === new URL(env.APP_URL).host) return {};
  return /^(https?|mailto|tel):$/.test(url.protocol) ? { [name]: url.href } : {};
}

function withoutAttribute(attribs: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = attribs;
  return rest;
}
