import { beforeAll, expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  openPage,
  type PageOptions,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  type Seller,
  signedIn,
} from "#tests/support/make.ts";
import { longTest, oneScript } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function open(seller: Seller, at: string, options: PageOptions = {}) {
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie, ...options });
  await page.goto(at);
  await waitForHydration(page);
  return page;
}

test("a registration's message about a field disappears with the next letter typed there, and the others stay", async () => {
  allowTroubles(/400/);
  const page = await openPage({ url: app.url });
  await page.goto("/register");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await page.getByText("E-mail é obrigatório").waitFor();
  const name = page.getByLabel("Nome completo");
  expect(await name.getAttribute("aria-invalid")).toBe("true");
  await name.pressSequentially("V");
  await page.getByText("Nome completo é obrigatório").waitFor({ state: "detached" });
  expect(await name.getAttribute("aria-invalid")).toBeNull();
  await page.getByText("E-mail é obrigatório").waitFor();
});

for (const javaScript of oneScript(false)) {
  const how = javaScript ? "with" : "without";

  test(`the key a shop sells with is removed only after confirmation (${how} JavaScript)`, async () => {
    allowTroubles(/409/);
    const seller = await makeSeller();
    await makeGateway(seller);
    const page = await open(seller, "/settings?tab=gateways", { javaScript });
    const hasKey = async () =>
      (await sql`select key_id from gateway_accounts where seller_id = ${seller.id}`)[0]!.key_id !== null;
    await page.getByLabel("API Key", { exact: true }).fill("");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Remover a API Key da PushInPay?").waitFor();
    expect(await hasKey()).toBe(true);
    await page.getByRole("button", { name: "Remover a chave e salvar" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    expect(await hasKey()).toBe(false);
  });

  test(`a key that stays leaves the rest of its form to be saved, and other forms as they are (${how} JavaScript)`, async () => {
    allowTroubles(/409/);
    const seller = await makeSeller();
    const { keyId } = await makeGateway(seller);
    const page = await open(seller, "/settings?tab=gateways", { javaScript });
    const mailKey = page.getByLabel("Chave do Resend");
    await mailKey.fill("re_digitada");
    await page.getByLabel("Receber por PIX com a PushinPay").uncheck();
    await page.getByLabel("API Key", { exact: true }).fill("");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByRole("button", { name: "Manter a chave e salvar" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    const [account] = await sql`
      select key_id, enabled_at from gateway_accounts where seller_id = ${seller.id} and provider = 'pushinpay'`;
    expect(account).toEqual({ key_id: keyId, enabled_at: null });
    if (javaScript) expect(await mailKey.inputValue()).toBe("re_digitada");
  });

  test(`a key that is saved and not used is switched on with one click (${how} JavaScript)`, async () => {
    const seller = await makeSeller();
    await makeGateway(seller, { enabledAt: null });
    const page = await open(seller, "/settings?tab=gateways", { javaScript });
    await page.getByText("o recebimento está desligado").waitFor();
    await page.getByRole("button", { name: "Ligar e salvar" }).click();
    await page.getByText("Recebendo pagamentos").waitFor();
    await page.getByText("o recebimento está desligado").waitFor({ state: "detached" });
  });
}

test("of two keys that were cleared one is kept and the other one removed", async () => {
  allowTroubles(/409/);
  const seller = await makeSeller();
  const { keyId } = await makeGateway(seller);
  await makeGateway(seller, { provider: "woovi", apiKey: "sandbox-outra" });
  const page = await open(seller, "/settings?tab=gateways");
  await page.waitForLoadState("networkidle");
  await page.getByLabel("API Key", { exact: true }).fill("");
  await page.getByLabel("API Key (AppID)", { exact: true }).fill("");
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  await page.getByText("Remover a API Key da PushInPay?").waitFor();
  await page.getByRole("button", { name: "Manter a chave e salvar" }).click();
  await page.getByText("Remover a API Key da Woovi?").waitFor();
  await page.getByRole("button", { name: "Remover a chave e salvar" }).click();
  await page.getByText("Configurações salvas com sucesso!").waitFor();
  const withKey = await sql`
    select provider, key_id from gateway_accounts where seller_id = ${seller.id} and key_id is not null`;
  expect(withKey).toEqual([{ provider: "pushinpay", key_id: keyId }]);
});

test("a refund that fails leaves the sale's page unchanged and states it", async () => {
  allowTroubles(/ERR_INTERNET_DISCONNECTED/);
  const seller = await makeSeller();
  await makeGateway(seller);
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await makeCharge(sale, { status: "paid" });
  const page = await open(seller, `/reports/sales/${sale.id}`);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Marcar como reembolsada" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Marcar como reembolsada" }).click();
  await page.getByRole("alert").filter({ hasText: "o pedido pode ter chegado" }).waitFor();
  await page.getByRole("heading", { level: 1, name: /Detalhes da Venda/ }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Verificar agora" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "o pedido pode ter chegado" })
    .waitFor({ state: "detached" });
});

longTest("a long name and e-mail in the list of sales can be read whole", async () => {
  const seller = await makeSeller();
  const customerName = "Maria Eduarda de Albuquerque Cavalcanti Montenegro Filha";
  await makeSale(await makeProduct(seller), { customerName, customerDocumentSealed: seal("52998224725") });
  const page = await open(seller, "/reports");
  const name = page.getByText(customerName, { exact: true });
  expect(await name.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
});

longTest("the list of sales has a column for the method only where there are several", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product);
  const list = async () => {
    const page = await open(seller, "/reports");
    return page.getByRole("table", { name: "Vendas recentes" });
  };
  const column = { name: "Método" };
  expect(await (await list()).getByRole("columnheader", column).count()).toBe(0);
  const card = await makeSale(product);
  await sql`update sales set payment_method = 'card' where id = ${card.id}`;
  await (await list()).getByRole("columnheader", column).waitFor();
});

longTest("on a phone the figures of the reports are in two columns, and no tab is cut", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed" });
  const page = await open(seller, "/reports", { width: 360 });
  const labels = ["Total de Vendas", "Receita Total", "Total de Clientes", "Taxa de Conversão"].map((label) =>
    page.getByText(label, { exact: true }).first().boundingBox(),
  );
  const [sales, revenue, customers, conversion] = (await Promise.all(labels)).map((box) => box!);
  expect([sales!.y, customers!.y]).toEqual([revenue!.y, conversion!.y]);
  expect([sales!.x, revenue!.x]).toEqual([customers!.x, conversion!.x]);
  expect(customers!.y).toBeGreaterThan(sales!.y);
  const tabs = page.getByRole("navigation", { name: "Relatórios" }).getByRole("link");
  for (const tab of await tabs.all()) {
    const box = (await tab.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(360);
  }
});

longTest("while a colour is changed on a phone the preview is in sight, and every tab is", async () => {
  const page = await open(await makeSeller(), "/checkout-customization", { width: 360 });
  for (const tab of await page.getByRole("radiogroup").first().locator("label").all()) {
    const box = (await tab.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(360);
  }
  await page.getByText("Cores", { exact: true }).click();
  const color = page.getByLabel("Cor do selo de desconto").first();
  await color.scrollIntoViewIfNeeded();
  const preview = (await page.getByRole("region", { name: /Prévia/ }).boundingBox())!;
  expect(preview.y).toBeGreaterThanOrEqual(0);
  expect(preview.y + preview.height).toBeLessThan(420);
});

longTest("an address that is no page of a list leads to the first one, not to the same again", async () => {
  allowTroubles(/400/);
  const page = await open(await makeSeller(), "/products?search=curso&before=7");
  await page.getByText("Este endereço não é de uma página desta lista").waitFor();
  expect(await page.getByRole("link", { name: "Tentar de novo" }).count()).toBe(0);
  await page.getByRole("link", { name: "Ver a primeira página" }).click();
  await page.waitForURL("**/products?search=curso");
});

longTest("a free sale says that there is nothing to refund beside the end of the access", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), {
    ...{ status: "completed", paymentMethod: "free", amountCents: 0 },
  });
  const page = await open(seller, `/reports/sales/${sale.id}`);
  await page.getByText("Esta compra foi de graça: não há o que devolver.").waitFor();
  await page.getByRole("button", { name: "Encerrar o acesso" }).waitFor();
});
