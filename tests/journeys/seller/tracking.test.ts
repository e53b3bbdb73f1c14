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
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const { Cookie } = await signedIn(seller);
  return { seller, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

for (const { width, javaScript } of oneWay(true)) {
  test(`tracking is connected, tested and saved at ${width} px ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    const product = await makeProduct(seller);
    await makeProduct(seller, {
      name: "Mentoria individual de canto e respiração",
      deactivatedAt: new Date(),
    });
    await page.goto("/settings?tab=gateways");
    await page.getByRole("link", { name: "Configurar rastreamento" }).click();
    await page.getByRole("button", { name: "Testar conexão" }).click();
    await page.getByText("Preencha o token da API primeiro").waitFor();
    await page.getByLabel("Token da API", { exact: true }).fill("“sandbox-token-Vera”\u200b");
    await page.getByRole("button", { name: "Testar conexão" }).click();
    await page.getByText(/testada com sucesso/).waitFor();
    await page.getByLabel("Token da API", { exact: true }).fill("sandbox-token-Vera");
    await page.getByLabel("Rastreamento ligado").check();
    await page.getByLabel("Reembolso").check();
    await page.getByLabel(/Curso de Violão/).uncheck();
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações UTMfy salvas com sucesso!").waitFor();
    expect(await page.getByLabel("Token da API", { exact: true }).inputValue()).toBe("••••••••Vera");
    expect(await page.content()).not.toContain("sandbox-token");
    expect(await page.getByLabel(/Curso de Violão/).isChecked()).toBe(false);
    await page.getByRole("button", { name: "Testar conexão" }).click();
    await page.getByText(/testada com sucesso/).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `tracking-${width}`);
    const [row] =
      await sql`select events, except_product_ids, settings ->> 'apiUrl' as api_url from destinations where seller_id = ${seller.id}`;
    expect(row).toEqual({
      events: ["pix.generated", "sale.refused", "sale.paid", "sale.partially_refunded", "sale.refunded"],
      except_product_ids: [String(product.id)],
      api_url: null,
    });
    await page.getByLabel("Endereço da API").fill("https://169.254.169.254/latest");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Erro ao salvar configurações").waitFor();
    await page
      .getByText(/rede interna/)
      .first()
      .waitFor();
    await expectNoSeriousAxe(page);
    allowTroubles(/400/);
  });

  longTest(
    `the debug page shows what was sent and resends at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript, width });
      await makeTracking(seller);
      const product = await makeProduct(seller);
      const sale = await makeSale(product, { status: "completed" });
      await makeCharge(sale, { status: "paid", paidAt: new Date(), feeCents: 35 });
      await page.goto("/settings/utmfy/debug");
      await page.getByText("Nenhum evento ainda").waitFor();
      await app.sandbox.fault({ service: "utmify", mode: "status-400", body: { token: "sandbox-utmify" } });
      await page.getByRole("button", { name: /^Reenviar/ }).click();
      await page.getByText(/Erro ao reenviar: HTTP 400/).waitFor();
      await page.getByText("Aviso", { exact: true }).waitFor();
      await page.getByRole("button", { name: /^Reenviar/ }).click();
      await page.getByText("Evento reenviado com sucesso!").waitFor();
      await page.getByText("Sucesso", { exact: true }).waitFor();
      await page.getByText("Compra", { exact: true }).first().click();
      await page.getByText('"priceInCents": 9700').waitFor();
      expect(await page.content()).not.toContain("sandbox-utmify");
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      if (javaScript) await savePicture(page, `tracking-debug-${width}`);
    },
  );
}

longTest(
  "a seller without products is led to make one, and without a network the page states what failed",
  async () => {
    const { page } = await dashboard({ dark: true, width: 360 });
    await page.goto("/settings/utmfy");
    await page.getByRole("link", { name: "Criar produto" }).waitFor();
    await waitForHydration(page);
    await savePicture(page, "tracking-360-dark");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Testar conexão" }).click();
    await page.getByText("Erro de conexão ao testar UTMfy").waitFor();
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Erro ao salvar configurações").waitFor();
    allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  },
);

longTest(
  "on a phone the first page of the debug is short, and older completed sales are pages away",
  async () => {
    const { seller, page } = await dashboard({ width: 360 });
    await makeTracking(seller);
    const product = await makeProduct(seller, { name: "Curso de Violão para quem nunca tocou nada na vida" });
    const begun = Date.now();
    const sales = [];
    for (let at = 0; at < 35; at++) {
      const createdAt = new Date(begun - at * 60_000);
      sales.push(
        await makeSale(product, { status: "completed", createdAt, customerEmail: `ana${at}@exemplo.com.br` }),
      );
    }
    await sql`insert into deliveries (destination_id, seller_id, sale_id, subject_id, about_id, event, status, reason, attempts,
      attempted_at, response_status)
    select d.id, d.seller_id, s.id, s.id, s.id, 'sale.paid', 'sent', 'taken', 1, now(), 200
    from destinations d inner join sales s on s.seller_id = d.seller_id
    where d.seller_id = ${seller.id} and s.id = any(${sales.map(({ id }) => id)})`;
    await page.goto("/settings/utmfy/debug");
    await page.getByText("ana0@exemplo.com.br").waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(3 * 740);
    await expectNoSidewaysScroll(page);
    await savePicture(page, "tracking-debug-pages-360");
    const seen: string[] = [];
    for (;;) {
      const list = page.getByRole("listitem").filter({ hasText: "@exemplo.com.br" });
      for (const text of await list.allInnerTexts()) seen.push(/ana\d+/.exec(text)![0]);
      const older = page.getByRole("link", { name: "Mais antigas" });
      if ((await older.count()) === 0) break;
      const first = page.getByText(`${seen.at(-1)}@exemplo.com.br`);
      await older.click();
      await first.waitFor({ state: "detached" });
    }
    expect(seen).toEqual(sales.map((_, at) => `ana${at}`));
    await page.getByRole("link", { name: "Mais recentes" }).click();
    await page.getByText("ana29@exemplo.com.br").waitFor();
  },
);

for (const { width, javaScript } of oneWay(false)) {
  test(`of many products one is found and switched off at ${width} px ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    await sql`insert into products (seller_id, name, price_cents, checkout_slug)
      select ${seller.id}, 'Aula ' || n, 100, ${seller.id} || '-' || n from generate_series(1, 500) n`;
    const last = await makeProduct(seller, { name: "Último café" });
    await page.goto("/settings/utmfy");
    expect(await page.getByLabel(/Último café/).count()).toBe(0);
    await page.getByLabel(/primeiros 500 pelo nome/).fill("cafe");
    await page.getByRole("button", { name: "Buscar", exact: true }).click();
    await page.getByLabel(/Último café/).uncheck();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações UTMfy salvas com sucesso!").waitFor();
    expect(await page.getByLabel(/Último café/).isChecked()).toBe(false);
    const [row] = await sql`select except_product_ids from destinations where seller_id = ${seller.id}`;
    expect(row).toEqual({ except_product_ids: [String(last.id)] });
  });
}
