import { expect, test } from "vitest";
import {
  buttonText,
  CHECKOUT_DEFAULTS,
  mergeCheckoutSettings,
} from "#app/domain/storefront/checkout-settings.ts";
import { mergeThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

test("a value that does not fit its field becomes the default", () => {
  const junk = {
    primary_color: "red;}</style>",
    background_color: "#fff",
    brand_logo_url: "javascript:alert(1)",
    terms_url: "exemplo.com",
    order_bump_style: "neon",
    urgency_timer_minutes: 4,
    guarantee_days: 6,
    require_name: "talvez",
    button_text: 7,
    unknown: true,
  };
  expect(mergeCheckoutSettings(junk)).toEqual(CHECKOUT_DEFAULTS);
  expect(mergeCheckoutSettings(null)).toEqual(CHECKOUT_DEFAULTS);
  expect(mergeThankYouSettings({ auto_redirect_seconds: 7 }).auto_redirect_seconds).toBe(0);
});

test("true, 1 and their texts are yes; false and 0 are no", () => {
  expect(mergeCheckoutSettings({ require_phone: 0 }).require_phone).toBe(false);
  expect(mergeCheckoutSettings({ require_phone: "false" }).require_phone).toBe(false);
  expect(mergeCheckoutSettings({ require_email_confirmation: 1 }).require_email_confirmation).toBe(true);
  expect(mergeCheckoutSettings({ require_email_confirmation: "true" }).require_email_confirmation).toBe(true);
});

test("text that Postgres cannot store is repaired", () => {
  expect(mergeCheckoutSettings({ brand_name: "a\u0000b\ud800" }).brand_name).toBe("ab\ufffd");
});

test("the button of what is free says nothing of buying, unless its seller wrote so", () => {
  const textOf = (button_text: string, isFree: boolean) => buttonText({ button_text }, isFree);
  expect([textOf(CHECKOUT_DEFAULTS.button_text, true), textOf("", true)]).toEqual([
    "Receber agora",
    "Receber agora",
  ]);
  expect([textOf("Quero a vaga", true), textOf("Quero a vaga", false)]).toEqual([
    "Quero a vaga",
    "Quero a vaga",
  ]);
  expect([textOf(CHECKOUT_DEFAULTS.button_text, false), textOf("", false)]).toEqual([
    "Comprar Agora",
    "FINALIZAR COMPRA SEGURA",
  ]);
});
