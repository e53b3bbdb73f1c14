import type { Page } from "playwright";
import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";
import { longTest, oneWay, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const product = await makeProduct(seller, { name: "Curso de violão" });
  await makeBump(product, { name: "Apostila de cifras" });
  const { Cookie } = await signedIn(seller);
  return { seller, product, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

/** Pictures of a page, and what must not be on it. */
function camera(page: Page, width: number, isStored: boolean) {
  return async (name: string) => {
    if (isStored) await savePicture(page, `${name}-${width}`);
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
  };
}

for (const { width, javaScript } of oneWay(false))
  longTest(
    `MemberKit is linked, tested, fixed, paused and deleted at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript, width });
      const shot = camera(page, width, javaScript);
      await page.goto("/settings/integrations");
      await page.getByRole("link", { name: "Configurar Áreas de membros" }).click();
      await page.getByText("Nenhuma área de membros ainda").waitFor();
      await shot("members-none");
      await page.getByRole("link", { name: "Conectar área" }).click();
      await page.getByText("Onde estão as suas aulas?").waitFor();
      await shot("members-services");
      await page.getByRole("link", { name: /^MemberKit/ }).click();
      await page.getByLabel("Nome").fill("Escola");
      await page.getByLabel("Chave da API", { exact: true }).fill("sandbox-chave-1234567890");
      await page.getByLabel(/^Curso de violão/).fill("Violão");
      await page.getByRole("button", { name: "Conectar área" }).click();
      await page.getByText("Use os números das turmas, separados por vírgula").first().waitFor();
      allowTroubles(/400/);
      await page.getByLabel(/^Curso de violão/).fill("101, 999");
      await page.getByLabel("Chave da API", { exact: true }).fill("sandbox-chave-1234567890");
      await shot("members-new-memberkit");
      await page.getByRole("button", { name: "Conectar área" }).click();
      await page.getByText(/Área de membros conectada/).waitFor();
      await page.getByRole("button", { name: "Testar a conexão" }).click();
      await page
        .getByText(/O teste não passou. Uma das turmas informadas não existe/)
        .first()
        .waitFor();
      await page.getByRole("link", { name: "Configuração", exact: true }).click();
      await page.getByText("Turmas encontradas na sua conta (3)").click();
      await page.getByText("Violão avançado").last().waitFor();
      await page.getByLabel(/^Curso de violão/).fill("101");
      await page.getByLabel(/^Apostila de cifras/).fill("102, 103");
      await shot("members-settings");
      await page.getByRole("button", { name: "Salvar área" }).click();
      await page.getByText("Área de membros salva com sucesso!").waitFor();
      await page.getByText("Produto · Violão do zero").waitFor();
      await page.getByRole("link", { name: "Envios" }).click();
      await page.getByRole("button", { name: "Testar a conexão" }).click();
      await page.getByText(/A chave foi aceita: 3 turmas encontradas/).waitFor();
      await page.getByText("Aviso e resposta").first().click();
      await page.getByLabel("Corpo enviado").waitFor();
      expect(await page.content()).not.toContain("sandbox-chave");
      await shot("members-log");
      await page.getByRole("button", { name: "Pausar" }).click();
      await page.getByText(/Área pausada/).waitFor();
      const [row] = await sql`select stopped_reason from destinations where seller_id = ${seller.id}`;
      expect(row).toMatchObject({ stopped_reason: "seller" });
      await page.goto("/settings/member-areas");
      await page.getByText(/1 produto · encerra em reembolso/).waitFor();
      await shot("members");
      await page.getByRole("link", { name: /Escola/ }).click();
      await page.getByRole("button", { name: "Excluir", exact: true }).click();
      await page.getByRole("button", { name: "Excluir área" }).click();
      await page.getByText("Área de membros excluída.").waitFor();
      await page.getByText("Nenhuma área de membros ainda").waitFor();
    },
  );

for (const { width, javaScript } of oneWay(true))
  longTest(
    `Cademí is linked by any pasted address and opens a test at ${width} px ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, product, page } = await dashboard({ javaScript, width });
      const shot = camera(page, width, javaScript);
      await page.goto("/settings/member-areas/new?kind=cademi");
      await page.getByLabel("Endereço da área").fill("escola.example");
      await page.getByLabel("Token", { exact: true }).fill("sandbox-token-1234567890");
      await page.getByRole("button", { name: "Conectar área" }).click();
      await page.getByText("Informe o começo do endereço, como minha-escola").first().waitFor();
      allowTroubles(/400/);
      await page.getByLabel("Endereço da área").fill("https://minha-escola.cademi.com.br/area");
      await page.getByLabel("Token", { exact: true }).fill("sandbox-token-1234567890");
      await shot("members-new-cademi");
      await page.getByRole("button", { name: "Conectar área" }).click();
      await page.getByText(/Área de membros conectada/).waitFor();
      await page.getByText("Cademí · minha-escola.cademi.com.br").waitFor();
      await page.getByRole("link", { name: "Como ligar os produtos" }).click();
      await page.getByText("Ligar os produtos na Cademí").waitFor();
      await page.getByText(String(product.id), { exact: true }).waitFor();
      await shot("members-products");
      await page.getByRole("link", { name: "Envios" }).click();
      const email = page.getByLabel("E-mail que recebe o acesso");
      expect(await email.inputValue()).toBe(seller.email);
      const items = page.getByRole("combobox", { name: "Produto" });
      await items.selectOption({ label: "Apostila de cifras" });
      await email.fill("vera@exemplo");
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText("Informe o e-mail que recebe o acesso.").waitFor();
      expect([await email.inputValue(), await items.locator(":checked").textContent()]).toEqual([
        "vera@exemplo",
        "Apostila de cifras",
      ]);
      await email.fill(seller.email);
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText("Teste aceito pelo serviço.").waitFor();
      expect(await app.sandbox.memberships(seller.email)).toMatchObject([
        { service: "cademi", area: "minha-escola", item: expect.stringMatching(/^bump-/), isOpen: true },
      ]);
      await page.getByText("Aviso e resposta").first().click();
      await page.getByLabel("Corpo enviado").waitFor();
      expect(await page.content()).not.toContain("sandbox-token");
      await shot("members-log-cademi");
    },
  );

