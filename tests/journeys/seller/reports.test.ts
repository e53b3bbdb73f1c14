import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  type PageOptions,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { type KnownSale, refresh, seeded, writeMail, writeSales } from "#tests/support/rows/make-reports.ts";
import { longTest, oneScript, oneWay, WIDTHS } from "#tests/support/run/ways.ts";

const DAY = 86_400_000;
let app: App;
let seller: Awaited<ReturnType<typeof makeSeller>>;
let first: KnownSale;

beforeAll(async () => {
  app = await sharedApp();
});

/** A shop with some forty sales in ten days, three campaigns, two products, and mails in every state. */
beforeEach(async () => {
  seller = await makeSeller({ name: "Vera Vendedora" });
  const random = seeded(7);
  const products = [
    await makeProduct(seller, { name: "Curso de Violão para Iniciantes" }),
    await makeProduct(seller, { name: "Mentoria em Grupo" }),
  ];
  const known = Array.from({ length: 44 }, (_, n): KnownSale => {
    const product = products[n % 3 === 0 ? 1 : 0]!;
    const status =
      n % 4 === 3 ? (["pending", "failed", "cancelled", "refunded"] as const)[(n >> 2) % 4]! : "completed";
    const createdAt = new Date(Date.now() - 60_000 - Math.floor(n * 0.3 * DAY * (0.6 + random() * 0.4)));
    return {
      id: randomUUID(),
      productId: product.id,
      productName: product.name,
      parentSaleId: null,
      status,
      amountCents: n % 3 === 0 ? 49_700 : n % 2 ? 9_700 : 11_690,
      paymentMethod: "pix",
      customerName: ["Beatriz Nascimento de Albuquerque", "João Pereira", "Ana Clara Souza"][n % 3]!,
      customerEmail: `comprador${n % 20}@exemplo.com.br`,
      campaign: [
        [null, null, null],
        ["facebook", "cpc", "natal-2026"],
        ["google", "cpc", "violao"],
      ][n % 3] as KnownSale["campaign"],
      bumps: n % 3 !== 0 && n % 2 === 0 ? 1 : 0,
      createdAt,
      completedAt:
        status === "completed" || status === "refunded" ? new Date(createdAt.getTime() + 50_000) : null,
    };
  });
  await writeSales(seller.id, known);
  first = known[0]!;
  for (const [n, sale] of known.filter((s) => s.completedAt).entries()) {
    const failed = n === 1;
    await writeMail(
      { ...sale, sellerId: seller.id },
      {
        status: failed ? "failed" : n === 2 ? "attempting" : "sent",
        attempts: failed ? 5 : 1,
        error: failed ? "550 mailbox not found" : null,
        createdAt: sale.completedAt!,
        sentAt: failed || n === 2 ? null : sale.completedAt,
      },
    );
  }
  await sql`insert into sale_events (sale_id, seller_id, kind, data, cause) values
    (${first.id}, (select seller_id from sales where id = ${first.id}), 'placed', '{"via": "checkout"}', 'buyer'), (${first.id}, (select seller_id from sales where id = ${first.id}), 'completed', '{}', 'provider')`;
  await refresh();
});

