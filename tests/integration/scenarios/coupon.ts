import { BOUGHT, PAYMENT } from "#tests/integration/scenarios/paid.ts";
import { type Cell, type Scenario, views } from "#tests/integration/scenarios/scenario.ts";
import { WAITING } from "#tests/integration/scenarios/unpaid.ts";
import type { View } from "#tests/integration/scenarios/views.ts";

/** What people read of an order of R$ 58,75 with a coupon of 20 %: the rows add up to what is paid. */
const ROWS = "Curso de Violão R$ 58,75 Cupom VOLTA20 − R$ 11,75";

/** The lines of programs, as without a coupon and with what each format has for it. */
function withCoupon(
  base: Record<View, Cell>,
): Pick<typeof base, "webhook" | "Kiwify webhook" | "Hotmart webhook" | "pixels"> {
  const add = (view: View, to: (line: string) => string): Cell => {
    const cell = base[view];
    return "lines" in cell ? { lines: cell.lines.map(to) } : cell;
  };
  return {
    webhook: add("webhook", (line) => `${line} coupon VOLTA20 1175`),
    "Kiwify webhook": add("Kiwify webhook", (line) => `${line} coupon VOLTA20 of 5875`),
    "Hotmart webhook": add("Hotmart webhook", (line) => `${line} coupon VOLTA20 of 5875`),
    pixels: add("pixels", (line) => (line.startsWith("ga4") ? `${line} coupon VOLTA20` : line)),
  };
}

const SELLER_READS = {
  "sale details": { shows: [`${ROWS} Valor R$ 47,00`] },
  "sale API": { shows: ['"coupon":{"code":"VOLTA20","discount":11.75}', '"price":47,"discount":11.75'] },
  CSV: { shows: [/;VOLTA20;11,75;;1$/] },
} satisfies Partial<Record<View, Cell>>;

export const COUPON: Record<string, Scenario> = {
  "waiting, with a coupon": {
    hasCoupon: true,
    play: async () => {},
    status: "pending",
    money: { received: 0, refunded: 0, fee: null },
    views: views(WAITING, {
      ...withCoupon(WAITING),
      ...SELLER_READS,
      "PIX screen": { shows: [`${ROWS} Total R$ 47,00`, "Copiar código"] },
      "thank-you page": { shows: [ROWS, "Valor R$ 47,00", "Ver o código PIX"], hides: ["Aprovado"] },
      "mails to buyer": { shows: [`${ROWS} Total R$ 47,00`], hides: ["aprovada"] },
      "sales list": { shows: ["Com e sem cupom VOLTA20", "R$ 47,00"], hides: ["R$ 58,75"] },
    }),
  },
  "bought with a coupon": {
    hasCoupon: true,
    play: ({ pay }) => pay(),
    status: "completed",
    money: PAYMENT,
    views: views(BOUGHT, {
      ...withCoupon(BOUGHT),
      ...SELLER_READS,
      "thank-you page": { shows: [ROWS, "Valor R$ 47,00", "Aprovado"] },
      receipt: { shows: [`${ROWS} Total pago R$ 47,00`] },
      "buyer portal": { shows: ["R$ 47,00", "Cupom VOLTA20"], hides: ["R$ 58,75"] },
      "mails to buyer": {
        shows: [/aprovada.*Curso de Violão R\$ 58,75 Cupom VOLTA20 − R\$ 11,75 Total R\$ 47,00/],
      },
      "mails to seller": { shows: ["[Nova venda: R$ 47,00 (Curso de Violão)]", `${ROWS} Total R$ 47,00`] },
      "sales list": {
        shows: ["Por cupom", /VOLTA20\s*1\s*vendas?.*R\$ 11,75.*R\$ 47,00/],
        hides: ["R$ 58,75"],
      },
    }),
  },
};
