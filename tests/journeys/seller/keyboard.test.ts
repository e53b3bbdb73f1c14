import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { expectNoAxe, openPage, savePicture, waitForHydration } from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function open(at = "/dashboard") {
  const seller = await makeSeller();
  await makeProduct(seller);
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto(at);
  await waitForHydration(page);
  return page;
}

test("g and a letter navigate the dashboard, and it is announced", async () => {
  const page = await open();
  for (const [letter, address, name] of everyNth(2, [
    ["p", "**/products", "Produtos"],
    ["c", "**/checkout-customization", "Checkout"],
    ["o", "**/thank-you-customization", "Página de obrigado"],
    ["r", "**/reports", "Relatórios"],
    ["i", "**/settings/integrations", "Integrações"],
    ["s", "**/settings", "Configurações"],
    ["d", "**/dashboard", "Dashboard"],
  ] as const)) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL(address);
    await page
      .getByRole("status")
      .filter({ hasText: `Abrindo ${name}` })
      .waitFor({ state: "attached" });
  }
});

test("the slash focuses the page's search, and that of the products if it has none", async () => {
  const page = await open("/settings");
  await page.keyboard.press("/");
  await page.waitForURL("**/products");
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.type === "search");
  await page.keyboard.type("g p ? /");
  expect(await page.getByRole("searchbox").inputValue()).toBe("g p ? /");
  expect(page.url()).toMatch(/\/products$/);
});

test("the question mark shows the keys in a dialog, over which none of them works, and Escape leads back", async () => {
  const page = await open();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Atalhos do teclado" });
  await keys.waitFor();
  await expectNoAxe(page);
  await savePicture(page, "keyboard");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  expect(page.url()).toMatch(/\/dashboard$/);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.waitForURL("**/products");
});

test("what is typed into a field is text, and a key with a modifier belongs to the browser", async () => {
  const page = await open("/settings");
  const name = page.getByLabel("Nome", { exact: true });
  await name.fill("");
  await name.pressSequentially("g p/?");
  expect(await name.inputValue()).toBe("g p/?");
  await name.blur();
  await page.keyboard.press("g");
  await page.keyboard.press("Control+p");
  await page.keyboard.press("x");
  expect(page.url()).toMatch(/\/settings$/);
});

longTest("leaving by a key asks about unsaved changes", async () => {
  const page = await open("/settings");
  const name = page.getByLabel("Nome", { exact: true });
  await name.fill("Outro nome");
  await name.blur();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("dialog", { name: "Sair sem salvar?" }).waitFor();
});

/** Presses Tab until the element with this role and name has the focus. */
async function tabTo(page: Page, role: "textbox" | "button" | "radio" | "checkbox" | "switch", name: string) {
  const sought = page.getByRole(role, { name, exact: true }).and(page.locator(":focus"));
  for (let presses = 0; presses < 80; presses++) {
    if ((await sought.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no ${role} ${name} within 80 presses of Tab`);
}

longTest("a product with an order bump is made by keyboard alone", async () => {
  const page = await open();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.waitForURL("**/products");
  const create = page.getByRole("link", { name: "Novo Produto" });
  for (let at = 0; at < 40 && !(await create.evaluate((link) => link === document.activeElement)); at++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/products/create");
  await tabTo(page, "textbox", "Nome do produto");
  await page.keyboard.type("Curso de Cavaquinho");
  await tabTo(page, "textbox", "Preço");
  await page.keyboard.type("97,00");
  await tabTo(page, "textbox", "Link do arquivo (opcional)");
  await page.keyboard.type("https://exemplo.com.br/curso.pdf");
  await tabTo(page, "radio", "Informações Básicas");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "button", "Adicionar order bump");
  await page.keyboard.press("Enter");
  const bump = page.getByRole("group", { name: "Order bump 1" });
  await bump.waitFor();
  await tabTo(page, "textbox", "Nome");
  await page.keyboard.type("Apostila");
  await tabTo(page, "textbox", "Preço");
  await page.keyboard.type("19,90");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "criado" }).waitFor();
  const [row] = await sql`select p.name, b.name as bump, b.price_cents as cents from products p
    join order_bumps b on b.product_id = p.id where p.name = 'Curso de Cavaquinho'`;
  expect(row).toEqual({ name: "Curso de Cavaquinho", bump: "Apostila", cents: 1990 });
});

longTest("a setting is saved by keyboard alone, and it is announced", async () => {
  const page = await open();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.waitForURL("**/settings");
  await tabTo(page, "textbox", "Nome");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Vera Lúcia");
  await tabTo(page, "button", "Salvar perfil");
  await page.keyboard.press("Space");
  await page.getByRole("status").filter({ hasText: "Configurações salvas com sucesso!" }).waitFor();
  await page.reload();
  expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Vera Lúcia");
});
