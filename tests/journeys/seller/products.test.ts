import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { newProductBody } from "#app/domain/catalog/product-form.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { makeManyProducts, productBody } from "#tests/integration/catalog/make-products.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";
import { EVERY_WAY, everyNth, longTest, oneScript, testInTurn, WAYS } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const REQUIRED = "Nome e preço são obrigatórios";

async function dashboard(options: { javaScript: boolean; width: number; dark?: boolean }) {
  const seller = await makeSeller();
  const page = await openPage({ ...options, url: app.url, cookie: (await signedIn(seller)).Cookie });
  return { seller, page };
}

/**
 * Each screen once on a phone, and those with a sidebar on a desktop: accessibility checks are slow. At each change those
 * with an error, and with the most in them; `seller/axe` opens the screens as they begin.
 */
const AXE = EVERY_WAY
  ? /-360-js$|^(products|product-edit)-1280-js$|^dashboard-full/
  : /^product-(new-missing|new-bumps|edit-upsells)-360-js$|^dashboard-full-360/;

/** The page is ready for people: nothing sticks out, nothing that axe finds; a picture for later. */
async function screenshot(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  if (AXE.test(name)) await expectNoSeriousAxe(page);
  await savePicture(page, name);
}

async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("radio", { name: new RegExp(name) });
  // A click hits the top element: not the form's bar with its buttons.
  await tab.evaluate((radio) => radio.closest("label")!.scrollIntoView({ block: "center" }));
  await tab.check({ force: true });
}

