import { expect, test } from "vitest";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { cardShop, cardStateOf, cardToken, orderCard } from "#tests/integration/cards/support.ts";
import { HELD_UP, heldUp } from "#tests/integration/gateways/held-up.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 0, worker: 0 });
const sentCards = async () => (await app.sandbox.calls()).mercadopago.create;

test.each(HELD_UP)(
  "a card whose process %s after its claim is not charged, and can be sent again",
  async (_, clock) => {
    const { product } = await cardShop();
    const saleId = await orderCard(product.id);
    const pay = async () => {
      const token = await cardToken(app);
      const holder = { holderName: "APRO Souza", document: "12345678909", deviceId: null };
      return payByCard(saleId, { token, brand: "visa", instalments: 1, ...holder });
    };
    const before = await sentCards();
    const held = heldUp(clock, (tx) => tx`select from sales where id = ${saleId} for no key update`, pay);
    await expect(held).rejects.toMatchObject({ kind: "unavailable" });
    expect(await sentCards()).toBe(before);
    expect((await cardStateOf(saleId)).charges).toMatchObject([{ status: "failed" }]);
    await pay();
    expect(await cardStateOf(saleId)).toMatchObject({ status: "completed" });
  },
);
