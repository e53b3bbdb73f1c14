import { expect, test } from "vitest";
import { paidOrdersMeaning, stepsText } from "#app/routes/seller/reports/funnel/texts.ts";

test.each([
  { couponId: "c", offerId: null, meaning: "Dos pedidos feitos com este cupom, quantos foram pagos." },
  { couponId: null, offerId: "o", meaning: "Dos pedidos feitos por esta oferta, quantos foram pagos." },
  {
    ...{ couponId: "c", offerId: "o" },
    meaning: "Dos pedidos feitos com este cupom e por esta oferta, quantos foram pagos.",
  },
])(
  "of a funnel without visits the figure names what it is filtered by: $meaning",
  ({ meaning, ...filter }) => {
    expect(paidOrdersMeaning(filter)).toBe(meaning);
    const orders = meaning.replace("Dos pedidos feitos", "Pedidos").replace(", quantos foram pagos.", "");
    const shown = { hasViews: false, hasOrders: true, days: 30 };
    expect(stepsText({ ...filter, ...shown })).toBe(`${orders} dos últimos 30 dias.`);
  },
);
