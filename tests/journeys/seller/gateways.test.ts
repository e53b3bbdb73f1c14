import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { checkNow } from "#tests/journeys/seller/check-now.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const { Cookie } = await signedIn(seller);
  return { seller, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

/** A provider's card among the others. */
function cardOf(page: Page, title = "PushInPay") {
  return page.getByRole("region", { name: title, exact: true });
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;

  longTest(`a new seller connects PushinPay and tests the webhook ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    await makeProduct(seller);
    for (const address of ["/dashboard", "/products"]) {
      await page.goto(address);
      await page.getByText("ainda não recebem pagamentos").waitFor();
    }
    await page
      .getByRole("main")
      .getByRole("link", { name: /Gateways/ })
      .click();
    await page.getByText("Salve primeiro a API Key da PushInPay").waitFor();
    expect(await cardOf(page).getByRole("button", { name: "Testar Webhook" }).isDisabled()).toBe(true);
    await page.getByLabel("Receber por PIX com a PushinPay").check();
    await page.getByLabel("API Key", { exact: true }).fill(' "7|sandbox-Vera" ');
    await page.getByLabel("Segredo do webhook").fill("segredo-da-Vera");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await cardOf(page).getByText("Recebendo pagamentos").waitFor();
    expect(await page.getByLabel("API Key", { exact: true }).inputValue()).toBe("••••••••Vera");
    expect(await page.content()).not.toMatch(/sandbox-Vera|segredo-da-Vera/);
    await cardOf(page).getByRole("button", { name: "Testar Webhook" }).click();
    await page.getByText(/Webhook testado com sucesso! .* \(HTTP 200\)/).waitFor();
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await cardOf(page).getByRole("button", { name: "Testar Webhook" }).click();
    await page.getByText(/Webhook testado com sucesso!/).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `gateways-${width}`);
    await page.goto("/products");
    await page.getByRole("heading", { name: "Produtos" }).waitFor();
    expect(await page.getByText("ainda não recebem pagamentos").count()).toBe(0);
  });

  test(`a sale is refunded from its screen ${how}`, async () => {
    const { seller, page } = await dashboard({ javaScript, width });
    await makeGateway(seller);
    const product = await makeProduct(seller);
    const sale = await makeSale(product, { status: "completed" });
    const providerId = await paidAtSandbox();
    const charge = await makeCharge(sale, { status: "paid", paidAt: new Date(), providerId });
    await app.sandbox.fault({ service: "pushinpay", route: "refund", mode: "http-422" });
    await page.goto(`/reports/sales/${sale.id}`);
    await expectNoSidewaysScroll(page);
    if (javaScript) await savePicture(page, `refund-${width}`);
    await page.getByRole("button", { name: "Reembolsar R$ 97,00" }).click();
    const dialog = page.getByRole("dialog", { name: "Reembolsar R$ 97,00?" });
    await dialog.waitFor();
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Reembolsar", exact: true }).click();
    await page.getByText(/O provedor recusou o reembolso/).waitFor();
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `refund-refused-${width}`);
    // The next attempt is confirmed anew.
    expect(await page.locator("dialog [name=confirm]").isChecked()).toBe(false);
    await page.goto("/dashboard");
    await page.getByText("Reembolso recusado pelo provedor").click();
    await page.getByRole("button", { name: "Desistir do reembolso" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Desistir", exact: true }).click();
    await page.getByText(/você desistiu dele, e a venda continua paga/).waitFor();
    await expectNoSidewaysScroll(page);
    await page.goto("/dashboard");
    expect(await page.getByText("Reembolso recusado pelo provedor").count()).toBe(0);
    await page.goto(`/reports/sales/${sale.id}`);
    await page.getByRole("button", { name: "Tentar de novo" }).click();
    await page.getByRole("dialog").getByRole("checkbox").check();
    await page.getByRole("dialog").getByRole("button", { name: "Reembolsar", exact: true }).click();
    await page.getByText("Reembolso aceito", { exact: true }).waitFor();
    await expectNoSeriousAxe(page);
    if (javaScript) await savePicture(page, `refund-pending-${width}`);
    await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
    await checkNow(charge.id);
    await until(async () => {
      const [row] = await sql`select status from sales where id = ${sale.id}`;
      return row!.status === "refunded";
    });
    await page.goto(`/reports/sales/${sale.id}`);
    await page.getByText(/Reembolsado em/).waitFor();
    await page.getByText(/Devolução de R\$\s97,00 confirmada pelo provedor/).waitFor();
  });
}

/** A paid transaction of the sandbox; its webhook goes nowhere. */
async function paidAtSandbox(): Promise<string> {
  const answer = await fetch(`${app.sandbox.url}/pushinpay/api/pix/cashIn`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer 1|sandbox-demo" },
    body: JSON.stringify({ value: 9700 }),
  });
  const { id } = (await answer.json()) as { id: string };
  await app.sandbox.pay(id);
  return id;
}

test("an unconfirmed refund states it, can be retried, and a PIX of another amount is reported", async () => {
  const { seller, page } = await dashboard({ width: 360 });
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed" });
  const providerId = await paidAtSandbox();
  const charge = await makeCharge(sale, {
    status: "paid",
    paidAt: new Date(),
    providerId,
  });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, requested_at)
    values (${charge.id}, (select seller_id from charges where id = ${charge.id}), 9700, 'pending', 'requested', now() - interval '4 days')`;
  await makeCharge(sale, {
    status: "mispaid",
    paidAt: new Date(),
    paidCents: 5000,
    providerId: crypto.randomUUID(),
  });
  await sql`insert into charge_events (charge_id, seller_id, kind, cause, data)
    values (${charge.id}, (select seller_id from charges where id = ${charge.id}), 'mispaid', 'provider', '{"amountCents": 5000, "expectedCents": 9700}')`;
  await sql`select graphile_worker.add_job('sweep-charges', '{}'::json, job_key => 'sweep-now')`;
  const statusOf = async () =>
    (await sql`select status from refunds where charge_id = ${charge.id}`)[0]!.status;
  await until(async () => (await statusOf()) === "unconfirmed");
  await page.goto(`/reports/sales/${sale.id}`);
  await page.getByText("Reembolso não confirmado", { exact: true }).waitFor();
  await page.getByText("Reembolso pedido, mas não confirmado pelo provedor").waitFor();
  await page.getByText(/Chegou um PIX de R\$\s50,00 em vez de R\$\s97,00/).waitFor();
  await page.getByRole("button", { name: "Marcar como reembolsada" }).waitFor();
  await expectNoSeriousAxe(page);
  await expectNoSidewaysScroll(page);
  await savePicture(page, "refund-unconfirmed");
  // However often it is called: the worker may be checking other tests' charges.
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "reset", times: 50 });
  const again = async () => {
    await page.getByRole("button", { name: "Tentar de novo: o pagamento da venda" }).click();
    await page.getByRole("dialog").getByRole("checkbox").check();
    await page.getByRole("dialog").getByRole("button", { name: "Reembolsar", exact: true }).click();
  };
  await again();
  await page.getByText(/ainda não disse se o reembolso anterior foi feito/).waitFor();
  await app.sandbox.endFaults("pushinpay");
  await sql`update charges set last_checked_at = null where id = ${charge.id}`;
  await page.reload();
  await again();
  await page.getByText("Reembolso aceito", { exact: true }).waitFor();
  const [mail] = await until(async () => {
    const mails = await app.sandbox.emails(seller.email);
    return mails.length > 0 ? mails : null;
  });
  expect(mail!.body.subject).toContain("Reembolso não confirmado");
});

