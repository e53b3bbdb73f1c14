import { expect, test } from "vitest";
import { buildPalette } from "#app/domain/storefront/build-palette.ts";
import {
  adviseColor,
  buttonTextColor,
  contrast,
  nearestReadable,
} from "#app/domain/storefront/sanitize/contrast.ts";

const WHITE = { textOn: "#ffffff" };

test("contrast is WCAG's", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#ffffff", "#ffffff")).toBe(1);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("a colour that can be read is left in peace", () => {
  expect(adviseColor("#1F2937", WHITE)).toBeNull();
  expect(adviseColor("#767676", WHITE)).toBeNull();
  expect(adviseColor("#DC2626", { under: "text" })).toBeNull();
});

test("a colour that is hard to read comes with the nearest one that is not", () => {
  const advice = adviseColor("#3B82F6", WHITE)!;
  expect(advice).toMatchObject({ needed: 4.5, nearest: nearestReadable("#3B82F6", "#ffffff") });
  expect(advice.ratio).toBeCloseTo(3.68, 2);
  expect(contrast(advice.nearest, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  expect(contrast(advice.nearest, "#ffffff")).toBeLessThan(4.7);
});

test("the advised colour is the one the page uses", () => {
  const { nearest } = adviseColor("#60A5FA", WHITE)!;
  const { css } = buildPalette({ primary_color: "#60A5FA", background_color: "#ffffff" });
  expect(css).toContain(`--color-primary:${nearest}`);
});

test("a ground on which neither white nor black is readable gets a neighbour", () => {
  const advice = adviseColor("#7a7f87", { under: "text" });
  if (advice) expect(adviseColor(advice.nearest, { under: "text" })).toBeNull();
  for (let grey = 0; grey <= 255; grey++) {
    const color = `#${grey.toString(16).padStart(2, "0").repeat(3)}`;
    const nearest = adviseColor(color, { under: "text" })?.nearest ?? color;
    expect(adviseColor(nearest, { under: "text" }), color).toBeNull();
  }
});

test("a button's large label needs 3:1, also at the light end of its gradient", () => {
  expect(adviseColor("#059669", { under: "button", gradient: false })).toBeNull();
  const advice = adviseColor("#f06000", { under: "button", gradient: true });
  expect(advice?.needed).toBe(3);
  expect(adviseColor(advice!.nearest, { under: "button", gradient: true })).toBeNull();
  expect(buttonTextColor("#ffff00")).toBe("#111827");
});