async function open(options: PageOptions) {
  return openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie, ...options });
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `${width}-${javaScript ? "js" : "plain"}`;
  test(`the reports can be read and filtered (${how})`, async () => {
    const page = await open({ width, javaScript });
    await page.goto("/reports");
    await page.getByRole("heading", { level: 1, name: "Relatórios" }).waitFor();
    for (const label of ["Total de Vendas", "Receita Total", "Total de Clientes", "Taxa de Conversão"])
      await page.getByText(label, { exact: true }).waitFor();
    expect(await page.content()).toContain("os de pedidos sem venda concluída aparecem só na Conciliação");
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `reports-${how}`);

    await page.getByLabel("Período").selectOption("30d");
    if (!javaScript) await page.getByRole("button", { name: "Ver", exact: true }).click();
    await page.waitForURL(/range=30d/);
    await page.getByRole("link", { name: "Mais antigas" }).click();
    await page.waitForURL(/before=/);
    await page.getByRole("link", { name: "Mais recentes" }).click();
    await page.waitForURL(/after=/);

    await page.getByLabel("Status", { exact: true }).selectOption("failed");
    if (!javaScript) await page.getByRole("button", { name: "Buscar" }).click();
    await page.waitForURL(/status=failed/);
    const table = page.getByRole("table", { name: "Vendas recentes" });
    await table.getByText("Concluída").first().waitFor({ state: "detached" });
    await table.getByText("Falhou").first().waitFor();

    await page.getByLabel(/^Buscar por cliente/).fill("ninguém");
    await page.getByRole("button", { name: "Buscar" }).click();
    await page.getByText("Nenhuma venda encontrada").waitFor();

    await page.getByText("Ver os números em tabela").click();
    await page.getByRole("columnheader", { name: "Receita antes" }).waitFor();
  });

  test(`a sale's details can be read and its customer corrected (${how})`, async () => {
    const page = await open({ width, javaScript });
    await page.goto("/reports?range=7d");
    await page
      .getByRole("link", { name: /^Detalhes/ })
      .first()
      .click();
    await page.waitForURL(/\/reports\/sales\//);
    const container = javaScript ? page.getByRole("dialog") : page.getByRole("main");
    await container.getByRole("heading", { name: `Detalhes da Venda #${first.id}` }).waitFor();
    await container.getByText("Venda concluída").waitFor();
    await container.getByText("Order bump", { exact: true }).waitFor({ state: "detached" });
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `sale-${how}`);

    await container.getByRole("link", { name: /^Editar/ }).click();
    await container.getByText("o acesso vai para o endereço novo e o antigo é avisado").waitFor();
    await container.getByLabel("Nome").fill("  Outro Nome ");
    await container.getByLabel("Email", { exact: true }).fill("novo@exemplo.com.br");
    await savePicture(page, `sale-edit-${how}`);
    await container.getByRole("link", { name: "Cancelar" }).click();
    await container.getByText(first.customerEmail!).first().waitFor();

    await container.getByRole("link", { name: /^Editar/ }).click();
    expect(await container.getByLabel("Nome").inputValue()).toBe(first.customerName);
    await container.getByLabel("Nome").fill("  Outro Nome ");
    await container.getByLabel("Email", { exact: true }).fill(" Novo@Exemplo.com.br ");
    await container.getByRole("button", { name: "Salvar" }).click();
    await container.getByText("Dados do cliente atualizados com sucesso!").waitFor();
    await container.getByText("Outro Nome").waitFor();
    await container.getByText("novo@exemplo.com.br").first().waitFor();
    expect(await container.getByLabel("Nome").count()).toBe(0);

    if (javaScript) {
      await page.keyboard.press("Escape");
      await page.waitForURL(/\/reports\?range=7d$/);
      await page
        .getByRole("table", { name: "Vendas recentes" })
        .getByText("Outro Nome", { exact: true })
        .waitFor();
    } else {
      await page.getByRole("link", { name: "Relatórios" }).last().click();
      await page.getByRole("heading", { level: 1, name: "Relatórios" }).waitFor();
    }
  });

  longTest(`the state of the mails is shown, and a failed one is resent (${how})`, async () => {
    const page = await open({ width, javaScript });
    await page.goto("/reports");
    await page.getByRole("link", { name: "Entrega de Emails" }).click();
    await page.getByRole("term").filter({ hasText: "Taxa de Entrega" }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `deliveries-${how}`);
    await page.getByLabel("Status do email").selectOption("failed");
    if (!javaScript) await page.getByRole("button", { name: "Filtrar" }).click();
    await page.waitForURL(/delivery=failed/);
    await page.getByText("550 mailbox not found").waitFor();
    await page.getByRole("button", { name: /^Reenviar/ }).click();
    await page.getByText(/^Email reenviado para/).waitFor();
  });
}

for (const javaScript of oneScript(true)) {
  longTest(
    `a buyer's phone leads to WhatsApp, and their CPF is shown on request (${javaScript ? "with" : "without"} JavaScript)`,
    async () => {
      const sale = await makeSale(await makeProduct(seller), {
        customerPhone: "+5511987654321",
        customerDocumentSealed: seal("52998224725"),
      });
      const page = await open({ javaScript });
      await page.goto(`/reports/sales/${sale.id}`);
      await waitForHydration(page);
      const phone = page.getByRole("link", { name: "(11) 98765-4321" });
      expect(await phone.getAttribute("href")).toBe("https://wa.me/5511987654321");
      await page.getByText("***.982.247-**").waitFor();
      expect(await page.content()).not.toMatch(/529\.?982\.?247/);
      await page.getByRole("button", { name: "Mostrar CPF" }).click();
      await page.getByText("529.982.247-25").waitFor();
      await page.getByText("Você viu o documento do cliente").waitFor();
      await page.goto(`/reports/sales/${sale.id}`);
      await page.getByText("***.982.247-**").waitFor();
    },
  );
}

longTest("the reports keep their look in the dark", async () => {
  for (const width of WIDTHS) {
    const page = await open({ width, dark: true });
    for (const [name, path] of [
      ["reports", "/reports?range=30d"],
      ["reports-1y", "/reports?range=1y"],
      ["deliveries", "/reports?tab=emails"],
      ["sale", `/reports/sales/${first.id}`],
    ]) {
      await page.goto(path!);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectNoSidewaysScroll(page);
      await savePicture(page, `${name}-dark-${width}`);
    }
  }
});

test("the arrow keys read the chart point by point", async () => {
  const page = await open({});
  await page.goto("/reports");
  const slider = page.getByRole("slider", { name: "Ponto do gráfico" });
  await slider.focus();
  const today = await slider.getAttribute("aria-valuetext");
  expect(today).toMatch(/^\d\d\/\d\d\/\d{4}: \d+ vendas?, R\$ [\d.,]+\. Antes: /);
  await page.keyboard.press("ArrowLeft");
  expect(await slider.getAttribute("aria-valuetext")).not.toBe(today);
  await savePicture(page, "reports-chart-point");
});

