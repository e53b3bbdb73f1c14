import { expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { findCheckout, findStorefront } from "#app/domain/storefront/find-checkout.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings, makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";

test("a seller who saved nothing has the defaults, and their account's e-mail as contact", async () => {
  const seller = await makeSeller();
  expect(await findStorefront(seller.id)).toEqual({
    settings: CHECKOUT_DEFAULTS,
    contact: "",
    store: null,
  });
  expect(await findThankYou(seller.id)).toEqual({
    settings: THANK_YOU_DEFAULTS,
    checkout: CHECKOUT_DEFAULTS,
    guaranteeDays: 30,
    contact: "",
    store: null,
  });
});

test("saved values are returned, and another seller keeps their own", async () => {
  const [mine, other] = [await makeSeller(), await makeSeller()];
  await makeCheckoutSettings(mine, { brand_name: "Minha", support_contact: "zap", guarantee_days: 7 });
  await makeCheckoutSettings(mine, { brand_name: "Nova", support_contact: "zap", guarantee_days: 7 });
  expect(await findStorefront(mine.id)).toMatchObject({
    settings: { brand_name: "Nova" },
    contact: "zap",
  });
  expect((await findThankYou(mine.id)).guaranteeDays).toBe(7);
  expect((await findStorefront(other.id)).settings).toEqual(CHECKOUT_DEFAULTS);
  const [row] = await sql`select version from checkout_customizations where seller_id = ${mine.id}`;
  expect(row).toEqual({ version: 2 });
});

test("a thank-you page that is switched off is the default one", async () => {
  const seller = await makeSeller();
  await makeThankYouSettings(seller, {
    enabled: false,
    title: "Oi",
    redirect_url: "https://exemplo.com.br/",
  });
  expect((await findThankYou(seller.id)).settings).toEqual({ ...THANK_YOU_DEFAULTS, enabled: false });
});

test("a checkout is read in three statements", async () => {
  const product = await makeProduct(await makeSeller());
  const { result, count } = await countStatements(() => findCheckout({ id: product.id }));
  expect(result!.product.id).toBe(product.id);
  expect(count).toBeLessThanOrEqual(3);
});
