import { expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import {
  checkoutCustomizationForm,
  thankYouCustomizationForm,
} from "#app/domain/storefront/customization-form.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";

const checkout = (fields: object) => checkoutCustomizationForm.parse({ ...CHECKOUT_DEFAULTS, ...fields });

/** The fields that are refused, of the defaults with `fields` over them. */
const refusedOnCheckout = (fields: object) =>
  namesOf(checkoutCustomizationForm.safeParse({ ...CHECKOUT_DEFAULTS, ...fields }));
const refusedOnThankYou = (fields: object) =>
  namesOf(thankYouCustomizationForm.safeParse({ ...THANK_YOU_DEFAULTS, ...fields }));

function namesOf({ error }: { error?: { issues: { path: PropertyKey[] }[] } }) {
  return (error?.issues ?? []).map(({ path }) => path[0]);
}

test.each([
  ["brand_name", 80],
  ["custom_header", 20_000],
  ["custom_footer", 20_000],
  ["custom_css", 20_000],
  ["order_bump_title", 80],
  ["order_bump_subtitle", 160],
  ["button_text", 40],
  ["support_contact", 120],
])("%s of the checkout has at most %i characters", (name, most) => {
  expect(refusedOnCheckout({ [name]: "a".repeat(most) })).toEqual([]);
  expect(refusedOnCheckout({ [name]: "a".repeat(most + 1) })).toEqual([name]);
});

test.each([
  ["title", 120],
  ["subtitle", 240],
  ["custom_message", 20_000],
  ["download_button_text", 40],
])("%s of the thank-you page has at most %i characters", (name, most) => {
  expect(refusedOnThankYou({ [name]: "a".repeat(most) })).toEqual([]);
  expect(refusedOnThankYou({ [name]: "a".repeat(most + 1) })).toEqual([name]);
});

test.each([
  ["urgency_timer_minutes", 5, 120],
  ["guarantee_days", 7, 365],
  ["price_grace_minutes", 0, 60],
  ["pix_discount_percent", 0, 50],
] as const)("%s is a whole number from %i to %i, sent as a number or as text", (name, least, most) => {
  for (const value of [least, most]) {
    expect(checkout({ [name]: value })[name]).toBe(value);
    expect(checkout({ [name]: String(value) })[name]).toBe(value);
  }
  for (const value of [least - 1, most + 1, least + 0.5, "", " ", "x", null, true])
    expect(refusedOnCheckout({ [name]: value }), String(value)).toEqual([name]);
});

test("settings that an older form does not have are the defaults, and all others are required", () => {
  const { price_grace_minutes: _grace, pix_discount_percent: _percent, ...older } = CHECKOUT_DEFAULTS;
  expect(checkoutCustomizationForm.parse(older)).toEqual(CHECKOUT_DEFAULTS);
  expect(refusedOnCheckout({ urgency_timer_minutes: undefined })).toEqual(["urgency_timer_minutes"]);
  expect(refusedOnCheckout({ guarantee_days: undefined })).toEqual(["guarantee_days"]);
});

/** What a browser posts of a form in which no box is ticked. */
const withoutBoxes = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value !== "boolean"));

test("a box that is not ticked is off", () => {
  const boxesOf = (settings: object) => Object.values(settings).filter((value) => typeof value === "boolean");
  const unticked = withoutBoxes(CHECKOUT_DEFAULTS);
  const off = boxesOf(CHECKOUT_DEFAULTS).map(() => false);
  expect(boxesOf(checkoutCustomizationForm.parse(unticked))).toEqual(off);
  expect(boxesOf(thankYouCustomizationForm.parse(withoutBoxes(THANK_YOU_DEFAULTS)))).toEqual([false, false]);
  expect(checkoutCustomizationForm.parse({ ...unticked, require_email: "on" })).toMatchObject({
    require_email: true,
    require_email_confirmation: false,
  });
});

test("without an e-mail there is no confirmation of it", () => {
  const unrequested = { require_email: false, require_email_confirmation: true };
  expect(checkout(unrequested).require_email_confirmation).toBe(false);
  expect(checkout({ ...unrequested, require_email: true }).require_email_confirmation).toBe(true);
});

test("a colour has six digits or three, which are doubled; an empty one is the default", () => {
  const color = (typed: string) => checkout({ primary_color: typed }).primary_color;
  expect(color("#7C3AED")).toBe("#7C3AED");
  expect(color(" #aBc ")).toBe("#aaBBcc");
  expect(color(" ")).toBe(CHECKOUT_DEFAULTS.primary_color);
  for (const typed of ["#ab", "#abcd", "abc", "#ggg", "#7C3AED0", "red"])
    expect(refusedOnCheckout({ primary_color: typed }), typed).toEqual(["primary_color"]);
});
