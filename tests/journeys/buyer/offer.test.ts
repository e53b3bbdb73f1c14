import { beforeEach, describe, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeOffer, makeProduct, makeSeller } from "#tests/support/make.ts";
import { testInTurn } from "#tests/support/run/ways.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;
/** Counts the shops: each test has its own, at its own addresses. */
let shop = 0;
const path = () => `/checkout/s/lotes-${shop}`;

beforeEach(async () => {
  shop++;
  const seller = await makeSeller();
  await makeGateway(seller);
  product = await makeProduct(seller, { checkoutSlug: `lotes-${shop}` });
  await makeBump(product);
  app = await sharedApp();
});

const sales = async () => [
  ...(await sql<{ amount: number; offer: string | null; quantity: number }[]>`
    select amount_cents as amount, offer_name as offer, quantity from sales
    where product_id = ${product.id} order by created_at`),
];

describe.each([{ javaScript: true }, { javaScript: false }])("at 360 px, $javaScript", ({ javaScript }) => {
  const it = testInTurn(javaScript ? 0 : 1);

  it("an offer of several units is found on the product's page, and its total is what is charged", async () => {
    await makeOffer(product, { kind: "listed", name: "Pacote para a turma", maxQuantity: 9 });
    const page = await openPage({ url: app.url, width: 360, javaScript });
    await page.goto(path());
    await page.getByRole("link", { name: "Pacote para a turma" }).click();
    await page.getByLabel("Quantidade").fill("3");
    if (javaScript) {
      await page.reload();
      await expect.poll(() => page.getByLabel("Quantidade").inputValue()).toBe("3");
    }
    await fillCheckout(page, { email: "ana@gmail.com" });
    if (javaScript)
      await expect.poll(() => page.locator(".total [data-total]").textContent()).toBe("R$ 141,00");
    await expectNoSeriousAxe(page);
    await savePicture(page, `offer-360-${javaScript ? "script" : "plain"}`);
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.getByLabel("Código PIX copia e cola").waitFor();
    await page.getByText("R$ 141,00").first().waitFor();
    expect(await sales()).toEqual([{ amount: 14_100, offer: "Pacote para a turma", quantity: 3 }]);
  });

  it("what is free says nothing of payments, until an order bump is chosen that costs something", async () => {
    await sql`update products set price_cents = 0 where id = ${product.id}`;
    const page = await openPage({ url: app.url, width: 360, javaScript });
    await page.goto(path());
    const ofPayment = page.getByText(/Pagamento (por|via) PIX|Peça seu dinheiro de volta/);
    const shown = () => ofPayment.filter({ visible: true }).count();
    expect(await shown()).toBe(0);
    await page.getByRole("checkbox").first().check();
    expect(await shown()).toBe(3);
  });

  it("the last place of a tier is one of two buyers'; the other sees both prices and goes on", async () => {
    allowTroubles(/status of 409/);
    await makeOffer(product, { kind: "tier", name: "Lote 1", maxUnits: 1, originalPriceCents: 9700 });
    const pages = await Promise.all([1, 2].map(() => openPage({ url: app.url, width: 360, javaScript })));
    for (const [at, page] of pages.entries()) {
      await page.goto(path());
      await page.getByText("Lote 1: resta 1 unidade").first().waitFor();
      await fillCheckout(page, { email: `buyer${at}@gmail.com` });
    }
    await Promise.all(pages.map((page) => page.getByRole("button", { name: "Comprar Agora" }).click()));
    const outcomes = await Promise.all(
      pages.map((page) =>
        page
          .getByText("agora o total é R$ 97,00 (antes, R$ 47,00)")
          .or(page.getByLabel("Código PIX copia e cola"))
          .first()
          .waitFor()
          .then(() => page.getByText("agora o total é").count()),
      ),
    );
    expect(outcomes.toSorted()).toEqual([0, 1]);
    const late = pages[outcomes.indexOf(1)]!;
    await late.getByText('As vagas da oferta "Lote 1" acabaram. O preço mudou').first().waitFor();
    expect(await late.getByLabel("Nome completo").inputValue()).toBe("Ana Lima");
    await savePicture(late, `offer-late-360-${javaScript ? "script" : "plain"}`);
    await late.getByRole("button", { name: "Comprar Agora" }).click();
    await late.getByLabel("Código PIX copia e cola").waitFor();
    expect((await sales()).map(({ amount, offer }) => [amount, offer])).toEqual([
      [4700, "Lote 1"],
      [9700, null],
    ]);
  });
});
