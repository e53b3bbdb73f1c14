import { expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { palette } from "#app/domain/storefront/palette.ts";

const OWN = { ...CHECKOUT_DEFAULTS, background_color: "#fdf4ff" };

test("the default ground follows the device, one of their own fixes the scheme", () => {
  expect(palette(CHECKOUT_DEFAULTS).scheme).toBeNull();
  expect(palette(CHECKOUT_DEFAULTS).css).toContain("prefers-color-scheme:dark");
  expect(palette({ ...CHECKOUT_DEFAULTS, background_color: "#fdf4ff" }).scheme).toBe("claro");
  expect(palette({ ...CHECKOUT_DEFAULTS, background_color: "#101010" }).scheme).toBe("escuro");
});

test("a colour too faint to read is moved until it can be read; a good one stays", () => {
  const primary = (color: string) =>
    /--color-primary:(#\w+)/.exec(palette({ ...OWN, primary_color: color }).css)![1];
  expect(primary("#1f2937")).toBe("#1f2937");
  expect(primary("#ffff00")).not.toBe("#ffff00");
});

test("the ink on a button is white as long as white can be read in large letters", () => {
  const ink = (color: string) =>
    /--buy-content:(#\w+)/.exec(palette({ ...OWN, button_color: color }).css)![1];
  expect(ink("#ffffff")).toBe("#111827");
  expect(ink("#facc15")).toBe("#111827");
  expect(ink("#059669")).toBe("#ffffff");
});

test("the main colour is the button's too until the button has its own, with ink that can be read", () => {
  const buy = (colors: object) => /--buy:(#\w+)/.exec(palette({ ...OWN, ...colors }).css)![1];
  expect(buy({ primary_color: "#7c3aed" })).toBe("#7c3aed");
  expect(buy({ primary_color: "#7c3aed", button_color: "#111111" })).toBe("#111111");
  expect(buy({})).toBe(CHECKOUT_DEFAULTS.button_color);
  expect(palette({ ...OWN, primary_color: "#ffb703" }).css).toContain("--buy-content:#111827");
});
