import type { Page } from "playwright";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeGateway, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneScript } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});
beforeEach(() => app.sandbox.webhooks({ created: true }));

/** Both on a phone: the steps are read beside the provider's panel. */
const CASES = oneScript(true).map((javaScript) => ({ width: 360, javaScript }));

/** In light and in dark. */
async function shoot(page: Page, name: string, javaScript: boolean) {
  await expectNoSidewaysScroll(page);
  await expectNoSeriousAxe(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await savePicture(page, `webhook-setup-${name}-${javaScript ? "script" : "plain"}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

longTest.each(CASES)(
  "a seller sets up the webhook step by step and learns what is wrong until it works, script $javaScript",
  async ({ width, javaScript }) => {
    const seller = await makeSeller({ name: "Vera Vendedora" });
    const accessToken = `APP_USR-sandbox-vera-${crypto.randomUUID()}`;
    await makeCardGateway(seller, { apiKey: accessToken });
    const { mercadopago_webhook_url: webhookUrl } = await showGateways(seller.id);
    const enter = (secret: string) =>
      app.sandbox.post("/mercadopago", { accessToken, webhookUrl: String(webhookUrl), secret });
    const { Cookie: cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie, width, javaScript });
    const card = page.getByRole("region", { name: "Teste de ponta a ponta" });
    /** Waits for a text; without JavaScript by the page's own link. */
    const waitFor = async (text: string) => {
      const found = card.getByText(text, { exact: true });
      if (javaScript) return found.waitFor();
      await until(async () => {
        if (await found.isVisible()) return true;
        await card.getByRole("link", { name: "Atualizar" }).click();
        return false;
      });
    };

    await page.goto("/settings?tab=gateways");
    await page.getByRole("link", { name: "Configurar passo a passo" }).click();
    await page.getByRole("heading", { name: "No painel do Mercado Pago" }).waitFor();
    await page.getByText("Marque também Chargebacks").waitFor();
    await card.getByText("Salve primeiro a assinatura secreta").waitFor();
    expect(await card.getByRole("button", { name: "Testar de ponta a ponta" }).isDisabled()).toBe(true);
    await page.getByText(String(webhookUrl)).waitFor();
    if (javaScript) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copiar URL" }).click();
      await page.getByText("Copiado!").waitFor({ state: "attached" });
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(webhookUrl);
    }
    await shoot(page, "steps", javaScript);

    const secret = `assinatura-${crypto.randomUUID()}`;
    await enter(secret);
    await page.getByLabel("Assinatura secreta do webhook").fill("a-de-outra-aplicacao");
    await page.getByRole("button", { name: "Salvar assinatura" }).click();
    await page.getByText("Assinatura secreta salva. Agora faça o teste.").waitFor();
    await card.getByRole("button", { name: "Testar de ponta a ponta" }).click();
    await waitFor("Falhou");
    await card.getByText("Copie de novo a Assinatura secreta").waitFor();
    await shoot(page, "failed", javaScript);

    await page.getByLabel("Assinatura secreta do webhook").fill(secret);
    await page.getByRole("button", { name: "Salvar assinatura" }).click();
    await page.getByText("Assinatura secreta salva. Agora faça o teste.").waitFor();
    await app.sandbox.fault({ service: "mercadopago", mode: "slow-2000", route: "create" });
    await card.getByRole("button", { name: "Testar de novo" }).click();
    await card.getByText("Testando", { exact: true }).waitFor();
    await shoot(page, "running", javaScript);
    await waitFor("Funcionando");
    await card.getByText("as notificações chegam e são confirmadas").waitFor();
    await shoot(page, "passed", javaScript);
    for (const hidden of [secret, accessToken]) expect(await page.content()).not.toContain(hidden);
    expect(await sql`select from sales where seller_id = ${seller.id}`).toHaveLength(0);

    await app.sandbox.fault({
      service: "mercadopago",
      mode: "status-400",
      route: "create",
      body: { errors: [{ code: "13253" }] },
    });
    await card.getByRole("button", { name: "Testar de novo" }).click();
    await waitFor("Falhou");
    await card.getByText("Cadastre uma chave Pix na sua conta do Mercado Pago").waitFor();
    await shoot(page, "refused", javaScript);
  },
);

test("pressed without a network, the button says so", async () => {
  const seller = await makeSeller();
  await makeGateway(seller, { provider: "mercadopago", webhookSecretSealed: seal("assinatura") });
  const { Cookie: cookie } = await signedIn(seller);
  const page = await openPage({ url: app.url, cookie, width: 360 });
  await page.goto("/settings/gateways/mercadopago/webhook");
  await page.getByRole("button", { name: "Copiar URL" }).waitFor();
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Testar de ponta a ponta" }).click();
  await page.getByText("Erro de conexão. Tente novamente.").waitFor();
  await page.context().setOffline(false);
});