longTest(
  "the chart lets go of the point under the pointer where its seller goes back to a shorter period",
  async () => {
    const page = await open({ width: 1280 });
    await page.goto("/reports?range=7d");
    await waitForHydration(page);
    await page.getByLabel("Período").selectOption("Últimos 90 dias");
    await page.waitForURL(/range=90d/);
    await page.getByText("90 dias anteriores", { exact: true }).waitFor();
    await page.getByRole("slider", { name: "Ponto do gráfico" }).focus();
    await page.evaluate(() => history.back());
    await page.waitForURL(/range=7d/);
    await page.getByText("7 dias anteriores", { exact: true }).waitFor();
    expect(await page.getByRole("slider", { name: "Ponto do gráfico" }).getAttribute("max")).toBe("6");
  },
);

longTest("an empty shop states it", async () => {
  const stranger = await makeSeller();
  const page = await openPage({ url: app.url, cookie: (await signedIn(stranger)).Cookie });
  await page.goto("/reports");
  await page.getByText("Nenhum dado disponível para o período selecionado").waitFor();
  await page.getByText("Nenhuma venda encontrada").waitFor();
  await savePicture(page, "reports-empty");
  await page.goto("/reports?tab=emails");
  await page.getByText("Nenhum log de email encontrado").waitFor();
});

test("another seller's sale is not found", async () => {
  const stranger = await makeSeller();
  const answer = await app.fetch(`/reports/sales/${first.id}`, { headers: await signedIn(stranger) });
  expect(answer.status).toBe(404);
  const html = await answer.text();
  expect(html).toContain("Venda não encontrada");
  expect(html).not.toContain(first.customerEmail);
});

longTest("without a network a correction stays typed and the page states it", async () => {
  const page = await open({});
  await page.goto(`/reports/sales/${first.id}?edit=customer`);
  await page.getByLabel("Nome").fill("Sem Rede");
  await page.route(/reports\/sales/, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Erro ao atualizar dados do cliente").waitFor();
  expect(await page.getByLabel("Nome").inputValue()).toBe("Sem Rede");
  allowTroubles(/ERR_FAILED|Failed to fetch/);
});

longTest("on a server error a correction stays typed, and so does the list, and both state it", async () => {
  const page = await open({});
  await page.goto(`/reports/sales/${first.id}?edit=customer`);
  await page.getByRole("button", { name: "Salvar" }).waitFor();
  await page.getByLabel("Nome").fill("Servidor Fora");
  await sql`alter table sales rename to away`;
  try {
    await page.getByRole("button", { name: "Salvar" }).click();
    await page.getByText("Erro ao atualizar dados do cliente").waitFor();
    expect(await page.getByLabel("Nome").inputValue()).toBe("Servidor Fora");
  } finally {
    await sql`alter table away rename to sales`;
  }
  await page.goto("/reports");
  const row = page.getByRole("row").filter({ hasText: "Concluída" }).first();
  await row.waitFor();
  await sql`alter table sales rename to away`;
  try {
    await row.locator("summary").click();
    await row.getByRole("button", { name: /Reenviar/ }).click();
    await page.getByRole("alert").getByText("Erro ao reenviar email").waitFor();
    await row.waitFor();
  } finally {
    await sql`alter table away rename to sales`;
  }
  allowTroubles(/500/);
});

test("the file has every sale of the filter", async () => {
  const answer = await app.fetch("/reports/export?range=30d&status=pending", {
    headers: await signedIn(seller),
  });
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(new Date());
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="relatorio_vendas_${today}.csv"`,
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = bytes.toString("utf8").slice(1).split("\r\n");
  expect(lines[0]).toBe(
    "Data;Produto;Cliente;Email;Valor;Status;Método;Devolvido;Taxa;Líquido;Telefone;CPF/CNPJ;Recebido;Cupom;Desconto;Oferta;Quantidade",
  );
  expect(lines[1]).toMatch(
    /^\d\d\/\d\d\/\d{4} \d\d:\d\d;[^;]+;[^;]+;comprador\d+@exemplo\.com\.br;\d+,\d\d;Pendente;PIX;0,00;;;;;0,00;;;;1$/,
  );
  expect(lines).toHaveLength(3 + 2);
});

longTest.each(["runs no script", "never gets the script"])(
  "a browser that %s has a button for the period, and none that would do nothing",
  async (browser) => {
    allowTroubles(/Failed to load resource/);
    const { Cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie: Cookie, javaScript: browser !== "runs no script" });
    await page.route("**/*.js", (route) => route.abort());
    await page.goto("/reports");
    // With scripts allowed it is awaited.
    await page.getByRole("button", { name: "Ver", exact: true }).waitFor();
    await page.getByLabel("Período").selectOption("90d");
    await page.getByRole("button", { name: "Ver", exact: true }).click();
    await page.waitForURL(/range=90d/);
    const product = await makeProduct(seller);
    await page.goto(`/products/${product.id}/links`);
    await page.getByRole("button", { name: "Gerar link" }).waitFor();
    expect(await page.getByRole("button", { name: "Copiar link" }).isVisible()).toBe(false);
  },
);
