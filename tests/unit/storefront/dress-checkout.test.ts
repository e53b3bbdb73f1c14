import { expect, test } from "vitest";
import { buildCheckoutTheme } from "#app/domain/storefront/build-checkout-theme.server.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

const schemeOf = (fields: Parameters<typeof mergeCheckoutSettings>[0]) =>
  buildCheckoutTheme({ settings: mergeCheckoutSettings(fields) }).scheme;

test("colours a seller wrote were chosen for light or for dark: they fix it, and nothing else does", () => {
  expect(schemeOf({ custom_css: "body{background:#f6efe6}" })).toBe("claro");
  expect(schemeOf({ custom_css: ".ck-product-name{color:#5b3a29}" })).toBe("claro");
  expect(schemeOf({ custom_header: '<p style="color:#333">Oi</p>' })).toBe("claro");
  expect(schemeOf({ custom_css: ".ck-brand{color:#fff}", background_color: "#101010" })).toBe("escuro");
  expect(schemeOf({ custom_css: ".ck-brand{padding:8px}body{font-family:Georgia}" })).toBeNull();
  expect(schemeOf({ custom_css: "#buy{color:red}", custom_header: "<p>Oi</p>" })).toBeNull();
  expect(schemeOf({ custom_css: "@media (prefers-color-scheme:dark){.ck-brand{color:#fff}}" })).toBeNull();
});