longTest(
  "a dispute is entered manually, waits for the seller, and its decision restores the sale",
  async () => {
    const { seller, page } = await dashboard();
    const product = await makeProduct(seller);
    const sale = await makeSale(product, { status: "completed" });
    await page.goto(`/reports/sales/${sale.id}`);
    await page.getByRole("button", { name: "Registrar contestação" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Anotação (opcional)").fill("Protocolo 12");
    await dialog.getByRole("button", { name: "Registrar contestação" }).click();
    await page.getByText("Em contestação", { exact: true }).first().waitFor();
    await page.getByText("Protocolo 12").waitFor();
    await page.goto("/dashboard");
    await page.getByText("Pagamento contestado").click();
    await page.getByRole("button", { name: "Contestação recusada" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Registrar recusa" }).click();
    await page.getByText("Concluída", { exact: true }).first().waitFor();
    await page.goto("/settings?tab=gateways");
    await page.getByRole("button", { name: "Suspender o acesso" }).click();
    await page.getByText("O acesso do comprador fica suspenso até a decisão.").waitFor();
  },
);

longTest("a refund made at the bank is marked manually, and a chargeback recorded", async () => {
  const { seller, page } = await dashboard();
  const product = await makeProduct(seller);
  for (const [trigger, badge] of [
    ["Marcar como reembolsada", "Reembolsada"],
    ["Registrar chargeback", "Chargeback"],
  ] as const) {
    const sale = await makeSale(product, { status: "completed" });
    await page.goto(`/reports/sales/${sale.id}`);
    await page.getByRole("button", { name: trigger }).click();
    await page.getByRole("dialog").getByRole("button", { name: trigger, exact: true }).click();
    await page.getByText(badge, { exact: true }).first().waitFor();
    expect(await page.getByRole("button", { name: trigger }).count()).toBe(0);
  }
});

test("a wrong key and a provider that does not answer are reported as such", async () => {
  const { page } = await dashboard();
  await page.goto("/settings?tab=gateways");
  // On from the start, so that the first key needs no click.
  await page.getByLabel("Receber por PIX com a PushinPay").uncheck();
  const key = page.getByLabel("API Key", { exact: true });
  await key.fill("chave-de-outro-lugar");
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  await page.getByText("Erro ao salvar configurações: A PushInPay não aceitou esta chave").waitFor();
  expect(await key.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Receber por PIX com a PushinPay").isChecked()).toBe(false);
  await expectNoSeriousAxe(page);
  await key.fill("7|sandbox-Vera");
  await app.sandbox.fault({ service: "pushinpay", mode: "reset" });
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  await page.getByText(/A PushInPay não respondeu e a chave ainda não foi testada/).waitFor();
  await cardOf(page).getByText("Desligada").waitFor();
  await cardOf(page).getByRole("button", { name: "Ligar e salvar" }).click();
  await cardOf(page).getByText("Chave ainda não testada").waitFor();
  await expectNoSeriousAxe(page);
  await cardOf(page).getByRole("button", { name: "Testar a chave" }).click();
  await page.getByText(/Webhook testado com sucesso!/).waitFor();
  await cardOf(page).getByText("Recebendo pagamentos").waitFor();
  await app.sandbox.fault({ service: "pushinpay", route: "transaction", mode: "status-401", body: {} });
  await cardOf(page).getByRole("button", { name: "Testar Webhook" }).click();
  await page.getByText(/não aceitou a API Key/).waitFor();
  await app.sandbox.fault({ service: "pushinpay", mode: "http-500" });
  await cardOf(page).getByRole("button", { name: "Testar Webhook" }).click();
  await page.getByText(/respondeu com um erro \(500\)/).waitFor();
  allowTroubles(/400|503/);
});

longTest("without a network the tab stays and states what failed", async () => {
  const { seller, page } = await dashboard();
  await makeGateway(seller);
  await page.goto("/settings?tab=gateways");
  await waitForHydration(page);
  await page.context().setOffline(true);
  await cardOf(page).getByRole("button", { name: "Testar Webhook" }).click();
  await page.getByText("Erro de conexão ao testar webhook").waitFor();
  await page.getByRole("button", { name: "Enviar e-mail de teste" }).click();
  await page.getByText("Erro de conexão ao testar email").waitFor();
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  await page.getByText("Erro ao salvar configurações").waitFor();
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

longTest("the mail key is saved by its own button and a test mail is sent", async () => {
  const { page } = await dashboard({ width: 360, dark: true });
  await page.goto("/settings?tab=gateways");
  await page.getByText("E-mail não configurado").waitFor();
  await page.getByLabel("Chave do Resend").fill("nada");
  await page.getByRole("button", { name: "Salvar chave" }).click();
  await page.getByText(/Erro ao salvar configurações: .*re_/).waitFor();
  await page.getByLabel("Chave do Resend").fill("re_chave-da-Vera");
  await page.getByRole("button", { name: "Salvar chave" }).click();
  await page.getByText("A chave do Resend está salva.").waitFor();
  const send = page.getByRole("button", { name: "Enviar e-mail de teste" });
  await page.getByLabel("E-mail de teste").fill("");
  await page.getByText("Digite um email para teste").waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.getByLabel("E-mail de teste").fill("vera@exemplo.com.br");
  await send.click();
  await page.getByText("Email de teste enviado com sucesso!").waitFor();
  await savePicture(page, "gateways-360-dark");
  allowTroubles(/400/);
});

longTest("without JavaScript a test mail keeps its typed address, and names who received it", async () => {
  const { page } = await dashboard({ javaScript: false });
  await page.goto("/settings?tab=gateways");
  const recipient = page.getByLabel("E-mail de teste");
  const send = page.getByRole("button", { name: "Enviar e-mail de teste" });
  for (const [typed, error] of [
    ["ana@@exemplo", "E-mail inválido"],
    ["", "Digite um email para teste"],
  ] as const) {
    await recipient.fill(typed);
    await send.click();
    await page.locator("#test_email-error", { hasText: error }).waitFor();
    expect(await recipient.inputValue()).toBe(typed);
  }
  await recipient.fill("ana@exemplo.com.br");
  await send.click();
  await page.getByText(/enviado com sucesso! Destinatário: ana@exemplo.com.br\./).waitFor();
  expect(await recipient.inputValue()).toBe("ana@exemplo.com.br");
  expect(await page.locator("#test_email-error").count()).toBe(0);
  allowTroubles(/400|422/);
});

test("a checkout whose seller cannot be paid states it, keeps the order, and changes at once when they can", async () => {
  const { seller } = await dashboard();
  const product = await makeProduct(seller);
  const page = await openPage({ url: app.url, width: 360 });
  await page.goto(`/checkout/${product.id}?utm_source=FB`);
  await page.getByText("ainda não pode receber pagamentos").waitFor();
  await expectNoSeriousAxe(page);
  await savePicture(page, "checkout-unpayable-360");
  await fillCheckout(page, { email: "ana@exemplo.com.br" });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  // The page is the same before and after: the order shows that it arrived.
  const stored = () => sql`select status, utm_source from sales where product_id = ${product.id}`;
  await expect.poll(stored).toMatchObject([{ status: "pending", utm_source: "FB" }]);
  await page.getByText("ainda não pode receber pagamentos").waitFor();
  const { Cookie } = await signedIn(seller);
  await app.fetch("/api/settings/gateways", {
    method: "POST",
    headers: { Cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ pushinpay_enabled: true, pushinpay_api_key: "1|sandbox-demo" }),
  });
  await page.goto(`/checkout/${product.id}`);
  await page.getByRole("button", { name: "Comprar Agora" }).waitFor();
  expect(await page.getByText("ainda não pode receber pagamentos").count()).toBe(0);
  allowTroubles(/503/);
});

longTest("a key the provider refused is an action item, resolved by itself when a PIX is made", async () => {
  const { seller, page } = await dashboard({ width: 360 });
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: "chave-recusada" });
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "status-401", body: {} });
  const buyer = await openPage({ url: app.url, width: 360 });
  await buyer.goto(`/checkout/${product.id}`);
  await fillCheckout(buyer, { email: "recusada@gmail.com" });
  await buyer.getByRole("button", { name: "Comprar Agora" }).click();
  await buyer.getByText("O vendedor precisa revisar a conexão com o PIX.").waitFor();
  const warning = page.getByText("A PushinPay recusou a sua API Key");
  await page.goto("/products");
  await page.getByRole("heading", { name: "Produtos" }).waitFor();
  expect(await warning.count()).toBe(0);
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Precisa de você" }).waitFor();
  expect(await warning.count()).toBe(1);
  await page.getByRole("link", { name: /recusou a sua API Key/ }).click();
  await page.getByText("A PushinPay recusou esta API Key").waitFor();
  expect(await page.getByText("API Key recusada").isVisible()).toBe(true);
  await expectNoSeriousAxe(page);
  await savePicture(page, "gateways-refused-360");
  await buyer.getByRole("button", { name: "Comprar Agora" }).click();
  await buyer.getByText("Pague com PIX").waitFor();
  await page.reload();
  await cardOf(page).getByText("Recebendo pagamentos").waitFor();
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  expect(await page.getByText("Precisa de você").count()).toBe(0);
  allowTroubles(/status of 503/);
});
