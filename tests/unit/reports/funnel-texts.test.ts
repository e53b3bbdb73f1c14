import { expect, test } from "vitest";
import { filteredOrders, paidOrdersMeaning } from "#app/routes/seller/reports/funnel/texts.ts";

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
    expect(meaning).toContain(filteredOrders(filter).replace("Pedidos", ""));
  },
);
