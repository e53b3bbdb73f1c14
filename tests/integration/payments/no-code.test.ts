import { expect, test } from "vitest";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeSale } from "#tests/support/make.ts";

const app = await startApp({ web: 1, worker: 0 });

const pixPage = async (saleId: string, intent?: string) => {
  const answer = await app.fetch(`/checkout/pix/${saleId}`, {
    headers: { "X-Forwarded-For": newAddress(), Origin: app.url },
    ...(intent ? { method: "POST", body: new URLSearchParams({ intent }) } : {}),
  });
  return answer.text();
};

const PAID_BUTTON = "Já paguei - Verificar status";

test.each(["reset", "status-503", "status-422"] as const)(
  "where no code was ever created (%s), nobody is asked whether they paid it",
  async (mode) => {
    const { product } = await openShop();
    const { saleId } = await placeSale(order(product.id));
    await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode, body: { message: "Não." } });
    await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
    const page = await pixPage(saleId);
    expect(page).toContain("Não foi possível gerar o PIX");
    expect(page).toContain("Nada foi cobrado.");
    expect(page).not.toContain(PAID_BUTTON);
    expect(page).not.toContain("Se você já pagou");
    // An older page still has the button.
    const answer = await pixPage(saleId, "check");
    expect(answer).toContain("Nenhum código PIX chegou a ser gerado para este pedido: nada foi cobrado.");
    expect(answer).not.toContain("ainda está pendente");
  },
);

test("who asks while the code is being made reads that it is, not that there is none", async () => {
  const sale = await makeSale((await openShop()).product);
  await makeCharge(sale, { status: "creating", pixCode: null });
  const answer = await pixPage(sale.id, "check");
  expect(answer).toContain("Estamos gerando o seu PIX");
  expect(answer).toContain("O código ainda está sendo gerado: ele aparece aqui em alguns segundos.");
  expect(answer).not.toContain("Nenhum código PIX");
});

test("an order whose code was never requested does not call it expired", async () => {
  const { product } = await openShop();
  const { saleId } = await placeSale(order(product.id));
  await sql`delete from charges where sale_id = ${saleId}`;
  const page = await pixPage(saleId);
  expect(page).not.toContain("expirou");
  expect(page).not.toContain(PAID_BUTTON);
});

test("after a code existed the question is asked, also where the next one cannot be created", async () => {
  const { product } = await openShop();
  const { saleId } = await placeSale(order(product.id));
  await startPix(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId}`;
  await app.sandbox.fault({ service: "pushinpay", route: "cashIn", mode: "reset" });
  await expect(startPix(saleId)).rejects.toMatchObject({ kind: "unavailable" });
  const page = await pixPage(saleId);
  expect(page).toContain(PAID_BUTTON);
  expect(page).not.toContain("Nada foi cobrado");
});