for (const [at, { width, javaScript }] of WAYS.entries()) {
  const it = testInTurn(at);
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  it(`a new seller creates the first product, meets its mistakes and corrects them, ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    await page.goto("/dashboard");
    await page.getByText("Nenhum produto cadastrado").waitFor();
    await screenshot(page, shot("dashboard-empty"));
    await page.getByRole("link", { name: "Criar primeiro produto" }).click();
    await page.getByRole("heading", { name: "Novo Produto" }).waitFor();
    await screenshot(page, shot("product-new"));
    await page.getByLabel("Descrição").fill("Do zero às primeiras músicas");
    await page.getByRole("button", { name: "Criar Produto" }).last().click();
    await page.getByRole("alert").getByText(REQUIRED).waitFor();
    allowTroubles(/400/);
    expect(await page.getByLabel("Descrição").inputValue()).toBe("Do zero às primeiras músicas");
    await screenshot(page, shot("product-new-missing"));
    await page.getByLabel("Nome do produto").fill("Curso de Violão");
    await page.getByLabel("Preço", { exact: true }).fill("0,10");
    await openTab(page, "Preços e Promoções");
    await page.getByLabel("Preço original").fill("1.234,56");
    await openTab(page, "Mídia e Links");
    await page.getByLabel("Link do arquivo").fill("https://arquivos.exemplo.com.br/curso.pdf");
    await screenshot(page, shot("product-new-media"));
    await page.getByRole("button", { name: "Criar Produto" }).last().click();
    await page.getByRole("alert").getByText("Preço deve ser 0 (grátis) ou de pelo menos R$ 0,50").waitFor();
    allowTroubles(/400/);
    await page.getByLabel("Preço", { exact: true }).fill("97");
    await openTab(page, "Preços e Promoções");
    if (javaScript) {
      await page.getByText("92% OFF").waitFor();
      await page.getByText("Economia de R$ 1.137,56").waitFor();
    }
    await screenshot(page, shot("product-new-price"));
    await openTab(page, "Order Bumps");
    await page.getByRole("button", { name: "Adicionar order bump" }).click();
    const bump = page.getByRole("group", { name: "Order bump 1" });
    await bump.getByLabel("Nome").fill("Apostila");
    await bump.getByLabel("Preço", { exact: true }).fill("19,90");
    await screenshot(page, shot("product-new-bumps"));
    await page.getByRole("button", { name: "Criar Produto" }).last().click();
    await page.getByText('Produto "Curso de Violão" criado').waitFor();
    expect(new URL(page.url()).pathname).toBe("/products");
    await screenshot(page, shot("products-one"));
    const rows = await sql`
        select p.price_cents, p.original_price_cents, p.deactivated_at, b.name, b.price_cents as bump_cents
        from products p join order_bumps b on b.product_id = p.id where p.seller_id = ${seller.id}`;
    expect(rows).toEqual([
      {
        price_cents: 9700,
        original_price_cents: 123456,
        deactivated_at: null,
        name: "Apostila",
        bump_cents: 1990,
      },
    ]);
  });

  it(`a product is edited with its bumps and upsells, ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    const product = await makeProduct(seller, { checkoutSlug: `editar-${width}-${javaScript}` });
    await makeBump(product, { name: "Primeiro", position: 0 });
    await makeBump(product, { name: "Segundo", position: 1 });
    await makeUpsell(product, { benefits: ["Ao vivo", "Em grupo"] });
    await page.goto(`/products/${product.id}/edit`);
    expect(await page.getByLabel("Preço", { exact: true }).first().inputValue()).toBe("97,00");
    await screenshot(page, shot("product-edit"));
    await page.getByLabel("Nome do produto").fill("Violão completo");
    await openTab(page, "Order Bumps");
    await page.getByRole("button", { name: "Mover Order bump 2 para cima" }).click();
    await expect
      .poll(() => page.getByRole("group", { name: "Order bump 1" }).getByLabel("Nome").inputValue())
      .toBe("Segundo");
    await page.getByRole("button", { name: "Remover Order bump 2" }).click();
    await page.getByRole("group", { name: "Order bump 2" }).waitFor({ state: "detached" });
    await screenshot(page, shot("product-edit-bumps"));
    await openTab(page, "Upsells");
    await page.getByRole("button", { name: "Adicionar oferta" }).click();
    const second = page.getByRole("group", { name: "Oferta 2" });
    await second.getByLabel("Nome").fill("Consultoria");
    await second.getByLabel("Preço", { exact: true }).fill("R$ 1.500,00");
    await screenshot(page, shot("product-edit-upsells"));
    await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
    await page.getByText('Produto "Violão completo" atualizado').waitFor();
    const [row] = await sql`
        select name, (select json_agg(b.name order by position) from order_bumps b where product_id = p.id) as bumps,
               (select json_agg(json_build_array(o.name, o.price_cents, o.benefits, o.deactivated_at) order by position)
                from upsells o where product_id = p.id) as offers
        from products p where id = ${product.id}`;
    expect(row).toEqual({
      name: "Violão completo",
      bumps: ["Segundo"],
      offers: [
        ["Mentoria em grupo", 19700, ["Ao vivo", "Em grupo"], null],
        ["Consultoria", 150000, [], null],
      ],
    });
  });

  it(`a conflicting address is reported at its field, ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    const slug = `tomado-${width}-${javaScript}`;
    await makeProduct(await makeSeller(), { checkoutSlug: slug });
    const product = await makeProduct(seller);
    await page.goto(`/products/${product.id}/edit`);
    await page.getByLabel("Endereço do checkout").fill(slug.toUpperCase());
    await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
    await page.getByRole("alert").getByText("Este endereço de checkout já está em uso").waitFor();
    allowTroubles(/409/);
    expect(await page.getByLabel("Endereço do checkout").inputValue()).toBe(slug.toUpperCase());
    expect(await page.getByLabel("Endereço do checkout").getAttribute("aria-invalid")).toBe("true");
  });

  it(`a product is duplicated, switched and deleted from the list, ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    const sold = await makeProduct(seller, { name: "Vendido" });
    await makeSale(sold, { status: "completed" });
    await makeProduct(seller, { name: "Encalhado", description: null });
    await page.goto("/products");
    await screenshot(page, shot("products"));
    await page.getByRole("button", { name: "Duplicar Vendido" }).click();
    await page.getByText('Produto "Vendido (cópia)" duplicado com sucesso!').waitFor();
    const cards = page.getByRole("main").getByRole("listitem");
    await expect.poll(() => cards.first().textContent()).toContain("Vendido (cópia)");
    expect(await cards.first().textContent()).toContain("Inativo");
    await page.getByRole("button", { name: "Ativar Vendido (cópia)" }).click();
    await page.getByText('Produto "Vendido (cópia)" ativado').waitFor();
    await page.getByRole("button", { name: "Desativar Encalhado" }).click();
    await page.getByText('Produto "Encalhado" desativado').waitFor();
    await page.getByRole("button", { name: "Deletar Vendido", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Deletar produto?" });
    await dialog.getByText("não dá para desfazer", { exact: false }).waitFor();
    await savePicture(page, shot("products-delete"));
    await dialog.getByRole("button", { name: "Cancelar" }).click();
    await page.getByRole("button", { name: "Deletar Vendido", exact: true }).click();
    await dialog.getByRole("button", { name: "Deletar" }).click();
    await page.getByText("Produto deletado. As vendas dele foram mantidas.").waitFor();
    await expect.poll(() => cards.count()).toBe(2);
    const names =
      await sql`select name, archived_at is null as there from products where seller_id = ${seller.id} order by id`;
    expect(names.map((r) => [r.name, r.there])).toEqual([
      ["Vendido", false],
      ["Encalhado", true],
      ["Vendido (cópia)", true],
    ]);
  });

  longTest(`a long list is paged and searched, ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    await makeManyProducts(seller, 60);
    await makeProduct(seller, { name: "Violão" });
    await page.goto("/products");
    await page.getByRole("link", { name: "Mais antigos" }).click();
    await page.getByRole("heading", { name: "Produto 30", exact: true }).waitFor();
    await page.getByRole("link", { name: "Mais antigos" }).click();
    await page.getByRole("heading", { name: "Produto 1", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Mais antigos" }).count()).toBe(0);
    await page.getByRole("link", { name: "Mais recentes" }).click();
    await page.getByRole("heading", { name: "Produto 30", exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Buscar por nome" }).fill("violao");
    await page.getByRole("button", { name: "Buscar" }).click();
    await page.getByRole("heading", { name: "Violão", exact: true }).waitFor();
    expect(await page.getByRole("main").getByRole("listitem").count()).toBe(1);
    await page.getByRole("searchbox", { name: "Buscar por nome" }).fill("nada disso");
    await page.getByRole("button", { name: "Buscar" }).click();
    await page.getByText("Nenhum produto encontrado").waitFor();
    await screenshot(page, shot("products-none"));
  });
}

test("another seller's product and an unknown one show the not-found screen with status 404", async () => {
  const headers = await signedIn(await makeSeller());
  const theirs = await makeProduct(await makeSeller());
  for (const id of [theirs.id, 999_999, "abc"]) {
    const answer = await app.fetch(`/products/${id}/edit`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/<h1[^>]*>Página não encontrada</);
  }
});

test("a program manages products with an API key", async () => {
  const seller = await makeSeller();
  const headers = {
    Authorization: `Bearer ${await createApiKey(seller.id, { name: "Integração", scopes: [...SCOPES] })}`,
  };
  const send = async (method: string, path: string, body?: object) => {
    const answer = await app.fetch(path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return [answer.status, await answer.json()] as const;
  };
  const [created, product] = await send(
    "POST",
    "/api/products",
    productBody({ orderBumps: [{ name: "B", price: 1 }] }),
  );
  expect([created, product.is_active, product.orderBumps.length]).toEqual([201, true, 1]);
  const at = `/api/products/${product.id}`;
  const [changed, after] = await send("PUT", at, { ...product, price: "1.234,56", is_active: false });
  expect([changed, after.price, after.is_active, after.orderBumps]).toEqual([
    200,
    1234.56,
    false,
    product.orderBumps,
  ]);
  expect((await send("POST", `${at}/duplicate`))[0]).toBe(201);
  expect(await send("DELETE", at)).toEqual([200, { success: true }]);
  expect(await send("GET", at)).toEqual([404, refused("Produto não encontrado")]);
  expect((await send("GET", "/api/products"))[1]).toMatchObject([{ name: "Curso de Violão (cópia)" }]);
});

test("the checkout's link is copied whole, with a check that shows for two seconds", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  const slug = "copiar-link";
  const product = await makeProduct(seller, { checkoutSlug: slug });
  await page.goto("/products");
  await page.getByRole("button", { name: "Copiar link do checkout de Curso de Violão" }).click();
  const toast = page.getByText("Link copiado para a área de transferência!");
  await toast.waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${app.url}/checkout/s/${slug}`);
  await toast.waitFor({ state: "detached" });
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.goto(`/products/${product.id}/edit`);
  await page.getByRole("button", { name: "Copiar link", exact: true }).click();
  await toast.waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${app.url}/checkout/s/${slug}`);
});

longTest("a link that the browser does not let a page copy is shown", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  const product = await makeProduct(seller);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await page.goto(`/products/${product.id}/edit`);
  await page.getByRole("button", { name: "Copiar link", exact: true }).click();
  await page.getByText(`Não foi possível copiar: ${app.url}/checkout/${product.id}`).waitFor();
});

longTest("a phone's product cards have the description and the day of creation, too", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 375 });
  await makeProduct(seller, { description: null });
  await page.goto("/products");
  await page.getByText("Sem descrição").waitFor();
  await page.getByText(/^Criado em \d/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});

longTest(
  "an image is previewed while its address is typed, and a dead address is replaced by the placeholder",
  async () => {
    const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
    const dead = `${app.url}/nao-existe.png`;
    const product = await makeProduct(seller, { imageUrl: dead });
    await page.goto("/products");
    await page.getByRole("button", { name: "Copiar link" }).waitFor();
    await expect.poll(() => page.getByRole("main").locator("img").count()).toBe(0);
    await page.goto(`/products/${product.id}/edit`);
    await openTab(page, "Conteúdo Digital");
    await page.getByRole("textbox", { name: "Imagem do produto" }).fill(`${app.url}/favicon.svg`);
    const picture = page.getByRole("main").locator(`img[src="${app.url}/favicon.svg"]`);
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    await page.getByRole("textbox", { name: "Imagem do produto" }).fill(dead);
    await expect.poll(() => page.getByRole("main").locator("img").count()).toBe(0);
    allowTroubles(/404/);
  },
);

test("leaving with unsaved changes asks; staying keeps them, leaving drops them", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  const product = await makeProduct(seller);
  await page.goto(`/products/${product.id}/edit`);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Cancelar" }).click();
  await page.getByRole("heading", { name: "Produtos", exact: true }).waitFor();
  await page.getByRole("link", { name: "Editar Curso de Violão" }).click();
  await page.getByLabel("Nome do produto").fill("Outro nome");
  await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Dashboard" }).click();
  const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
  await dialog.getByRole("button", { name: "Continuar editando" }).click();
  expect(await page.getByLabel("Nome do produto").inputValue()).toBe("Outro nome");
  await page.getByRole("link", { name: "Cancelar" }).click();
  await dialog.getByRole("button", { name: "Sair sem salvar" }).click();
  await page.getByRole("heading", { name: "Produtos", exact: true }).waitFor();
  const [row] = await sql`select name from products where id = ${product.id}`;
  expect(row!.name).toBe("Curso de Violão");
});

longTest("leaving asks where order bumps were only moved, and not where they are back in order", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  const product = await makeProduct(seller);
  for (const [position, name] of ["Primeiro", "Segundo"].entries())
    await makeBump(product, { name, position });
  await page.goto(`/products/${product.id}/edit`);
  await waitForHydration(page);
  await openTab(page, "Order Bumps");
  const first = () => page.getByRole("group", { name: "Order bump 1" }).getByLabel("Nome").inputValue();
  const move = async (name: string) => {
    await page.getByRole("button", { name: "Mover Order bump 2 para cima" }).click();
    await expect.poll(first).toBe(name);
  };
  await move("Segundo");
  await page.getByRole("link", { name: "Cancelar" }).click();
  const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
  await dialog.getByRole("button", { name: "Continuar editando" }).click();
  await move("Primeiro");
  await page.getByRole("link", { name: "Cancelar" }).click();
  await page.getByRole("heading", { name: "Produtos", exact: true }).waitFor();
});

test("a second click while a copy is being made makes no second copy", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  await makeProduct(seller);
  await page.goto("/products");
  await waitForHydration(page);
  const secondClick = Promise.withResolvers<void>();
  await page.route("**/products.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch();
    await secondClick.promise;
    await route.fulfill({ response });
  });
  const duplicate = page.getByRole("button", { name: "Duplicar Curso de Violão", exact: true });
  await duplicate.click({ noWaitAfter: true });
  // A click would wait until the button accepts it; people do not.
  await page.getByRole("button", { name: "Duplicando Curso de Violão..." }).dispatchEvent("click");
  secondClick.resolve();
  await page.getByText('Produto "Curso de Violão (cópia)" duplicado com sucesso!').waitFor();
  await duplicate.waitFor();
  expect(await sql`select 1 from products where seller_id = ${seller.id}`).toHaveLength(2);
});

longTest("the dashboard fits 320 px, what is left of a screen at 400%", async () => {
  const { page } = await dashboard({ javaScript: true, width: 320 });
  for (const path of ["/dashboard", "/products/create", "/settings", "/checkout-customization"]) {
    await page.goto(path);
    await waitForHydration(page);
    await expectNoSidewaysScroll(page);
  }
});

longTest(
  "the theme is switched without a question, and what is typed stays and is still asked about",
  async () => {
    const { page } = await dashboard({ javaScript: true, width: 1280 });
    await page.goto("/products/create");
    await waitForHydration(page);
    await page.getByLabel("Nome do produto").fill("Quase pronto");
    await page.getByRole("button", { name: "Usar tema escuro" }).click();
    await page.locator('html[data-theme="escuro"]').waitFor();
    expect(await page.getByLabel("Nome do produto").inputValue()).toBe("Quase pronto");
    await page.getByRole("link", { name: "Cancelar" }).click();
    await page.getByRole("dialog", { name: "Sair sem salvar?" }).waitFor();
  },
);

test.each(oneScript(false))(
  "an error in an upsell is shown above the form, with a link to it (JavaScript: %s)",
  async (javaScript) => {
    const { seller, page } = await dashboard({ javaScript, width: 1280 });
    const product = await makeProduct(seller);
    await makeUpsell(product);
    await page.goto(`/products/${product.id}/edit`);
    await openTab(page, "Upsells");
    await page.getByRole("group", { name: "Oferta 1" }).getByLabel("Preço", { exact: true }).fill("0,10");
    await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
    await page
      .getByRole("alert")
      .getByRole("link", { name: "Oferta 1: Preço deve ser de pelo menos R$ 0,50" })
      .click();
    await expect.poll(() => page.locator(":focus").getAttribute("name")).toBe("upsells[0].price");
    allowTroubles(/400/);
  },
);

longTest("without a network the page stays and states it", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  const product = await makeProduct(seller);
  await page.goto("/products");
  await page.getByRole("button", { name: /Copiar link/ }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Duplicar Curso de Violão" }).click();
  await page.getByRole("alert").getByText("Erro ao duplicar produto").waitFor();
  await page.context().setOffline(false);
  await page.goto(`/products/${product.id}/edit`);
  await waitForHydration(page);
  await page.getByLabel("Nome do produto").fill("Outro nome");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
  await page.getByRole("alert").getByText("Erro ao atualizar produto").waitFor();
  expect(await page.getByLabel("Nome do produto").inputValue()).toBe("Outro nome");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
  await page.getByText('Produto "Outro nome" atualizado').waitFor();
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

/** Does something while every read and write of a whole product fails. */
async function withoutUpsells(act: () => Promise<void>): Promise<void> {
  await sql`alter table upsells rename to away`;
  try {
    await act();
  } finally {
    await sql`alter table away rename to upsells`;
  }
}

test("a product's form posted by another site reports the refusal", async () => {
  const { seller } = await dashboard({ javaScript: false, width: 1280 });
  const product = await makeProduct(seller);
  const answer = await app.fetch(`/products/${product.id}/edit`, {
    method: "POST",
    headers: { ...(await signedIn(seller)), "Sec-Fetch-Site": "cross-site" },
    body: new URLSearchParams({ name: "Tomado" }),
  });
  expect(answer.status).toBe(403);
  const html = await answer.text();
  expect(html).toContain("Este pedido veio de outro site e foi recusado");
  expect(html).not.toContain("Erro ao carregar produto");
});

longTest(
  "a product that the server fails to load, or to save, states it without losing what is typed",
  async () => {
    const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
    const product = await makeProduct(seller);
    await page.goto("/products");
    await page.getByRole("button", { name: /Copiar link/ }).waitFor();
    await withoutUpsells(async () => {
      await page.getByRole("link", { name: "Editar Curso de Violão" }).click();
      await page.getByText("Erro ao carregar produto").waitFor();
    });
    await page.goto(`/products/${product.id}/edit`);
    await waitForHydration(page);
    await page.getByLabel("Nome do produto").fill("Outro nome");
    await withoutUpsells(async () => {
      await page.getByRole("button", { name: "Atualizar Produto" }).last().click();
      await page.getByRole("alert").getByText("Erro ao atualizar produto").waitFor();
      expect(await page.getByLabel("Nome do produto").inputValue()).toBe("Outro nome");
    });
    allowTroubles(/500|Unexpected Server Error/);
  },
);

test("the dashboard shows what was sold and the five newest products", async () => {
  const { seller, page } = await dashboard({ javaScript: true, width: 1280 });
  for (let n = 1; n <= 6; n++)
    await createProduct(
      seller.id,
      newProductBody.parse(productBody({ name: `Produto ${n}`, is_active: n !== 6 })),
    );
  const [row] = await sql`select id::int from products where seller_id = ${seller.id} limit 1`;
  const product = { id: row!.id, sellerId: seller.id, name: "Produto 1", priceCents: 123456, fileUrl: null };
  await makeSale(product, { status: "completed" });
  await makeSale(product, { status: "completed", completedAt: new Date(Date.now() - 3 * 86_400_000) });
  await page.goto("/dashboard");
  const main = page.getByRole("main");
  expect(await main.getByRole("definition").allTextContents()).toEqual([
    "R$ 1.234,56",
    "1 venda",
    "R$ 2.469,12",
    "2 vendas",
    "R$ 2.469,12",
    "2 vendas",
    "5",
    "de 6 no total",
  ]);
  const products = main.getByRole("list", { name: "Produtos recentes" });
  expect(await products.getByRole("listitem").count()).toBe(5);
  await main.getByRole("link", { name: "Prévia do checkout de Produto 6 (abre em nova aba)" }).waitFor();
  await screenshot(page, "dashboard-full-1280");
  await page.setViewportSize({ width: 360, height: 740 });
  await screenshot(page, "dashboard-full-360");
});

test.each(everyNth(4, [360, 640, 768, 1024, 1280, 1536]))(
  "a card holds all its actions at %i px",
  async (width) => {
    const { seller, page } = await dashboard({ javaScript: true, width });
    for (const name of ["Curso", "Curso de violão para quem nunca tocou"])
      await makeProduct(seller, { name });
    await page.goto("/products");
    const card = page.getByRole("listitem").filter({ hasText: "Curso" });
    await card.first().waitFor();
    expect(
      await card
        .first()
        .getByRole("link", { name: /^Ofertas e lotes/ })
        .count(),
    ).toBe(1);
    const outside = await card.evaluateAll((cards) =>
      cards.flatMap((one) => {
        const { left, right } = one.getBoundingClientRect();
        const actions = [...one.querySelectorAll("a, button")].filter((action) => action.checkVisibility());
        return actions
          .filter((action) => {
            const box = action.getBoundingClientRect();
            return box.left < left || box.right > right;
          })
          .map((action) => action.getAttribute("aria-label") ?? action.textContent);
      }),
    );
    expect(outside).toEqual([]);
  },
);
