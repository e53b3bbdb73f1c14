import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildPalette, cardOn, textPalette, thankYouColors } from "#app/domain/storefront/build-palette.ts";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { contrast } from "#app/domain/storefront/sanitize/contrast.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";

const OWN = { ...CHECKOUT_DEFAULTS, background_color: "#fdf4ff" };

test("the default ground follows the device, one of their own fixes the scheme", () => {
  expect(buildPalette(CHECKOUT_DEFAULTS).scheme).toBeNull();
  expect(buildPalette(CHECKOUT_DEFAULTS).css).toContain("prefers-color-scheme:dark");
  expect(buildPalette({ ...CHECKOUT_DEFAULTS, background_color: "#fdf4ff" }).scheme).toBe("claro");
  expect(buildPalette({ ...CHECKOUT_DEFAULTS, background_color: "#101010" }).scheme).toBe("escuro");
});

test("a seller's text on a page in our colours fixes the scheme where it has colours of its own, and nothing else does", () => {
  const ofText = (html: string) => textPalette(sanitizeHtml(html, "t").css);
  const dark = ofText('<p style="color:#333">Oi</p>');
  expect([dark.scheme, dark.css.join("")]).toEqual(["claro", expect.stringContaining("color:#333")]);
  expect(dark.css.join("")).toContain("--color-primary:");
  expect(ofText('<p style="background-color:#fff7ed">Oi</p>').scheme).toBe("claro");
  const plain = ofText('<p style="text-align:center">Oi</p>');
  expect([plain.scheme, plain.css.join("")]).toEqual([null, expect.not.stringContaining("--color-primary")]);
});

test("a seller's message on a card has the card's colour: the one of the page around it may be the card's own", () => {
  const indigo = buildPalette({ ...CHECKOUT_DEFAULTS, background_color: "#6366f1" });
  expect([indigo.scheme, indigo.css]).toEqual(["claro", expect.stringContaining("--on-ground:#ffffff")]);
  expect(cardOn("#6366f1")).toBe("#ffffff");
  const rules = readFileSync("app/ui/buyer/styles/zone.css", "utf8");
  expect(/color: var\(--on-ground\);\s+&\.card \{\s+color: var\(--ink\);/.test(rules)).toBe(true);
});

test("a purchase has one colour for the next action: the main colour is the button's until its seller sets one", () => {
  const main = (colors: object) => /--color-primary:(#\w+)/.exec(buildPalette({ ...OWN, ...colors }).css)![1];
  expect(main({ button_color: "#7c3aed" })).toBe("#7c3aed");
  expect(main({ primary_color: "#1f2937", button_color: "#7c3aed" })).toBe("#1f2937");
});

test("pages after the checkout use its colours until the thank-you page has its own main colour", () => {
  const checkout = { ...CHECKOUT_DEFAULTS, primary_color: "#7c3aed", discount_badge_color: "#be123c" };
  const after = (primary_color: string) =>
    thankYouColors({ ...THANK_YOU_DEFAULTS, primary_color, background_color: "#101010" }, checkout);
  const { css, scheme } = buildPalette(after("#3b82f6"));
  expect([scheme, css]).toEqual(["escuro", expect.stringContaining("--buy:#7c3aed")]);
  expect(css).toContain("--badge:#be123c");
  expect(buildPalette(after("#ffb703")).css).toContain("--buy:#ffb703");
});

test("a page that is no seller's uses the default colours", () => {
  const rules = readFileSync("app/ui/buyer/styles/page.css", "utf8");
  const [light, dark] = buildPalette(CHECKOUT_DEFAULTS).css.split("@media (prefers-color-scheme:dark)");
  const of = (css: string, name: string) => new RegExp(`--${name}: ?([^;}]+)`).exec(css)![1];
  for (const name of ["color-primary-content", "buy", "buy-content"])
    expect(of(rules, name), name).toBe(of(light!, name));
  // Read on the product's own ground, too, which is a little darker: --color-base-200 of ui/theme.css.
  expect(contrast(of(rules, "color-primary")!, "#f6f7f9")).toBeGreaterThanOrEqual(4.5);
  expect(rules.match(/--color-primary: ?[^;}]+/g)![1]).toContain(of(dark!, "color-primary"));
});

test("a colour too faint to read is moved until it can be read; a good one stays", () => {
  const primary = (color: string) =>
    /--color-primary:(#\w+)/.exec(buildPalette({ ...OWN, primary_color: color }).css)![1];
  expect(primary("#1f2937")).toBe("#1f2937");
  expect(primary("#ffff00")).not.toBe("#ffff00");
});

test("the ink on a button is white as long as white can be read in large letters", () => {
  const ink = (color: string) =>
    /--buy-content:(#\w+)/.exec(buildPalette({ ...OWN, button_color: color }).css)![1];
  expect(ink("#ffffff")).toBe("#111827");
  expect(ink("#facc15")).toBe("#111827");
  expect(ink("#059669")).toBe("#ffffff");
});

test("the main colour is the button's too until the button has its own, with ink that can be read", () => {
  const buy = (colors: object) => /--buy:(#\w+)/.exec(buildPalette({ ...OWN, ...colors }).css)![1];
  expect(buy({ primary_color: "#7c3aed" })).toBe("#7c3aed");
  expect(buy({ primary_color: "#7c3aed", button_color: "#111111" })).toBe("#111111");
  expect(buy({})).toBe(CHECKOUT_DEFAULTS.button_color);
  expect(buildPalette({ ...OWN, primary_color: "#ffb703" }).css).toContain("--buy-content:#111827");
});
