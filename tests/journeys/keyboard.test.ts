import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { expectNoAxe, keepPicture, openPage, waitForHydration } from "#tests/support/browser.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ worker: 0, sandbox: false });
});

async function open(at = "/dashboard") {
  const seller = await makeSeller();
  await makeProduct(seller);
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto(at);
  await waitForHydration(page);
  return page;
}

test("g and a letter lead through the desk, and it is read out", async () => {
  const page = await open();
  for (const [letter, address, name] of [
    ["p", "**/products", "Produtos"],
    ["r", "**/reports", "Relatórios"],
    ["s", "**/settings", "Configurações"],
    ["d", "**/dashboard", "Dashboard"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL(address);
    await page
      .getByRole("status")
      .filter({ hasText: `Abrindo ${name}` })
      .waitFor({ state: "attached" });
  }
});

test("the slash goes to the page's search, and to that of the products where it has none", async () => {
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
  await keepPicture(page, "keyboard");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  expect(page.url()).toMatch(/\/dashboard$/);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.waitForURL("**/products");
});

test("what is typed into a field is text, and a key with another one held is the browser's", async () => {
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

test("leaving by a key asks about what is not saved", async () => {
  const page = await open("/settings");
  const name = page.getByLabel("Nome", { exact: true });
  await name.fill("Outro nome");
  await name.blur();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("dialog", { name: "Sair sem salvar?" }).waitFor();
});
