import { expect, test } from "vitest";
import { sealBuyer } from "#app/domain/checkout/link/buyer-token.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { oneScript } from "#tests/support/run/ways.ts";

test.each(oneScript(false))(
  "a CRM's link fills in the form and leaves nothing in the address; a late one says so, script: %s",
  async (javaScript) => {
    const app = await sharedApp();
    const seller = await makeSeller();
    await makeGateway(seller);
    const product = await makeProduct(seller, { checkoutSlug: null });
    const buyer = {
      name: "Ana Lima",
      email: "ana@exemplo.com.br",
      phone: "+5511987654321",
      document: "52998224725",
    };
    const page = await openPage({ url: app.url, javaScript, width: 360 });
    const open = (expiresAt: number) =>
      page.goto(`/checkout/${product.id}?utm_source=crm&p=${sealBuyer(product, buyer, new Date(expiresAt))}`);
    await open(Date.now() - 1);
    await page.getByText("Este link já não preenche os seus dados.").waitFor();
    expect(await page.getByLabel("Nome completo").inputValue()).toBe("");
    await expectNoSidewaysScroll(page);
    await savePicture(page, `crm-link-late-360-${javaScript ? "js" : "plain"}`);
    await expectNoSeriousAxe(page);
    await open(Date.now() + HOUR);
    expect(new URL(page.url()).search).toBe("?utm_source=crm&retry=1");
    await expect.poll(() => page.getByLabel("CPF").inputValue()).toMatch(/^529\.?982\.?247-?25$/);
    expect(await page.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
    await savePicture(page, `crm-link-360-${javaScript ? "js" : "plain"}`);
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL(/\/checkout\/pix\//);
  },
);
