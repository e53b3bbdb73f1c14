import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";

let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

longTest.each(oneWay(true))("the API can be read at $width px (JavaScript: $javaScript)", async (way) => {
  const page = await openPage({ url: app.url, ...way });
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "API" }).click();
  await page.getByRole("heading", { name: "API para desenvolvedores" }).waitFor();
  const products = page.getByRole("region", { name: "GET /api/products", exact: true });
  await products.getByText("Chave com a permissão read").waitFor();
  expect(await products.getByRole("region", { name: "Exemplo de GET /api/products" }).textContent()).toBe(
    `curl '${app.url}/api/products?limit=2' \\\n  -H 'Authorization: Bearer SUA_CHAVE'`,
  );
  await products.getByText("No endereço").click();
  await products.getByText("Parte do nome").waitFor();
  const create = page.getByRole("region", { name: "POST /api/products", exact: true });
  await create.getByText("No corpo").click();
  expect(await create.getByText("obrigatório").count()).toBe(3);
  await expectNoSidewaysScroll(page);
  await expectNoSeriousAxe(page);
  await savePicture(page, `developers-${way.width}-${way.javaScript ? "js" : "plain"}`);
});

test("the link to it is beside a seller's keys", async () => {
  const { Cookie } = await signedIn(await makeSeller());
  const page = await openPage({ url: app.url, cookie: Cookie });
  await page.goto("/settings?tab=seguranca");
  await waitForHydration(page);
  await page.getByRole("link", { name: "Como usar a API" }).click();
  await page.getByRole("heading", { name: "API para desenvolvedores" }).waitFor();
});