longTest(
  "a paid buyer is admitted at both areas, one with a corrected e-mail at the new one, and a refunded one at none",
  async () => {
    const seller = await makeSeller({ name: "Cordas & Cia" });
    await makeGateway(seller);
    const product = await makeProduct(seller);
    await makeMemberArea(seller, "cademi");
    await makeMemberArea(seller, "memberkit", {
      classes: [{ item: String(product.id), ids: [101] }],
      productIds: [product.id],
    });
    const page = await openPage({ url: app.url });
    await page.goto(`/checkout/${product.id}`);
    await fillCheckout(page, { email: "ana-erada@exemplo.com.br" });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL("**/checkout/pix/**");
    const code = await page.getByLabel("Código PIX copia e cola").inputValue();
    const [transaction] = (await app.sandbox.transactions()).filter((one) => one.qr_code === code);
    await app.sandbox.pay(transaction!.id);
    await page.waitForURL("**/thank-you/**");
    const saleId = new URL(page.url()).pathname.split("/").at(-1)!;
    const membershipOf = (email: string, isOpen: boolean) =>
      until(
        async () => {
          const stored = await app.sandbox.memberships(email);
          return stored.length === 2 && stored.every((one) => one.isOpen === isOpen);
        },
        { what: `${email} ${isOpen ? "let in" : "shut out"}` },
      );
    await membershipOf("ana-erada@exemplo.com.br", true);
    await page.goto(`/purchase-email/${saleId}`);
    await page
      .getByLabel(/e-mail/i)
      .first()
      .fill("ana-certa@exemplo.com.br");
    await page.getByRole("button", { name: /corrigir/i }).click();
    await membershipOf("ana-certa@exemplo.com.br", true);
    await membershipOf("ana-erada@exemplo.com.br", false);
    const seat = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
    await seat.goto(`/reports/sales/${saleId}`);
    await seat.getByRole("button", { name: "Marcar como reembolsada" }).click();
    await seat.getByRole("dialog").getByRole("button", { name: "Marcar como reembolsada" }).click();
    await membershipOf("ana-certa@exemplo.com.br", false);
  },
);

for (const width of WIDTHS)
  longTest(`in the dark at ${width} px`, async () => {
    const { seller, product, page } = await dashboard({ dark: true, width });
    const id = await makeMemberArea(seller, "memberkit", {
      name: "Escola",
      classes: [{ item: String(product.id), ids: [101] }],
      productIds: [product.id],
    });
    await page.goto("/settings/member-areas/new?kind=cademi");
    await savePicture(page, `members-new-cademi-${width}-dark`);
    await page.goto(`/settings/member-areas/${id}`);
    await page.getByRole("button", { name: "Testar a conexão" }).click();
    await page.getByText(/A chave foi aceita/).waitFor();
    await savePicture(page, `members-log-${width}-dark`);
    await page.goto(`/settings/member-areas/${id}?tab=configuracao`);
    await page.getByText("Produto · Violão do zero").waitFor();
    await savePicture(page, `members-settings-${width}-dark`);
    await page.goto("/settings/member-areas");
    await page.getByText(/Último:/).waitFor();
    await savePicture(page, `members-${width}-dark`);
    await expectNoSeriousAxe(page);
  });
