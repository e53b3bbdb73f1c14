import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { openPage, waitForHydration } from "#tests/support/clients/browser.ts";
import { makeBump, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";

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
  for (const close of everyNth(2, ["Escape", "Enter"])) {
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

longTest("'Editar' puts the focus into the form, and closing it puts it back", async () => {
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

test("rows of a product that are moved, removed and added keep the focus, and it is announced", async () => {
  const { product, page, open } = await openShop();
  for (const name of ["Um", "Dois", "Três"]) await makeBump(product, { name });
  await open(`/products/${product.id}/edit`);
  await page.locator(".tab-list").getByText("Order Bumps").click();
  const focused = () => page.evaluate(() => document.activeElement!.textContent);
  const says = (text: string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

  await press(page, "button", "Mover Order bump 2 para cima");
  await says("Order bump 2 passou para a posição 1 de 3.");
  expect(await focused()).toBe("Mover Order bump 1 para cima");
  await page.keyboard.press("Enter");
  expect(await page.getByRole("group", { name: "Order bump 1" }).getByLabel("Nome").inputValue()).toBe(
    "Dois",
  );
  await press(page, "button", "Mover Order bump 2 para baixo");
  await says("Order bump 2 passou para a posição 3 de 3.");
  expect(await focused()).toBe("Mover Order bump 3 para baixo");
  await press(page, "button", "Remover Order bump 2");
  await says("Order bump 2 removido.");
  expect(await focused()).toBe("Remover Order bump 2");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Order bump 2" }).waitFor({ state: "detached" });
  expect(await focused()).toBe("Adicionar order bump");
  await page.keyboard.press("Enter");
  await says("Order bump 2 adicionado.");
  await hasFocus(page, "fieldset:nth-of-type(2) input[name$=name]");
});

longTest("items of a content that are moved to an end keep the focus", async () => {
  const { product, page, open } = await openShop();
  await open(`/products/${product.id}/content`);
  for (const name of ["Um", "Dois"]) {
    const add = page.locator("details", { hasText: "Incluir link" });
    if ((await add.getAttribute("open")) === null) await add.locator("summary").click();
    await add.locator("[name=url]").fill("https://exemplo.com.br/grupo");
    await add.locator("[name=name]").fill(name);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: `Editar ${name}` }).waitFor();
  }
  await press(page, "button", "Subir Dois");
  await page.locator("ul[aria-label=Itens] > li:first-child", { hasText: "Dois" }).waitFor();
  await hasFocus(page, "li:first-child [title=Subir]");
});

longTest("a form that was saved with Enter leaves the focus on the message", async () => {
  const { product, page, open } = await openShop();
  await open("/settings");
  await page.locator("main [name=name]").fill("Vera Nova");
  await page.keyboard.press("Enter");
  await page.getByText("Configurações salvas com sucesso!").waitFor();
  await hasFocus(page, "[role=status] > div");

  await open(`/products/${product.id}/content`);
  await page.locator("summary", { hasText: "Incluir link" }).click();
  await page.locator("[name=url]").fill("https://exemplo.com.br/grupo");
  await page.locator("details[open] [name=name]").fill("Grupo");
  await page.keyboard.press("Enter");
  await page.getByText("Item incluído.").waitFor();
  await hasFocus(page, "[role=status] > div");
});
