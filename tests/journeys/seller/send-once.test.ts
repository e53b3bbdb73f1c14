import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { allowTroubles, openPage, waitForHydration } from "#tests/support/clients/browser.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

type Shop = { product: { id: number }; sale: { id: string } };

/** Forms of each kind that Enter sends: with an intent, of a list's new item, versioned, with the button in the header. */
const forms: {
  name: string;
  at: (shop: Shop) => string;
  fill: (page: Page) => Promise<void>;
  saved: string | RegExp;
}[] = [
  {
    name: "an API key",
    at: () => "/settings?tab=seguranca",
    fill: (page) => page.getByLabel("Nome da chave").fill("planilha"),
    saved: "ela não será mostrada de novo",
  },
  {
    name: "a new link of the content",
    at: ({ product }) => `/products/${product.id}/content`,
    fill: async (page) => {
      const add = page.locator("details", { hasText: "Incluir link" }).first();
      await add.locator("summary").click();
      await add.locator("[name=url]").fill("https://exemplo.com.br/grupo");
      await add.locator("[name=name]").fill("Grupo");
    },
    saved: "Item incluído.",
  },
  {
    name: "a buyer's data",
    at: ({ sale }) => `/reports/sales/${sale.id}?edit=customer`,
    fill: (page) => page.locator("main [name=customer_name]").fill("Beatriz Nova"),
    saved: "Dados do cliente atualizados com sucesso!",
  },
  {
    name: "a new product",
    at: () => "/products/create",
    fill: async (page) => {
      await page.getByLabel("Preço", { exact: true }).fill("97,00");
      await page.getByLabel("Nome do produto").fill("Curso de Flauta");
    },
    saved: /criado/,
  },
  {
    name: "the checkout's look",
    at: () => "/checkout-customization?tab=botoes",
    fill: (page) => page.locator("main [name=button_text]").fill("Outro texto"),
    saved: /salv/,
  },
  {
    name: "the Resend key",
    at: () => "/settings?tab=gateways",
    fill: (page) => page.getByLabel("Chave do Resend").fill("re_123456789_abcdefgh"),
    saved: /Configurações salvas/,
  },
];

test.each(everyNth(2, forms))(
  "Enter pressed twice sends $name once, and again after no answer",
  async (form) => {
    allowTroubles(/ERR_FAILED/);
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const shop = { product, sale: await makeSale(product, { status: "completed" }) };
    const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
    await page.goto(form.at(shop));
    await waitForHydration(page);
    await form.fill(page);
    const posts: string[] = [];
    let answer = Promise.withResolvers<"lost" | "sent">();
    await page.route("**/*", async (route) => {
      const { pathname } = new URL(route.request().url());
      // A preview is posted while its page is edited.
      if (route.request().method() !== "POST" || pathname.endsWith("/preview")) return route.continue();
      posts.push(pathname);
      await ((await answer.promise) === "lost" ? route.abort() : route.continue()).catch(() => {});
    });

    const name = await page.locator(":focus").getAttribute("name");

    await page.keyboard.press("Enter");
    await until(() => posts.length === 1, { what: "the form to be sent" });
    await page.keyboard.press("Enter");
    answer.resolve("lost");
    await page
      .getByRole("alert")
      .filter({ hasText: /Erro|Sem conexão: nada foi salvo/ })
      .first()
      .waitFor();
    expect(posts).toHaveLength(1);

    answer = Promise.withResolvers();
    // Both before the page is painted again, and a third one after it.
    await page.locator(`main [name="${name}"]:visible`).evaluate((typed: HTMLInputElement) => {
      typed.focus();
      const enter = typed.form!.querySelector<HTMLButtonElement>("[type=submit]")!;
      enter.click();
      enter.click();
    });
    await until(() => posts.length === 2, { what: "the form to be sent again" });
    await page.keyboard.press("Enter");
    answer.resolve("sent");
    await page.getByText(form.saved).first().waitFor();
    expect(posts).toHaveLength(2);
  },
);

longTest("what an answer asks is answered before the page has been loaded again", async () => {
  allowTroubles(/409/);
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeGateway(seller, { provider: "woovi", apiKey: "sandbox-outra" });
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/settings?tab=gateways");
  await waitForHydration(page);
  await page.getByLabel("API Key", { exact: true }).fill("");
  await page.getByLabel("API Key (AppID)", { exact: true }).fill("");
  let posts = 0;
  const reloads = Promise.withResolvers<void>();
  await page.route("**/settings**", async (route) => {
    if (route.request().method() === "POST") posts++;
    else await reloads.promise;
    await route.continue().catch(() => {});
  });
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  await page.getByRole("button", { name: "Manter a chave e salvar" }).click();
  await page.getByText("Remover a API Key da Woovi?").waitFor();
  await page.getByRole("button", { name: "Remover a chave e salvar" }).click();
  await until(() => posts === 3, { what: "the second answer to be sent" });
  reloads.resolve();
  await page.getByText("Configurações salvas com sucesso!").waitFor();
});
