import { beforeAll, expect } from "vitest";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { secondRig } from "#tests/integration/providers/rigs.ts";
import { secondBank, secondBankUrl } from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import { buyAt, checkAgain, openShopAt } from "#tests/integration/providers/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { signedIn } from "#tests/support/make.ts";
import { setForFile } from "#tests/support/run/after-file.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";

let app: App;
const rig = secondRig();

// The one provider with partial refunds is the tests' own: it is registered here and in the app.
beforeAll(async () => {
  setForFile(providers, secondProvider.name, secondProvider);
  const hook = new URL("../../integration/providers/second-provider-in-app.ts", import.meta.url);
  app = await startApp({
    worker: 0,
    env: { NODE_OPTIONS: `--import=${hook}`, SECOND_BANK_URL: await secondBankUrl() },
  });
});

for (const { width, javaScript } of oneWay(false)) {
  longTest(
    `a part is refunded on a sale's details, then the rest (${width}, script ${javaScript})`,
    async () => {
      const { seller, product } = await openShopAt(rig);
      const { saleId, chargeId, providerId } = await buyAt(product.id);
      await rig.pay(providerId);
      await checkAgain(chargeId);
      const { Cookie: cookie } = await signedIn(seller);
      const page = await openPage({ url: app.url, cookie, width, javaScript });
      const view = (name: string, amount: string) =>
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
        await checkAgain(chargeId);
        await page.goto(`/reports/sales/${saleId}`);
      };

      await page.goto(`/reports/sales/${saleId}`);
      await view("Líquido", "96,01");
      await giveBack("19,90");
      await done();
      await page.getByText("Reembolsado em parte").waitFor();
      await view("Devolvido", "19,90");
      await view("Líquido", "76,11");
      await page.getByText("Reembolsar R$ 77,10", { exact: true }).waitFor();
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      await savePicture(page, `part-refund-${width}`);

      // Refunding the rest ends the sale: that needs a second confirmation, on the returned page.
      await giveBack("77,10");
      await page.getByText("Falta a sua confirmação. Nada foi pedido ao provedor.").waitFor();
      expect(secondBank.get(providerId)).toMatchObject({ refundedCents: 1990, state: "paid" });
      await expectNoSeriousAxe(page);
      await page.getByRole("checkbox", { name: /Sim, devolver/ }).check();
      await page.getByRole("button", { name: "Reembolsar", exact: true }).click();
      await done();
      await page.getByText("Reembolsado", { exact: true }).first().waitFor();
      await view("Devolvido", "97,00");
      expect(await page.getByRole("button", { name: "Reembolsar uma parte" }).count()).toBe(0);
      expect(secondBank.get(providerId)).toMatchObject({ refundedCents: 9700, state: "refunded" });
    },
  );
}
