import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { testInTurn, WAYS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

for (const [at, { width, javaScript }] of WAYS.entries()) {
  const it = testInTurn(at);
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  it(`a buyer exports their data and has it erased; the seller sees what remained, ${how}`, async () => {
    const email = `zoe-${width}-${javaScript}@exemplo.com.br`;
    const seller = await makeSeller({ company: "Escola de Violão" });
    const product = await makeProduct(seller);
    const sale = await makeSale(product, {
      status: "completed",
      customerEmail: email,
      customerName: "Zoe Lima",
    });
    const ordered = await makeProduct(seller, { name: "Curso de Baixo" });
    const waiting = await makeSale(ordered, { customerEmail: email, customerName: "Zoe Lima" });
    await makeCharge(waiting, { expiresAt: new Date(Date.now() + 600_000), pixCode: "x" });
    const page = await openPage({ url: app.url, width, javaScript });
    await page.goto("/minhas-compras");
    await page.getByLabel("E-mail da compra").fill(email);
    await page.getByRole("button", { name: "Receber o link" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    await page.goto(`/minhas-compras/entrar/${await mailedToken(email)}`);
    await page.getByRole("button", { name: "Ver minhas compras" }).click();
    await page.getByRole("link", { name: "Meus dados: baixar ou apagar" }).click();
    await page.getByRole("heading", { name: "Meus dados", exact: true }).waitFor();
    await expectNoSidewaysScroll(page);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Baixar meus dados (JSON)" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^meus-dados-\d{4}-\d\d-\d\d\.json$/);
    const exported = JSON.parse(readFileSync(await download.path(), "utf8"));
    expect(exported.pedidos.map((one: { numero: string }) => one.numero).sort()).toEqual(
      [sale.id, waiting.id].sort(),
    );

    await page.getByText("Quero apagar os meus dados").click();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await savePicture(page, shot(`my-data-${colorScheme}`));
    }
    if (javaScript) await expectNoAxe(page);
    await page.getByLabel(/Entendi: não há como desfazer/).check();
    await page.getByRole("button", { name: "Apagar meus dados" }).click();
    await page.getByRole("heading", { name: "Pedido recebido" }).waitFor();
    await page.getByText("Uma compra espera").waitFor();
    await savePicture(page, shot("my-data-done"));
    await page.goto("/minhas-compras");
    await page.getByRole("button", { name: "Receber o link" }).waitFor();

    await until(
      async () => (await sql`select 1 from sales where id = ${sale.id} and anonymized_at is not null`).length,
      {
        what: "the purchase to be emptied",
      },
    );
    const requests = () => sql`select 1 from mails where status = 'sent'
      and idempotency_key = (select 'erasure-asked/' || anonymized_as from sales where id = ${sale.id})`;
    await until(async () => (await requests()).length, { what: "the confirmation" });
    const dashboard = await openPage({
      url: app.url,
      width,
      javaScript,
      cookie: (await signedIn(seller)).Cookie,
    });
    await dashboard.goto("/reports");
    await dashboard.getByText("Dados apagados a pedido do comprador").first().waitFor();
    await expectNoSidewaysScroll(dashboard);
    await savePicture(dashboard, shot("emptied-list"));
    await dashboard.goto(`/reports/sales/${sale.id}`);
    await dashboard.getByText("Dados apagados a pedido do comprador").first().waitFor();
    await expectNoSidewaysScroll(dashboard);
    await savePicture(dashboard, shot("emptied-sale"));
  });

  it(`a seller closes the account, exports its data and reopens it, ${how}`, async () => {
    const seller = await makeSeller({ company: "Escola de Violão" });
    const product = await makeProduct(seller);
    const waiting = await makeSale(product);
    await makeCharge(waiting, { expiresAt: new Date(Date.now() + 600_000), pixCode: "x" });
    const dashboard = await openPage({
      url: app.url,
      width,
      javaScript,
      cookie: (await signedIn(seller)).Cookie,
    });
    await dashboard.goto("/settings?tab=seguranca");
    await dashboard.getByRole("link", { name: "Meus dados e encerramento" }).click();
    await dashboard.getByRole("heading", { name: "Encerrar conta" }).waitFor();
    await dashboard.getByText("1 PIX aberto").waitFor();
    await expectNoSidewaysScroll(dashboard);
    const [download] = await Promise.all([
      dashboard.waitForEvent("download"),
      dashboard.getByRole("link", { name: "Baixar meus dados (JSON)" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), "utf8")).conta.email).toBe(seller.email);
    for (const colorScheme of ["light", "dark"] as const) {
      await dashboard.emulateMedia({ colorScheme });
      await savePicture(dashboard, shot(`closing-${colorScheme}`));
    }
    await dashboard.getByLabel(/Entendi: a loja sai do ar agora/).check();
    await dashboard.getByRole("button", { name: "Encerrar a conta" }).click();
    await dashboard.getByRole("heading", { name: "Conta encerrada" }).waitFor();
    await dashboard.getByText("Conta encerrada: a sua loja saiu do ar.").waitFor();
    await expectNoSidewaysScroll(dashboard);
    await savePicture(dashboard, shot("closed"));

    const buyer = await openPage({ url: app.url, width, javaScript });
    const isDown = async () => (await buyer.request.get(`/checkout/${product.id}`)).status() === 404;
    await until(isDown, { what: "the checkout to be down" });
    expect((await buyer.request.get(`/checkout/pix/${waiting.id}`)).status()).toBe(200);

    await dashboard.goto("/products");
    await dashboard.getByRole("button", { name: "Reabrir a conta" }).click();
    await dashboard.getByText("Conta reaberta: a sua loja está no ar.").waitFor();
    await until(async () => !(await isDown()), { what: "the checkout to be back" });
  });
}
