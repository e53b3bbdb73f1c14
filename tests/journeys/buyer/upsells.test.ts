import type { Page } from "playwright";
import { beforeEach, describe, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForThanks,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { testInTurn, WAYS } from "#tests/support/run/ways.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;

beforeEach(async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  product = await makeProduct(seller);
  await makeUpsell(product, {
    name: "Mentoria em grupo",
    position: 1,
    priceCents: 14700,
    originalPriceCents: 29400,
    videoUrl: "https://youtu.be/abcdefghijk",
    benefits: ["Encontros ao vivo", "Gravações"],
    fileUrl: "https://arquivos.exemplo.com.br/mentoria.pdf",
  });
  await makeUpsell(product, { name: "Pacote de partituras", position: 2, priceCents: 3990 });
  app = await sharedApp();
});

async function open(options: { javaScript: boolean; width: number }): Promise<Page> {
  const page = await openPage({ ...options, url: app.url });
  // The video's player belongs to another site.
  await page.route(/youtube/, (route) => route.fulfill({ body: "", contentType: "text/html" }));
  return page;
}

describe.each(WAYS)("with JavaScript $javaScript, $width px wide", (options) => {
  const it = testInTurn(WAYS.indexOf(options));
  const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

  it("accepting the first upsell makes a second PIX without typing, and the next upsell follows its payment", async () => {
    const sale = await makeSale(product, { status: "completed", customerEmail: "ana@gmail.com" });
    const page = await open(options);
    await page.goto(`/upsell/${product.id}?sale=${sale.id}`);
    expect(await page.getByText("Parabéns! Sua compra foi aprovada").isVisible()).toBe(true);
    expect(await page.getByText("Oferta 1 de 2", { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText("50% OFF").isVisible()).toBe(true);
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `offer-${options.width}`);
    await page.getByRole("button", { name: "Sim, quero adicionar por R$ 147,00" }).click();
    await page.waitForURL("**/checkout/pix/**");
    const child = new URL(page.url()).pathname.split("/").at(-1)!;
    expect(await page.getByText("Mentoria em grupo").isVisible()).toBe(true);
    const code = await page.getByLabel("Código PIX copia e cola").inputValue();
    const paid = (await app.sandbox.transactions()).find((t) => t.qr_code === code)!;
    expect(paid.value).toBe(14700);
    await app.sandbox.pay(paid.id);
    await waitForThanks(page);
    expect(page.url()).toContain(`/thank-you/${child}`);
    const [row] = await sql`select parent_sale_id, customer_email, status from sales where id = ${child}`;
    expect(row).toEqual({ parent_sale_id: sale.id, customer_email: "ana@gmail.com", status: "completed" });
    const file = await page.getByRole("link", { name: "Baixar Produto" }).getAttribute("href");
    expect((await app.fetch(file!)).headers.get("location")).toBe(
      "https://arquivos.exemplo.com.br/mentoria.pdf",
    );

    await page.getByRole("link", { name: /^Voltar à compra de/ }).click();
    await page.getByText("Oferta especial 2 de 2").waitFor();
    expect(await heading(page)).toBe("Pacote de partituras");
    await page.getByRole("button", { name: "Não, obrigado" }).click();
    await page.getByRole("heading", { name: "Obrigado pela sua compra!" }).waitFor();
  });

  it("skipping ends the upsells at once and for good", async () => {
    const sale = await makeSale(product, { status: "completed" });
    const page = await open(options);
    await page.goto(`/thank-you/${sale.id}`);
    await page.getByRole("button", { name: "Pular ofertas" }).click();
    await page.getByRole("heading", { name: "Obrigado pela sua compra!" }).waitFor();
    await page.reload();
    expect(await heading(page)).toBe("Obrigado pela sua compra!");
    await page.goto(`/upsell/${product.id}?sale=${sale.id}`);
    expect(await page.getByText("Você será redirecionado em breve...").isVisible()).toBe(true);
    await page.waitForURL(`**/thank-you/${sale.id}`);
  });

  it("an expired upsell is refused and the next one is shown", async () => {
    const sale = await makeSale(product, { status: "completed" });
    const page = await open(options);
    await page.goto(`/thank-you/${sale.id}`);
    await sql`update upsell_showings set expires_at = now() - interval '6 seconds' where sale_id = ${sale.id}`;
    await page.getByRole("button", { name: /Sim, quero adicionar/ }).click();
    await page.getByText("O prazo desta oferta terminou.").waitFor();
    expect(await heading(page)).toBe("Pacote de partituras");
    const [count] = await sql`select count(*)::int as n from sales where parent_sale_id = ${sale.id}`;
    expect(count).toEqual({ n: 0 });
    allowTroubles(/status of 409/);
  });
});
