import { randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
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
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { type KnownSale, writeSales } from "#tests/support/rows/make-reports.ts";
import { COLOR_SCHEMES, longTest, testInTurn, WIDTHS } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const PRESSES = 14;
const FIELDS = 10;

/** Counts clicks and typed fields. */
function user() {
  const spent = { presses: 0, fields: 0 };
  return {
    spent,
    async pressKey(what: Locator) {
      spent.presses++;
      await what.click();
    },
    async type(field: Locator, text: string) {
      spent.fields++;
      await field.fill(text);
    },
  };
}

async function opened(context: BrowserContext, pressKey: () => Promise<void>): Promise<Page> {
  const tab = context.waitForEvent("page");
  await pressKey();
  return tab;
}

test.each(WIDTHS)(
  "from an empty account to the first paid test sale on the dashboard in at most 14 clicks and 10 fields, at %d px",
  async (width) => {
    const email = `nova-${randomUUID()}@gmail.com`;
    const page = await openPage({ url: app.url, width });
    const { spent, pressKey, type } = user();
    // On a phone the mark above leads there, without the menu.
    const home = () =>
      pressKey(
        width < 600
          ? page.getByRole("banner").getByRole("link", { name: "Checkintelli" })
          : page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Dashboard" }),
      );
    await page.goto("/");
    await pressKey(page.getByRole("link", { name: "Começar grátis" }).first());
    await type(page.getByLabel("Nome completo"), "Nina Nova");
    await type(page.getByLabel("E-mail"), email);
    await type(page.getByLabel("Senha", { exact: true }), "uma senha comprida");
    await type(page.getByLabel("Confirmar senha"), "uma senha comprida");
    await pressKey(page.getByRole("button", { name: "Criar conta" }));
    await pressKey(page.getByRole("link", { name: "Abrir o e-mail da demonstração" }));
    await pressKey(page.getByRole("link", { name: /Confirmar/ }).first());
    await pressKey(page.getByRole("button", { name: "Confirmar e-mail" }));

    const steps = page.getByRole("region", { name: "Primeiros passos" });
    const next = steps.locator("[aria-current=step]");
    await steps.getByText("1 de 5 feitos").waitFor();
    await waitForHydration(page);
    await savePicture(page, `first-steps-empty-${width}`);
    await pressKey(next.getByRole("link", { name: "Abrir Gateways" }));
    await type(page.getByLabel("API Key", { exact: true }), "1|sandbox-demo");
    await pressKey(page.getByRole("button", { name: "Salvar configurações" }));
    await page.getByText("Recebendo pagamentos").waitFor();

    // The next step is in the position of this one, with the link to all of them.
    const here = page.getByRole("region", { name: /^Próximo passo/ });
    await here.getByText("2 de 5 feitos").waitFor();
    expect(await here.getByRole("link", { name: "Primeiros passos" }).getAttribute("href")).toBe(
      "/dashboard",
    );
    await expectNoSeriousAxe(page);
    await savePicture(page, `first-steps-gateway-${width}`);
    await pressKey(here.getByRole("link", { name: "Criar produto" }));
    await type(page.getByLabel("Nome do produto"), "Curso de Violão");
    await type(page.getByLabel("Preço", { exact: true }), "97");
    await type(page.getByLabel("Link do arquivo"), "https://arquivos.exemplo.com.br/curso.pdf");
    await pressKey(page.getByRole("button", { name: "Criar Produto" }));
    await page.getByText('Produto "Curso de Violão" criado').waitFor();

    await here.getByText("3 de 5 feitos").waitFor();
    await expectNoSidewaysScroll(page);
    await waitForHydration(page);
    await savePicture(page, `first-steps-half-${width}`);
    const shop = await opened(page.context(), () =>
      pressKey(here.getByRole("link", { name: /Ver o checkout/ })),
    );
    await home();
    await shop.getByRole("complementary", { name: "Prévia" }).waitFor();
    await pressKey(shop.getByRole("link", { name: "Fazer uma compra de teste" }));
    await pressKey(shop.getByRole("button", { name: "Comprar Agora" }));
    await pressKey(shop.getByRole("button", { name: "Simular pagamento" }));
    await shop.getByRole("heading", { name: "Obrigado pela sua compra!" }).waitFor();

    // The dashboard stayed open in its tab, and updates by itself.
    await page
      .getByRole("list", { name: "Vendas recentes" })
      .getByRole("link", { name: /Nina Nova.*R\$ 97,00.*Concluída/ })
      .waitFor();
    await expect.poll(() => page.getByRole("definition").first().textContent()).toBe("R$ 97,00");
    expect(await steps.count()).toBe(0);
    await savePicture(page, `first-steps-sold-${width}`);
    expect(spent.presses).toBeLessThanOrEqual(PRESSES);
    expect(spent.fields).toBeLessThanOrEqual(FIELDS);
  },
);

longTest("the link of a mail opened in another browser confirms and signs nobody in", async () => {
  const email = `nova-${randomUUID()}@gmail.com`;
  const page = await openPage({ url: app.url });
  await page.goto("/register");
  await page.getByLabel("Nome completo").fill("Nina Nova");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha", { exact: true }).fill("uma senha comprida");
  await page.getByLabel("Confirmar senha").fill("uma senha comprida");
  await page.getByRole("button", { name: "Criar conta" }).click();
  const inbox = await page.getByRole("link", { name: "Abrir o e-mail da demonstração" }).getAttribute("href");
  const other = await openPage({ url: app.url });
  await other.goto(inbox!);
  await other
    .getByRole("link", { name: /Confirmar/ })
    .first()
    .click();
  await other.getByRole("button", { name: "Confirmar e-mail" }).click();
  await other.getByRole("heading", { name: "E-mail confirmado" }).waitFor();
  await other.goto("/dashboard");
  await other.getByRole("heading", { name: "Entrar" }).waitFor();
});

for (const [at, { width, dark }] of COLOR_SCHEMES.entries()) {
  const it = testInTurn(at);
  const shot = (name: string) => `${name}-${width}-${dark ? "dark" : "light"}`;

  longTest(
    `the dashboard of a new, a half ready and a busy shop at ${width} px, ${dark ? "dark" : "light"}`,
    async () => {
      const seller = await makeSeller({ name: "Vera Vendedora" });
      const page = await openPage({ url: app.url, width, dark, cookie: (await signedIn(seller)).Cookie });
      await page.goto("/dashboard");
      await page.getByText("1 de 5 feitos").waitFor();
      await page.getByText("Conectar a PushinPay").waitFor();
      await expectNoSidewaysScroll(page);
      await savePicture(page, shot("dashboard-new"));
      await makeGateway(seller);
      const product = await makeProduct(seller);
      await page.reload();
      await page.getByText("3 de 5 feitos").waitFor();
      await savePicture(page, shot("dashboard-half"));
      await makeBusy(product);
      await page.reload();
      await page.getByRole("list", { name: "Vendas recentes" }).waitFor();
      expect(await page.getByText("Primeiros passos").count()).toBe(0);
      await expectNoSidewaysScroll(page);
      await savePicture(page, shot("dashboard-busy"));
      await page.goto("/products/create");
      await page.getByLabel("Link do arquivo").waitFor();
      await savePicture(page, shot("product-create"));
    },
  );

  it(`an inactive product is previewed by its seller, marked as that, at ${width} px, ${dark ? "dark" : "light"}`, async () => {
    const seller = await makeSeller();
    await makeGateway(seller);
    const product = await makeProduct(seller, { deactivatedAt: new Date() });
    const page = await openPage({ url: app.url, width, dark, cookie: (await signedIn(seller)).Cookie });
    await page.goto(`/products/${product.id}/edit`);
    const preview = await opened(page.context(), () =>
      page.getByRole("link", { name: /Visualizar prévia do checkout/ }).click(),
    );
    await preview.getByText("Prévia · produto inativo").waitFor();
    await expectNoSidewaysScroll(preview);
    await savePicture(preview, shot("preview-inactive"));
    await preview.getByLabel("Nome completo").fill("Vera Vendedora");
    await preview.getByLabel("Seu melhor e-mail").fill("vera@gmail.com");
    await preview.getByLabel("CPF").fill("529.982.247-25");
    await preview.getByLabel("WhatsApp").fill("(11) 98765-4321");
    await preview.getByRole("button", { name: "Comprar Agora" }).click();
    await preview.getByText("Isto é uma prévia: nenhum pedido foi feito").waitFor();
    expect(await sql`select 1 from sales where seller_id = ${seller.id}`).toHaveLength(0);
    await expectNoSeriousAxe(preview);
  });
}

/** Sales over sixty days, more of them lately, and some that were not paid. */
async function makeBusy(product: Awaited<ReturnType<typeof makeProduct>>): Promise<void> {
  const buyers = ["Ana Lima", "Bruno Tavares", "Carla de Albuquerque Figueiredo", "Davi Rocha"];
  const known: KnownSale[] = [];
  for (let day = 59; day >= 0; day--) {
    const count = 1 + ((day * 7) % 4) + (day < 20 ? (day * 3) % 3 : 0);
    for (let n = 0; n < (day % 6 === 3 ? 0 : count); n++) {
      const at = new Date(Date.now() - day * 86_400_000 - n * 1000);
      known.push({
        ...{ id: randomUUID(), productId: product.id, productName: product.name, parentSaleId: null },
        ...{ status: "completed", completedAt: at, createdAt: at, paymentMethod: "pix" },
        amountCents: 9700 + (n % 2) * 1990,
        customerName: buyers[(day + n) % 4]!,
        customerEmail: `${randomUUID()}@exemplo.com.br`,
        campaign: [null, null, null],
        bumps: 0,
      });
    }
  }
  await writeSales(product.sellerId, known);
  await makeSale(product, { status: "pending", customerName: "Elisa Prado" });
  await makeSale(product, { status: "failed", customerName: "Fábio Nunes" });
}

longTest("a dashboard that polls while the network is away stays unchanged", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed" });
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/dashboard");
  await waitForHydration(page);
  await page.context().setOffline(true);
  const failedRequest = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("/api/dashboard/stats"),
  );
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await failedRequest;
  await page.context().setOffline(false);
  expect(await page.getByRole("heading", { name: "Dashboard" }).isVisible()).toBe(true);
  allowTroubles(/ERR_INTERNET_DISCONNECTED/);
});
