import { expect, test } from "vitest";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as checkoutPreview from "#app/routes/seller/customization/checkout-preview.tsx";
import * as thankYouPreview from "#app/routes/seller/customization/thank-you-preview.tsx";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import {
  EVERYTHING_ON,
  makeCheckoutSettings,
  makeThankYouSettings,
} from "#tests/support/rows/make-storefront.ts";

async function visit(route: object = checkoutPreview) {
  const seller = await makeSeller({ name: "Estúdio Aurora" });
  const headers = await signedIn(seller);
  return {
    seller,
    get: () => call(route, "/preview", { headers }),
    post: (fields: Record<string, string>, accept = "text/html") =>
      call(route, "/preview", {
        method: "POST",
        headers: { ...headers, Accept: accept },
        body: new URLSearchParams(fields),
      }),
  };
}

const TYPED = {
  require_email: "on",
  urgency_timer_enabled: "on",
  urgency_timer_minutes: "15",
  guarantee_days: "30",
  button_text: "Quero já",
  order_bump_style: "banner",
  total_section_style: "gradient",
  button_style: "glow",
};

test("typed values are rendered and not saved, with the example clock and the seller's first product", async () => {
  const { seller, post } = await visit();
  await makeProduct(seller, { name: "Curso de Aquarela" });
  await makeProduct(seller, { name: "Outro" });
  const answer = await post(TYPED);
  const html = await answer.text();
  for (const text of ["Curso de Aquarela", "Quero já", "29:45", "bumps-banner", "total-gradient", "buy-glow"])
    expect(html).toContain(text);
  expect(html).not.toContain("Nome completo");
  expect(await sql`select 1 from checkout_customizations where seller_id = ${seller.id}`).toHaveLength(0);
});

test("a saved value that is no longer accepted is previewed as it is, beside what was typed", async () => {
  const { seller, post } = await visit();
  const brandName = "Marca de antes ".repeat(8).trim();
  await makeCheckoutSettings(seller, { brand_name: brandName });
  const answer = await post({ ...TYPED, brand_name: brandName });
  expect(answer.status).toBe(200);
  const html = await answer.text();
  for (const text of [brandName, "Quero já", "bumps-banner"]) expect(html).toContain(text);
});

test("the preview is a document that runs, sends and frames nothing", async () => {
  const { get } = await visit();
  const answer = await get();
  const policy = answer.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("sandbox allow-same-origin");
  expect(policy).not.toContain("script-src");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(await answer.text()).not.toContain("<script");
});

test("a seller without products sees an example, never another seller's product or settings", async () => {
  const other = await makeSeller();
  await makeProduct(other, { name: "Curso alheio" });
  await makeCheckoutSettings(other, EVERYTHING_ON);
  const { seller, get } = await visit();
  await makeProduct(seller, { name: "Desligado", deactivatedAt: new Date() });
  const html = await (await get()).text();
  expect(html).toContain("Produto de exemplo");
  expect(html).not.toMatch(/Curso alheio|Turma de novembro|Desligado/);
});

test("the example has its prices and an order bump with its own, and no field for a coupon", async () => {
  const { get } = await visit();
  const html = await (await get()).text();
  for (const price of ["R$ 97,00", "R$ 197,00", "R$ 19,90", "R$ 29,90"]) expect(html).toContain(price);
  expect(html).not.toContain("Tem um cupom?");
});

test("a preview shows the first product that is for sale", async () => {
  const { seller, get } = await visit();
  await makeProduct(seller, { name: "Desligado", deactivatedAt: new Date() });
  await makeProduct(seller, { name: "Arquivado", archivedAt: new Date() });
  await makeProduct(seller, { name: "Curso de Aquarela" });
  const html = await (await get()).text();
  expect(html).toContain("Curso de Aquarela");
  expect(html).not.toMatch(/Desligado|Arquivado|Produto de exemplo/);
});

test("a product without an order bump is shown with an example of one, others with their own alone", async () => {
  const { seller, get } = await visit();
  const product = await makeProduct(seller);
  const shown = async () => (await get()).text();
  expect(await shown()).toContain("Order bump de exemplo");
  await makeBump(product, { name: "Apostila de cifras" });
  expect(await shown()).toContain("Apostila de cifras");
  expect(await shown()).not.toContain("Order bump de exemplo");
});

test("a field that is invalid while being typed is rendered as saved", async () => {
  const { seller, post } = await visit();
  await makeCheckoutSettings(seller, { primary_color: "#7C3AED", brand_name: "Salvo" });
  const html = await (
    await post({ ...TYPED, brand_name: "Digitando", primary_color: "#7C", urgency_timer_minutes: "1" })
  ).text();
  expect(html).toContain("Digitando");
  expect(html.toLowerCase()).toContain("--color-primary:#7c3aed");
});

test("the script gets the list of what will be removed, and the document without it", async () => {
  const { post } = await visit();
  const typed = {
    ...TYPED,
    custom_header: "<b>Oi</b><script>alert(1)</script>",
    custom_css: "#a{color:red}",
  };
  const { html, removed } = await (await post(typed, "application/json")).json();
  expect(html).toContain('<div class="zone"><b>Oi</b></div>');
  expect(Object.keys(removed)).toEqual(["custom_header", "custom_css"]);
});

test("the thank-you page is previewed with its countdown; switched off it is the default page", async () => {
  const { post } = await visit(thankYouPreview);
  const typed = {
    title: "Valeu!",
    redirect_url: "https://membros.exemplo.com.br/",
    auto_redirect_seconds: "10",
    show_download_button: "on",
    download_button_text: "Pegar arquivo",
  };
  const on = await (await post({ ...typed, enabled: "on" })).text();
  for (const text of ["Valeu!", "Pegar arquivo", "Continuar para área de membros", "<b>10</b> segundos"])
    expect(on).toContain(text);
  expect(await (await post(typed)).text()).toContain("Obrigado pela sua compra!");
});

test("colours in the message of a thank-you page fix light or dark on the page and in its preview", async () => {
  const { seller, get } = await visit(thankYouPreview);
  const product = await makeProduct(seller);
  const { id: saleId } = await makeSale(product, { status: "completed" });
  const pages = async () => {
    const page = await call(thankYou, `/thank-you/${saleId}`, { params: { saleId } });
    return [await page.text(), await (await get()).text()].map((html) => /<html[^>]*>/.exec(html)![0]);
  };
  await makeThankYouSettings(seller, { custom_message: '<p style="text-align:center">Oi</p>' });
  expect(await pages()).toEqual(['<html lang="pt-BR">', '<html lang="pt-BR">']);
  await makeThankYouSettings(seller, { custom_message: '<p style="color:#1f2937">Oi</p>' });
  const light = '<html lang="pt-BR" data-theme="claro">';
  expect(await pages()).toEqual([light, light]);
});

test("strangers are sent to sign in", async () => {
  for (const route of [checkoutPreview, thankYouPreview]) {
    const answer = await call(route, "/preview");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(/^\/login/);
  }
});
