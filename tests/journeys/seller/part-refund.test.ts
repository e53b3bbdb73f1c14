import { beforeAll, expect, test } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { secondRig } from "#tests/integration/providers/rigs.ts";
import { secondBank, secondBankUrl } from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import { buyAt, look, openShopAt } from "#tests/integration/providers/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  keepPicture,
  openPage,
} from "#tests/support/clients/browser.ts";
import { signedIn } from "#tests/support/make.ts";
import { oneWay } from "#tests/support/run/ways.ts";

let app: App;
const rig = secondRig();

// The one provider that gives back parts is the tests' own: it is registered here and in the app.
beforeAll(async () => {
  providers[secondProvider.name] = secondProvider;
  const hook = new URL("../../integration/providers/second-provider-in-app.ts", import.meta.url);
  app = await startApp({
    worker: 0,
    env: { NODE_OPTIONS: `--import=${hook}`, SECOND_BANK_URL: await secondBankUrl() },
  });
});

for (const { width, javaScript } of oneWay(false)) {
  test(`a part is given back on a sale's details, then the rest (${width}, script ${javaScript})`, async () => {
    const { seller, product } = await openShopAt(rig);
    const { saleId, chargeId, providerId } = await buyAt(product.id);
    await rig.pay(providerId);
    await look(chargeId);
    const { Cookie: cookie } = await signedIn(seller);
    const page = await openPage({ url: app.url, cookie, width, javaScript });
    const shown = (name: string, amount: string) =>
      page.getByRole("listitem").filter({ hasText: name }).filter({ hasText: amount }).first().waitFor();
    const giveBack = async (amount: string) => {
      await page.getByRole("button", { name: "Reembolsar uma parte" }).click();
      const dialog = page.getByRole("dialog", { name: "Reembolsar uma parte?" });
      await dialog.getByLabel("Valor a devolver").fill(amount);
      await dialog.getByRole("button", { name: "Reembolsar esta parte" }).click();
    };
    const done = async () => {
      await page
        .getByRole("status")
        .filter({ hasText: /Reembolso (de .*)?aceito/ })
        .first()
        .waitFor();
      await page.getByText("Reembolso aceito", { exact: true }).waitFor();
      await look(chargeId);
      await page.goto(`/reports/sales/${saleId}`);
    };

    await page.goto(`/reports/sales/${saleId}`);
    await shown("Líquido", "96,01");
    await giveBack("19,90");
    await done();
    await page.getByText("Reembolsado em parte").waitFor();
    await shown("Devolvido", "19,90");
    await shown("Líquido", "76,11");
    await page.getByText("Reembolsar R$ 77,10", { exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await keepPicture(page, `part-refund-${width}`);

    // What is left ends the sale: that is asked once more, where the page has come back.
    await giveBack("77,10");
    await page.getByText("Falta a sua confirmação. Nada foi pedido ao provedor.").waitFor();
    expect(secondBank.get(providerId)).toMatchObject({ refundedCents: 1990, state: "paid" });
    await expectNoSeriousAxe(page);
    await page.getByRole("checkbox", { name: /Sim, devolver/ }).check();
    await page.getByRole("button", { name: "Reembolsar", exact: true }).click();
    await done();
    await page.getByText("Reembolsado", { exact: true }).first().waitFor();
    await shown("Devolvido", "97,00");
    expect(await page.getByRole("button", { name: "Reembolsar uma parte" }).count()).toBe(0);
    expect(secondBank.get(providerId)).toMatchObject({ refundedCents: 9700, state: "refunded" });
  });
}
