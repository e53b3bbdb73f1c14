import { beforeEach, describe, expect, test } from "vitest";
import { cardShop, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  typeCard,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { longTest, testInTurn } from "#tests/support/run/ways.ts";

let app: App;
let saleId: string;

beforeEach(async () => {
  app = await sharedApp();
  await app.sandbox.post("/mercadopago", { threeDs: "on_risk" });
  const { product } = await cardShop();
  saleId = await orderCard(product.id);
});

type Page = Awaited<ReturnType<typeof openPage>>;

const bank = (page: Page) => page.frameLocator("iframe[data-challenge]");
const heading = { name: "Confirme a compra no banco do cartão" };

/** Pays with a card that its bank challenges. */
async function payChallenged(page: Page): Promise<void> {
  await page.goto(`/checkout/cartao/${saleId}`);
  await page.locator("form[data-card][data-ready]").waitFor();
  await typeCard(page, "APRO");
  await page.getByRole("button", { name: "Pagar com cartão" }).click();
  await page.getByRole("heading", heading).waitFor();
  await bank(page).getByRole("button", { name: "Confirmar" }).waitFor();
}

async function cardsOf() {
  const charges =
    await sql`select status, decline_reason as reason from charges where sale_id = ${saleId} order by created_at`;
  return charges.map((charge) => ({ ...charge }));
}

describe.each([360, 1280])("with JavaScript, %i px wide", (width) => {
  const it = testInTurn(width === 360 ? 0 : 1);
  it("a buyer confirms in the bank's frame, and the page goes on by itself", async () => {
    const page = await openPage({ javaScript: true, width, url: app.url });
    await payChallenged(page);
    await expectNoSeriousAxe(page);
    await expectNoSidewaysScroll(page);
    await savePicture(page, `card-challenge-${width}`);
    // It survives a reload.
    await page.reload();
    await bank(page).getByRole("button", { name: "Confirmar" }).click();
    await page.waitForURL("**/thank-you/**");
    expect(await cardsOf()).toEqual([{ status: "paid", reason: null }]);
  });

  it("a buyer refuses in the bank's frame, reads that nothing was charged, and pays with another card", async () => {
    const page = await openPage({ javaScript: true, width, url: app.url });
    await payChallenged(page);
    await bank(page).getByRole("button", { name: "Recusar" }).click();
    await page.getByText("A confirmação no banco não foi concluída.").waitFor();
    await page.locator("form[data-card][data-ready]").waitFor();
    await savePicture(page, `card-challenge-refused-${width}`);
    await payChallenged(page);
    await bank(page).getByRole("button", { name: "Confirmar" }).click();
    await page.waitForURL("**/thank-you/**");
    expect(await cardsOf()).toEqual([
      { status: "declined", reason: "challenge-failed" },
      { status: "paid", reason: null },
    ]);
  });
});

longTest(
  "a card whose bank demands a challenge is sent once more by itself, and nothing is typed again",
  async () => {
    allowTroubles(/402/);
    await app.sandbox.post("/mercadopago", { threeDs: "demanded" });
    const page = await openPage({ javaScript: true, width: 360, url: app.url });
    await payChallenged(page);
    await bank(page).getByRole("button", { name: "Confirmar" }).click();
    await page.waitForURL("**/thank-you/**");
    expect(await cardsOf()).toEqual([
      { status: "declined", reason: "challenge-required" },
      { status: "paid", reason: null },
    ]);
  },
);

longTest(
  "a challenge that expires while its page is open gives way to the form, which offers PIX",
  async () => {
    const page = await openPage({ javaScript: true, width: 360, url: app.url });
    await payChallenged(page);
    const [charge] = await sql`select provider_id from charges where sale_id = ${saleId}`;
    await app.sandbox.expire(charge!.provider_id);
    await sql`update charges set next_check_at = now() where sale_id = ${saleId}`;
    await page.getByText("O prazo para confirmar a compra no banco acabou.").waitFor();
    await page.getByRole("button", { name: "Pagar com PIX" }).click();
    await page.waitForURL("**/checkout/pix/**");
  },
);

test("without JavaScript the bank's page works in its frame, and a button asks for the result", async () => {
  await sendCard(app, saleId);
  const page = await openPage({ javaScript: false, width: 360, url: app.url });
  await page.goto(`/checkout/pix/${saleId}`);
  await page.waitForURL("**/checkout/cartao/**");
  await expectNoSeriousAxe(page);
  await page.getByRole("button", { name: "Já confirmei no banco" }).click();
  await page.getByText("O banco ainda não recebeu a sua confirmação.").waitFor();
  await savePicture(page, "card-challenge-plain-360");
  await bank(page).getByRole("button", { name: "Confirmar" }).click();
  await bank(page).getByText("Pronto. Pode voltar à loja.").waitFor();
  await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
  await page.getByRole("button", { name: "Já confirmei no banco" }).click();
  await page.waitForURL("**/thank-you/**");
});
