import { expect, test } from "vitest";
import { findCheckoutTerms } from "#app/domain/checkout/find-checkout-terms.server.ts";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { findStorefront } from "#app/domain/storefront/find-storefront.server.ts";
import { findProductSeller, findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { saveCheckoutSettings } from "#app/domain/storefront/save-settings.server.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { KEY_PARAMETER } from "#app/kit/paths.ts";
import * as customization from "#app/routes/api/checkout/customization.ts";
import * as thankYou from "#app/routes/api/checkout/thank-you.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeCheckoutSettings, makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";

test("a seller who saved nothing has the defaults, and buyers do not see the account's e-mail", async () => {
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

test("settings are saved over the version that was seen, or over any, and refused over an older one", async () => {
  const seller = await makeSeller();
  const save = (brand_name: string, version?: number) =>
    saveCheckoutSettings(seller.id, { version, update: (current) => ({ ...current, brand_name }) });
  expect((await save("Primeira", 0)).version).toBe(1);
  expect((await save("Segunda", 1)).version).toBe(2);
  await expect(save("Atrasada", 1)).rejects.toMatchObject({ kind: "conflict" });
  expect((await findStorefront(seller.id)).settings.brand_name).toBe("Segunda");
  expect((await save("Terceira")).version).toBe(3);
  expect((await findStorefront(seller.id)).settings.brand_name).toBe("Terceira");
});

test("a picture of ours that is not the seller's is refused as a logo, at its field", async () => {
  const seller = await makeSeller();
  const foreign = `${process.env.APP_URL}/pictures/${"ab".repeat(16)}/logo-360x112.png`;
  const expectRefusal = (saving: Promise<void>, field: string) =>
    expect(saving).rejects.toMatchObject({ kind: "invalid", field });
  await expectRefusal(makeCheckoutSettings(seller, { brand_logo_url: foreign }), "brand_logo_url");
  await expectRefusal(makeThankYouSettings(seller, { logo_url: foreign }), "logo_url");
  expect((await findStorefront(seller.id)).settings.brand_logo_url).toBe("");
  expect((await findThankYou(seller.id)).settings.logo_url).toBe("");
});

test("a product's seller is found by its number, also while it is off sale, and by nothing else", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const product = await makeProduct(seller, { deactivatedAt: new Date() });
  await makeProduct(other);
  expect(await findProductSeller(String(product.id))).toBe(seller.id);
  for (const unknown of ["", "0", "x", `${product.id}x`, "9".repeat(16)])
    expect(await findProductSeller(unknown), unknown).toBeNull();
});

test("a checkout is read in three statements", async () => {
  const product = await makeProduct(await makeSeller());
  const { result, count } = await countStatements(() => findCheckoutTerms({ id: product.id }));
  expect(result!.product.id).toBe(product.id);
  expect(count).toBeLessThanOrEqual(3);
});

test("the public customization says which fields the checkout asks for: also those the provider needs", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeCheckoutSettings(seller, { require_email: false, require_document: false, require_phone: false });
  const read = async () => {
    const answer = await call(customization, "/", { params: { productId: String(product.id) } });
    const { require_email, require_document, require_phone } = await answer.json();
    return { require_email, require_document, require_phone };
  };
  expect(await read()).toEqual({ require_email: false, require_document: false, require_phone: false });
  await makeGateway(seller, { provider: "mercadopago" });
  expect(await read()).toEqual({ require_email: true, require_document: false, require_phone: false });
});

test("the API gives a thank-you page's message and redirect only with a purchase of the product that gives access", async () => {
  const seller = await makeSeller();
  const [product, other] = [await makeProduct(seller), await makeProduct(seller)];
  const shown = { custom_message: "<p>grupo</p>", redirect_url: "https://membros.exemplo.com.br/entrar" };
  await makeThankYouSettings(seller, { title: "Oba!", ...shown });
  const read = async (query: string) => {
    const answer = await call(thankYou, `/${query}`, { params: { productId: String(product.id) } });
    const { title, custom_message, redirect_url, code } = await answer.json();
    return answer.status === 200 ? { title, custom_message, redirect_url } : [answer.status, code];
  };
  const hidden = { title: "Oba!", custom_message: "", redirect_url: "" };
  const now = new Date();
  const paid = await makeSale(product, { status: "completed" });
  const openWhileDisputed = await makeSale(product, { status: "disputed" });
  for (const { id } of [paid, openWhileDisputed])
    expect(await read(`?sale=${id}`)).toEqual({ title: "Oba!", ...shown });
  expect(await read("")).toEqual(hidden);
  expect(await read("?sale=")).toEqual(hidden);
  for (const sale of [
    await makeSale(product),
    await makeSale(product, { status: "refunded" }),
    await makeSale(product, { status: "chargedback" }),
    await makeSale(product, { status: "disputed", accessSuspendedAt: now }),
    await makeSale(other, { status: "completed" }),
    await makeSale(product, { status: "completed", customerEmail: null, anonymizedAt: now }),
  ])
    expect(await read(`?sale=${sale.id}`), sale.status).toEqual(hidden);
  expect(await read("?sale=1")).toEqual([400, undefined]);
  const corrected = await makeSale(product, { status: "completed", emailCorrectedAt: now });
  expect(await read(`?sale=${corrected.id}`)).toEqual(hidden);
  const key = createPurchaseKey(corrected.id, corrected.customerEmail);
  expect(await read(`?sale=${corrected.id}&${KEY_PARAMETER}=${key}`)).toEqual({ title: "Oba!", ...shown });
});
