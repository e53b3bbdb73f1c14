import { beforeAll, describe, expect, test } from "vitest";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { unavailablePage } from "#app/web/buyer/unavailable.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoAxe,
  expectNoSidewaysScroll,
  keepPicture,
  openPage,
} from "#tests/support/browser.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
} from "#tests/support/make.ts";
import { makeMail } from "#tests/support/make-mail.ts";
import { EVERYTHING_ON, makeCheckoutSettings } from "#tests/support/make-storefront.ts";
import { openStill } from "#tests/support/still.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;

const CODE = "00020101021226850014br.gov.bcb.pix".padEnd(160, "0");
const MINUTES = 60_000;

/** Addresses of every screen a buyer may meet, and those that only faults show. */
const screens: Record<string, string> = {
  find: "/thank-you",
  purchases: "/minhas-compras",
  "money-back": "/reembolso",
  "purchases-link-spent": "/minhas-compras/entrar/x",
  "not-found": "/checkout/s/nada",
  "purchase-not-found": "/thank-you/nada",
  "nothing-bought": "/upsell/1",
};

beforeAll(async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeCheckoutSettings(seller, { ...EVERYTHING_ON, brand_logo_url: "" });
  product = await makeProduct(seller, { checkoutSlug: "telas", originalPriceCents: 19700 });
  await makeBump(product);
  const plain = await makeProduct(seller, { name: "Curso de Baixo" });
  await makeOffer(product, { name: "Mentoria em grupo", originalPriceCents: 29700, benefits: ["Ao vivo"] });
  const sold = async (of = plain, fields: Parameters<typeof makeSale>[1] = {}) => makeSale(of, fields);
  const withCharge = async (
    fields: Parameters<typeof makeCharge>[1],
    sale: Parameters<typeof makeSale>[1] = {},
  ) => {
    const made = await sold(plain, sale);
    await makeCharge(made, { pixCode: CODE, expiresAt: new Date(Date.now() + 20 * MINUTES), ...fields });
    return made.id;
  };
  screens.checkout = "/checkout/s/telas";
  screens.back = "/checkout/s/telas?retry=failed";
  screens.pix = `/checkout/pix/${await withCharge({})}`;
  screens.expired = `/checkout/pix/${await withCharge({ expiresAt: new Date(Date.now() - 1000) })}`;
  screens.refused = `/checkout/pix/${await withCharge({ status: "failed" }, { status: "failed" })}`;
  screens.mispaid = `/checkout/pix/${await withCharge({ status: "mispaid", paidAt: new Date(), paidCents: 100 })}`;
  screens.waiting = `/thank-you/${await withCharge({})}`;
  const paid = await sold(product, { status: "completed" });
  screens.offer = `/upsell/${product.id}?sale=${paid.id}`;
  const done = await sold(plain, { status: "completed" });
  screens.thanks = `/thank-you/${done.id}`;
  screens["correct-email"] = `/purchase-email/${done.id}`;
  const lost = await sold(plain, { status: "completed" });
  await makeMail({ recipient: lost.customerEmail, saleId: lost.id });
  await sql`update mails set status = 'failed', bounced_at = now() where sale_id = ${lost.id}`;
  screens["thanks-mail-returned"] = `/thank-you/${lost.id}`;
  const moved = await sold(plain, { status: "completed", emailCorrectedAt: new Date() });
  screens["email-corrected"] = `/thank-you/${moved.id}`;
  screens["no-more-offers"] = `/upsell/${plain.id}?sale=${done.id}`;
  const child = await sold(plain, { status: "completed", parentSaleId: done.id });
  screens["thanks-for-offer"] = `/thank-you/${child.id}`;
  screens.refunded = `/thank-you/${(await sold(plain, { status: "refunded" })).id}`;
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${done.id}`;
  screens["link-expired"] = downloadUrl(done.id, line!.id, Date.now() - 24 * 60 * MINUTES);
  app = await startApp();
});

describe.each([360, 1280])("%s px wide", (width) => {
  test("no screen a buyer can meet has an accessibility problem of any weight, or sticks out", async () => {
    const page = await openPage({ url: app.url, width });
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(path);
      expect(await page.getByRole("heading", { level: 1 }).count(), name).toBe(1);
      await expectNoSidewaysScroll(page);
      await keepPicture(page, `screen-${name}-${width}`);
      // The same document on a wide screen.
      if (width < 600) await expectNoAxe(page);
    }
    allowTroubles(/status of 40[34]/);
  });
});

test("nor have the pages before the desk, which stand still while their script loads", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  for (const path of ["/login", "/register", "/forgot-password", "/confirm-email", "/reset-password/nada"]) {
    await openStill(page, path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expectNoAxe(page);
  }
  allowTroubles(/status of 40\d/);
});

test("nor the page while the database is away, which tries again by itself", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const kept = unavailablePage();
  const [body, headers] = [await kept.text(), Object.fromEntries(kept.headers)];
  let [asked, told] = [0, 0];
  page.on("console", (message) => {
    if (/status of 503/.test(message.text())) told += 1;
  });
  await page.route("**/thank-you", (route) => {
    asked += 1;
    return route.fulfill({ status: 503, headers, body });
  });
  await page.clock.install();
  await page.goto("/thank-you");
  await expectNoAxe(page);
  await page.clock.runFor(5000);
  // The browser tells of each answer after it came, and would tell of the second in the next test.
  await expect.poll(() => told).toBe(2);
  expect(asked).toBe(2);
  allowTroubles(/status of 503/);
});

test("who bought nothing is told so by the offers' address, and is led nowhere", async () => {
  const page = await openPage({ url: app.url });
  await page.clock.install();
  await page.goto(`/upsell/${product.id}`);
  await page.getByRole("heading", { name: "Nenhuma compra encontrada" }).waitFor();
  expect(await page.getByText("Obrigado pela sua compra!").count()).toBe(0);
  await page.clock.runFor(20_000);
  expect(new URL(page.url()).pathname).toBe(`/upsell/${product.id}`);
  expect(await page.locator("meta[http-equiv]").count()).toBe(0);
  allowTroubles(/status of 404/);
});

test("the whole journey goes by the keyboard alone, and a screen reader is told each step of it", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  const { keyboard } = page;
  const next = async (times = 1) => {
    for (let i = 0; i < times; i++) await keyboard.press("Tab");
    return page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.id);
  };
  /** Tabs on until something with this name has the focus. */
  const reach = async (name: string) => {
    for (let i = 0; i < 40; i++) if ((await next())?.includes(name)) return;
    throw new Error(`${name} is not reached by Tab`);
  };
  await page.goto("/checkout/s/telas");
  expect(await page.locator("main").ariaSnapshot()).toMatchAriaTree([
    'heading "Estúdio Aurora" [level=1]',
    'heading "Seus dados" [level=2]',
    'textbox "Nome completo"',
    'textbox "Seu melhor e-mail"',
    'textbox "Confirme seu e-mail"',
    'textbox "CPF"',
    'textbox "WhatsApp"',
    'region "Pagamento por PIX"',
    'region "Resumo do pedido"',
    "checkbox",
    'region "Total a pagar"',
    'button "Quero começar agora"',
  ]);
  // An empty form says what is missing, at the first of it.
  await reach("Quero começar agora");
  await keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("customer_name");
  await keyboard.type("Ana Lima");
  await next();
  await keyboard.type("ana@gmail.com");
  await next();
  await keyboard.type("ana@gmail.com");
  expect(await page.getByRole("status").filter({ hasText: "E-mails coincidem" }).count()).toBe(1);
  await next();
  await keyboard.type("52998224725");
  await next(2);
  await keyboard.type("11987654321");
  await next();
  await keyboard.press("Space");
  const total = page.locator("[aria-live=polite]");
  await expect.poll(() => total.textContent()).toContain("R$ 116,90");
  await next();
  await keyboard.press("Enter");
  await page.waitForURL("**/checkout/pix/**");
  expect(await page.locator("main").ariaSnapshot()).toMatchAriaTree([
    'heading "Pagamento Iniciado" [level=1]',
    'status "Situação do pagamento"',
    'region "Pague com PIX"',
    'button "Copiar código"',
    'textbox "Código PIX copia e cola"',
    'img "QR code do PIX"',
    'button "Já paguei - Verificar status"',
  ]);
  await reach("Verificar agora");
  await reach("Copiar código");
  await reach("Já paguei");
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const { id } = (await app.sandbox.transactions()).find(({ qr_code }) => qr_code === code)!;
  await app.sandbox.pay(id);
  const approved = page
    .getByRole("status", { name: "Situação do pagamento" })
    .getByText("Pagamento Aprovado!")
    .waitFor();
  const wentOn = page.waitForURL("**/thank-you/**");
  // A page drawn anew for the announcement meanwhile goes on without saying it.
  await Promise.race([approved, wentOn]);
  approved.catch(() => {});
  await wentOn;
  await reach("Não, obrigado");
  await keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Obrigado pela sua compra!" }).waitFor();
  await reach("Baixar Produto");
  await until(async () => (await app.sandbox.emails("ana@gmail.com")).length > 1);
});

expect.extend({
  /** The parts stand in a reader's tree in this order. */
  toMatchAriaTree(tree: string, parts: string[]) {
    let at = 0;
    const missing = parts.find((part) => {
      const found = tree.indexOf(part, at);
      at = found + 1;
      return found < 0;
    });
    return {
      pass: missing === undefined,
      message: () => `${missing} is not there, or not in its place:\n${tree}`,
    };
  },
});

declare module "vitest" {
  interface Matchers {
    toMatchAriaTree(parts: string[]): void;
  }
}
