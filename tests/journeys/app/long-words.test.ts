import type { Page } from "playwright";
import { beforeEach, expect, test } from "vitest";
import {
  renderConfirmationMail,
  renderEmailChangeMail,
  renderResetMail,
} from "#app/domain/identity/email/render-account-mails.server.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";

const WORD = "Pneumoultramicroscopicossilicovulcanoconiotico".repeat(4);
const ADDRESS = `${WORD.slice(0, 60).toLowerCase()}@${"a".repeat(60)}.com.br`;

let app: App;
let seller: Awaited<ReturnType<typeof makeSeller>>;
let product: Awaited<ReturnType<typeof makeProduct>>;

beforeEach(async () => {
  seller = await makeSeller({ name: WORD.slice(0, 120), company: WORD.slice(0, 120) });
  await makeGateway(seller);
  product = await makeProduct(seller, {
    name: WORD,
    description: WORD,
    promotionText: WORD,
    urgencyText: WORD,
    priceCents: 1_234_567,
    originalPriceCents: 9_234_567,
  });
  await makeBump(product, { name: WORD, description: WORD, promotionText: WORD, urgencyText: WORD });
  app = await sharedApp();
});

async function inspect(page: Page, path: string, name: string, ready = async (_: Page) => {}) {
  await page.goto(path);
  await ready(page);
  await expectNoSidewaysScroll(page);
  await savePicture(page, `long-${name}`);
}

async function sold(status: "pending" | "completed") {
  const sale = await makeSale(product, {
    status,
    customerName: WORD,
    customerEmail: ADDRESS,
    utmSource: WORD,
    campaign: { src: WORD },
  });
  await sql`insert into sale_lines (sale_id, seller_id, kind, position, name, price_cents, file_url)
    values (${sale.id}, (select seller_id from sales where id = ${sale.id}), 'bump', 1, ${WORD}, 1990, 'https://arquivos.exemplo.com.br/cifras.pdf')`;
  return sale;
}

test("endless words break on every page a buyer sees, on a small phone", async () => {
  const page = await openPage({ url: app.url, width: 360 });
  await inspect(page, `/checkout/${product.id}`, "checkout");
  const [unpaid, over, paid] = [await sold("pending"), await sold("pending"), await sold("completed")];
  await makeCharge(unpaid, { pixCode: WORD, expiresAt: new Date(Date.now() + 600_000) });
  await makeCharge(over, { pixCode: WORD, expiresAt: new Date(Date.now() - 1000) });
  await inspect(page, `/checkout/pix/${unpaid.id}`, "pix");
  await inspect(page, `/checkout/pix/${over.id}`, "expired");
  await inspect(page, `/thank-you/${unpaid.id}`, "waiting");
  await inspect(page, `/thank-you/${paid.id}`, "thanks");
  await makeUpsell(product, { name: WORD, description: WORD, benefits: [WORD] });
  await inspect(page, `/upsell/${product.id}?sale=${paid.id}`, "upsell");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(WORD);
});

test.each([
  ["of many words", "Maria das Dores Figueiredo dos Santos Albuquerque e Silva"],
  ["of one", WORD.slice(0, 120)],
])("a seller's long name %s stays on one line of the header", async (_, name) => {
  const { Cookie } = await signedIn(await makeSeller({ name }));
  const page = await openPage({ url: app.url, width: 1280, cookie: Cookie });
  await page.goto("/products");
  const shown = page.getByRole("banner").getByText(name);
  const { line, text, box } = await shown.evaluate((element) => ({
    line: Number.parseFloat(getComputedStyle(element).lineHeight),
    text: element.getBoundingClientRect(),
    box: element.parentElement!.getBoundingClientRect(),
  }));
  expect(text.height).toBeLessThan(1.5 * line);
  expect(text.right).toBeLessThanOrEqual(box.right);
  expect(await shown.evaluate((element) => getComputedStyle(element).overflow)).toBe("hidden");
});

longTest("and on every page of their seller", async () => {
  const { Cookie } = await signedIn(seller);
  const page = await openPage({ url: app.url, width: 360, cookie: Cookie });
  const sale = await sold("completed");
  await makeMail({ sellerId: seller.id, saleId: sale.id, recipient: ADDRESS });
  await sql`update mails set error = ${WORD}, status = 'failed' where sale_id = ${sale.id}`;
  for (const [path, name] of [
    ["/dashboard", "dashboard"],
    ["/products", "products"],
    [`/products/${product.id}/edit`, "product"],
    ["/reports", "reports"],
    ["/reports?tab=emails", "deliveries"],
    [`/reports/sales/${sale.id}`, "sale"],
    ["/settings/utmfy", "utmfy"],
    ["/settings/utmfy/debug", "debug"],
    ["/settings/email", "email"],
    ["/settings", "settings"],
  ] as const)
    await inspect(page, path, name, waitForHydration);
});

test("mails with a long link or address are no wider than a phone", async () => {
  const page = await openPage({ width: 360 });
  const [link, end] = [`${app.url}/reset-password/${WORD}`, new Date()];
  for (const { html } of [
    renderConfirmationMail(WORD, link, end),
    renderResetMail(WORD, link, end),
    renderEmailChangeMail(WORD, ADDRESS, end),
  ]) {
    await page.setContent(html);
    await expectNoSidewaysScroll(page);
  }
});
