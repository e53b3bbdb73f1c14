import { beforeAll, expect } from "vitest";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { buy, openShop, order } from "#tests/integration/payments/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { signedIn } from "#tests/support/make.ts";
import { longTest, testInTurn } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
  // The provider may be called twice within a minute.
  await app.sandbox.gate({ enabled: false });
});

const ways = [
  { width: 360, javaScript: true, dark: false },
  { width: 360, javaScript: false, dark: true },
];

for (const [at, { width, javaScript, dark }] of ways.entries()) {
  const it = testInTurn(at);
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  /** A paid purchase of this test's own buyer. */
  const bought = async (name: string) => {
    const email = `${name}-${width}-${javaScript}@exemplo.com.br`;
    const { seller, product } = await openShop();
    const paid = await buy(product.id, { customer: { ...order(product.id).customer, email } });
    await app.sandbox.pay(paid.providerId);
    await until(
      async () => (await sql`select 1 from sales where id = ${paid.saleId} and status = 'completed'`).length,
    );
    return { ...paid, email, seller };
  };

  /** A browser in the buyer's portal, by the refund page. */
  const enter = async (email: string) => {
    const page = await openPage({ url: app.url, width, javaScript, dark });
    await page.goto("/reembolso");
    await page.getByLabel("E-mail da compra").fill(email);
    await savePicture(page, shot("way-back-ask"));
    await page.getByRole("button", { name: "Receber o link" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    await page.goto(`/minhas-compras/entrar/${await mailedToken(email)}`);
    await page.getByRole("button", { name: "Ver minhas compras" }).click();
    await page.getByRole("link", { name: /Devolução/ }).click();
    await page.getByRole("heading", { name: "Devolução" }).waitFor();
    return page;
  };

  it(`a buyer gets a refund within the guarantee, ${how}`, async () => {
    const { email, saleId, chargeId, providerId } = await bought("volta");
    const page = await enter(email);
    await page.getByText("Pedir o dinheiro de volta").click();
    await page.getByLabel("Motivo (se quiser contar)").fill("Comprei duas vezes");
    await page.getByRole("button", { name: "Desistir e receber R$ 97,00" }).scrollIntoViewIfNeeded();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("way-back-form"));
    if (javaScript) await expectNoAxe(page);
    await page.getByRole("button", { name: "Desistir e receber R$ 97,00" }).click();
    await page.getByText("Recebemos o seu pedido de reembolso.").waitFor();
    await page.getByText(/o dinheiro está a caminho/).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("way-back-asked"));
    if (javaScript) await expectNoAxe(page);
    await until(async () => (await app.sandbox.transaction(providerId)).status === "refunded");
    await sql`update charges set next_check_at = date_trunc('milliseconds', now()), last_checked_at = null where id = ${chargeId}`;
    await until(
      async () => (await sql`select 1 from sales where id = ${saleId} and status = 'refunded'`).length,
    );
    await page.goto(`/minhas-compras/${saleId}`);
    await page.getByText("Devolvida").waitFor();
  });

  longTest(`after it the seller is asked, and refuses with a text, ${how}`, async () => {
    const { email, saleId, seller } = await bought("pergunta");
    await sql`update sales set completed_at = now() - interval '40 days' where id = ${saleId}`;
    const page = await enter(email);
    await page.getByText("Pedir o dinheiro de volta").click();
    await page.getByRole("button", { name: "Enviar o pedido" }).click();
    allowTroubles(/status of 400/);
    // The error is where the focus is, not below the receipt.
    await page.getByRole("alert").getByRole("link").waitFor();
    if (javaScript)
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest("details") !== null))
        .toBe(true);
    await page.getByLabel("Motivo").fill("As aulas não abriram no meu celular,\nem nenhum dia.");
    await page.getByRole("button", { name: "Enviar o pedido" }).click();
    await page.getByText(/A resposta vem até/).waitFor();
    await savePicture(page, shot("way-back-waiting"));
    if (javaScript) await expectNoAxe(page);

    const dashboard = await openPage({
      url: app.url,
      width,
      javaScript,
      dark,
      cookie: (await signedIn(seller)).Cookie,
    });
    await dashboard.goto("/dashboard");
    await dashboard.getByText("Comprador pede reembolso").waitFor();
    await dashboard.goto("/reports?tab=refunds&range=30d");
    await dashboard.getByText("Espera sua resposta").waitFor();
    await expectNoSidewaysScroll(dashboard);
    await savePicture(dashboard, shot("way-back-requests"));
    if (javaScript) await expectNoAxe(dashboard);
    await dashboard.getByRole("link", { name: /As aulas não abriram/ }).click();
    await dashboard
      .getByLabel("Ou recuse, com uma explicação")
      .fill("Respondemos no chat: já está funcionando.");
    await dashboard.getByLabel("Ou recuse, com uma explicação").scrollIntoViewIfNeeded();
    await savePicture(dashboard, shot("way-back-answer"));
    await expectNoSidewaysScroll(dashboard);
    await dashboard.getByRole("button", { name: "Recusar e responder" }).click();
    await dashboard.getByText("Resposta enviada ao comprador.").first().waitFor();

    await page.reload();
    await page.getByText("Respondemos no chat: já está funcionando.").waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("way-back-declined"));
    const plans = await sql`select kind from mails where recipient = ${email} and kind = 'refund-news'`;
    expect(plans).toHaveLength(2);
  });

  longTest(
    `after the provider's 90 days buyer and seller read that it is refunded by the bank, ${how}`,
    async () => {
      const { email, saleId, seller } = await bought("banco");
      await sql`update sales set completed_at = now() - interval '100 days' where id = ${saleId}`;
      await sql`update charges set paid_at = now() - interval '100 days' where sale_id = ${saleId}`;
      const page = await enter(email);
      await page.getByText("Pedir o dinheiro de volta").click();
      await page.getByLabel("Motivo").fill("As aulas não abriram no meu celular.");
      await page.getByRole("button", { name: "Enviar o pedido" }).click();
      await page.getByText(/A resposta vem até/).waitFor();
      const cookie = (await signedIn(seller)).Cookie;
      const dashboard = await openPage({ url: app.url, width, javaScript, dark, cookie });
      await dashboard.goto(`/reports/sales/${saleId}`);
      await dashboard.getByText(/Se aceitar, combine a chave PIX/).scrollIntoViewIfNeeded();
      await expectNoSidewaysScroll(dashboard);
      await savePicture(dashboard, shot("by-hand-answer"));
      await dashboard.getByRole("button", { name: "Aceitar e devolver pelo banco" }).click();
      // Nothing is answered by the first click.
      await dashboard.getByText("você aceitou e vai devolver pelo banco").waitFor();
      expect(
        await sql`select 1 from refund_requests where sale_id = ${saleId} and answer is not null`,
      ).toEqual([]);
      await dashboard.getByRole("button", { name: "Aceitar e devolver", exact: true }).click();
      await dashboard.getByText("Pedido aceito. Devolva pelo banco").first().waitFor();
      await dashboard.getByText("Devolva pelo banco", { exact: true }).waitFor();
      await savePicture(dashboard, shot("by-hand-desk"));
      if (javaScript) await expectNoAxe(dashboard);
      await page.reload();
      await page.getByText(/quem devolve é/).waitFor();
      await expectNoSidewaysScroll(page);
      await savePicture(page, shot("by-hand-buyer"));
      if (javaScript) await expectNoAxe(page);
    },
  );
}
