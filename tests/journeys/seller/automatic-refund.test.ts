import { beforeAll, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

longTest(
  "a seller switches automatic refunds on without a script; a second payment goes back, and both read it",
  async () => {
    const seller = await makeSeller({ name: "Vera Vendedora" });
    await makeGateway(seller);
    const product = await makeProduct(seller, { name: "Curso de Violão" });
    const cookie = (await signedIn(seller)).Cookie;
    const settings = await openPage({ url: app.url, cookie, width: 360, javaScript: false });
    await settings.goto("/settings?tab=gateways");
    await settings.getByRole("button", { name: "Devolver automaticamente" }).click();
    await settings.getByText("Os próximos pagamentos em dobro são devolvidos automaticamente.").waitFor();
    await settings.getByText("O segundo pagamento é devolvido automaticamente, em minutos.").waitFor();
    await expectNoSidewaysScroll(settings);
    await savePicture(settings, "gateways-overpayments-360");

    const buyer = await openPage({ url: app.url, width: 360 });
    await buyer.goto(`/checkout/${product.id}`);
    await fillCheckout(buyer, { email: `ana${crypto.randomUUID().slice(0, 6)}@gmail.com` });
    await buyer.getByRole("button", { name: "Comprar Agora" }).click();
    await buyer.waitForURL("**/checkout/pix/**");
    const saleId = buyer.url().split("/").at(-1)!;
    // The first code runs out on the page, and the buyer gets another one; somebody pays both.
    await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId}`;
    await buyer.reload();
    await buyer.getByRole("button", { name: /Gerar/ }).click();
    const codes = await until(async () => {
      const found =
        await sql`select provider_id from charges where sale_id = ${saleId} and provider_id is not null`;
      return found.length === 2 ? [...found] : null;
    });
    // As a minute after the first code was checked for the second one.
    await app.sandbox.advance(61);
    await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
    for (const { provider_id } of codes) await app.sandbox.pay(provider_id);
    await until(async () => {
      const [refund] = await sql`select r.accepted_at from refunds r join charges c on c.id = r.charge_id
      where c.sale_id = ${saleId} and r.origin = 'automatic'`;
      return refund?.accepted_at;
    });
    await buyer.goto(`/thank-you/${saleId}`);
    await buyer
      .getByText(/Recebemos um pagamento em dobro.*(aceitou devolvê-lo|Ele foi devolvido)/)
      .waitFor();
    await savePicture(buyer, "thank-you-second-payment-360");
    for (const width of WIDTHS) {
      const page = await openPage({ url: app.url, cookie, width });
      await page.goto(`/reports/sales/${saleId}`);
      await page
        .getByText(/Devolução automática de R\$\s97,00: você escolheu assim em Configurações/)
        .waitFor();
      expect(await page.getByText("Devolva o pagamento em dobro").count()).toBe(0);
      await expectNoSeriousAxe(page);
      await expectNoSidewaysScroll(page);
      await savePicture(page, `sale-second-payment-${width}`);
    }
  },
);
