import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay, WIDTHS } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const product = await makeProduct(seller);
  await makeBump(product);
  const { Cookie } = await signedIn(seller);
  return { seller, product, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

for (const { width, javaScript } of oneWay(true))
  longTest(
    `a webhook is made, tested, fails, is resent, paused and deleted at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript, width });
      const name = `journey-${width}-${javaScript}`;
      const address = `${app.sandbox.url}/receiver/${name}`;
      await page.goto("/settings/integrations");
      await page.getByRole("link", { name: "Configurar Webhooks" }).click();
      await page.getByText("Nenhum webhook ainda").waitFor();
      await page.getByRole("link", { name: "Novo webhook" }).click();
      await page.getByRole("heading", { name: "Novo webhook" }).waitFor();
      await page.getByLabel("Nome").fill("Área de membros");
      await page.getByLabel("Endereço", { exact: true }).fill("https://169.254.169.254/x");
      await page.getByRole("button", { name: "Criar webhook" }).click();
      await page
        .getByText(/rede interna/)
        .first()
        .waitFor();
      allowTroubles(/400/);
      await page.getByLabel("Endereço", { exact: true }).fill(address);
      await page.getByLabel(/Compatível com Kiwify/).check();
      await page.getByLabel("Token", { exact: true }).waitFor();
      await page.getByLabel(/^Checkintelli/).check();
      await page.getByLabel(/Pedido iniciado/).check();
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      if (javaScript) await savePicture(page, `webhook-new-${width}`);
      await page.getByRole("button", { name: "Criar webhook" }).click();
      await page.getByText(/Webhook criado/).waitFor();
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText(/Teste entregue/).waitFor();
      await app.sandbox.fault({ service: "receiver", route: name, mode: "http-500" });
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText(/O teste não chegou. O endereço respondeu HTTP 500/).waitFor();
      await page.getByText("Na fila", { exact: true }).waitFor();
      await page
        .getByRole("button", { name: /Enviar de novo/ })
        .first()
        .click();
      await page.getByText(/Reenviado/).waitFor();
      // Open by itself.
      await page.getByLabel("Corpo enviado").waitFor();
      await page.getByText('"name": "Produto de teste"').first().waitFor();
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      if (javaScript) await savePicture(page, `webhook-log-${width}`);
      const arrivals = await app.sandbox.arrivals(name);
      expect(arrivals).toHaveLength(3);
      expect(new Set(arrivals.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
      await page.getByRole("link", { name: "Como receber" }).click();
      await page.getByRole("button", { name: "Mostrar segredo" }).click();
      await page.getByText(/^whsec_/).waitFor();
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      if (javaScript) await savePicture(page, `webhook-receive-${width}`);
      await page.getByRole("link", { name: "Configuração", exact: true }).click();
      await page.getByLabel("Só os marcados abaixo").check();
      await page.getByLabel(/Curso de Violão/).check();
      await page.getByRole("button", { name: "Salvar webhook" }).click();
      await page.getByText("Webhook salvo com sucesso!").waitFor();
      await page.getByRole("link", { name: "Envios" }).click();
      await page.getByRole("button", { name: "Pausar" }).click();
      await page.getByText(/Webhook pausado/).waitFor();
      const [row] =
        await sql`select stopped_reason, product_ids from destinations where seller_id = ${seller.id}`;
      expect(row).toMatchObject({ stopped_reason: "seller", product_ids: [expect.any(String)] });
      await page.goto("/settings/webhooks");
      await page.getByText("Pausado", { exact: true }).waitFor();
      await expectNoSeriousAxe(page);
      if (javaScript) await savePicture(page, `webhooks-${width}`);
      await page.getByRole("link", { name: /Área de membros/ }).click();
      await page.getByRole("button", { name: "Excluir", exact: true }).click();
      await page.getByRole("button", { name: "Excluir webhook" }).click();
      await page.getByText("Webhook excluído.").waitFor();
      await page.getByText("Nenhum webhook ainda").waitFor();
    },
  );

for (const width of WIDTHS)
  longTest(`in the dark at ${width} px`, async () => {
    const { page } = await dashboard({ dark: true, width });
    await page.goto("/settings/webhooks/new");
    await page.getByLabel("Nome").fill("CRM");
    await page.getByLabel("Endereço", { exact: true }).fill(`${app.sandbox.url}/receiver/dark-${width}`);
    await page.getByLabel(/Compatível com Hotmart/).check();
    await savePicture(page, `webhook-new-${width}-dark`);
    await page.getByRole("button", { name: "Criar webhook" }).click();
    await page.getByText(/Webhook criado/).waitFor();
    await page.getByRole("button", { name: "Enviar teste" }).click();
    await page.getByText(/Teste entregue/).waitFor();
    await savePicture(page, `webhook-log-${width}-dark`);
    await page.getByRole("link", { name: "Como receber" }).click();
    await page.getByText("Códigos dos produtos").waitFor();
    await savePicture(page, `webhook-receive-${width}-dark`);
    await expectNoSeriousAxe(page);
  });
