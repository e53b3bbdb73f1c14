import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { openPage, waitForHydration } from "#tests/support/clients/browser.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function openShop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const page = await openPage({ url: app.url, width: 1440, cookie: (await signedIn(seller)).Cookie });
  const open = async (at: string) => {
    await page.goto(at);
    await waitForHydration(page);
  };
  return { product, page, open };
}

/** Waits until the focus is on what this CSS selects. */
async function hasFocus(page: Page, css: string) {
  await page.waitForFunction((sought) => document.activeElement?.matches(sought), css);
}

async function press(page: Page, role: "button" | "link", name: string | RegExp) {
  await page.getByRole(role, { name }).first().focus();
  await page.keyboard.press("Enter");
}

test("a sale opened over the list returns the focus to its row when it is closed", async () => {
  const { product, page, open } = await openShop();
  await makeSale(product, { status: "completed", customerName: "Bia Souza" });
  await makeSale(product, { status: "completed", customerName: "Ana Lima" });
  for (const close of ["Escape", "Enter"]) {
    await open("/reports");
    await press(page, "link", /Bia Souza/);
    const dialog = page.locator("dialog[open]");
    await dialog.waitFor();
    if (close === "Enter") await dialog.getByRole("button", { name: "Fechar" }).focus();
    await page.keyboard.press(close);
    await dialog.waitFor({ state: "detached" });
    await hasFocus(page, "table a");
    expect(await page.evaluate(() => document.activeElement!.textContent)).toContain("Bia Souza");
  }
});

test("'Editar' puts the focus into the form, and closing it puts it back", async () => {
  const { product, page, open } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  await open(`/reports/sales/${sale.id}`);
  await press(page, "link", "Editar dados do cliente");
  await hasFocus(page, "[name=customer_name]");
  await press(page, "link", "Cancelar");
  await hasFocus(page, "a[href*='edit=customer']");

  await open(`/products/${product.id}/content`);
  await page.locator("summary", { hasText: "Incluir link" }).click();
  await page.locator("[name=url]").fill("https://exemplo.com.br/grupo");
  await page.locator("details[open] [name=name]").fill("Grupo");
  await page.keyboard.press("Enter");
  await press(page, "link", "Editar Grupo");
  await hasFocus(page, "li [name=name]");
  await press(page, "link", "Fechar");
  await hasFocus(page, "li a[title=Editar]");
});
