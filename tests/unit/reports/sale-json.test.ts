import { expect, test } from "vitest";
import { describeMailProblem } from "#app/domain/reports/describe-mail-problem.ts";
import type { ListedSale } from "#app/domain/reports/list-sales.server.ts";
import { toMailLogJson, toSaleJson } from "#app/domain/reports/sale-json.ts";

const AT = new Date("2026-11-21T15:00:00Z");

/** A sale whose payment is not known yet; `fields` replaces some. */
const listed = (fields: Partial<ListedSale>) =>
  ({
    id: "3b241101-e2bb-4255-8caf-4136c566a962",
    amountCents: 9700,
    receivedCents: 0,
    refundedCents: 0,
    feeCents: null,
    netCents: null,
    offerId: null,
    offerName: null,
    couponCode: null,
    discountCents: 0,
    payments: [],
    createdAt: AT,
    ...fields,
  }) as Partial<ListedSale> as ListedSale;

test("a sale without payment, offer and coupon has neither fee nor net, and says null for each", () => {
  expect(toSaleJson(listed({}))).toMatchObject({
    amount: 97,
    received_amount: 0,
    fee_amount: null,
    net_amount: null,
    offer: null,
    coupon: null,
    payments: [],
  });
});

test("a sale's fee and net are in reais, one of nothing too; its offer and its coupon are named", () => {
  const sale = listed({
    ...{ receivedCents: 9700, feeCents: 0, netCents: 9665 },
    ...{ offerId: "o", offerName: "Turma", couponCode: "MENOS10", discountCents: 970 },
  });
  expect(toSaleJson(sale)).toMatchObject({
    fee_amount: 0,
    net_amount: 96.65,
    offer: { id: "o", name: "Turma" },
    coupon: { code: "MENOS10", discount: 9.7 },
  });
});

test("a payment by card says what its buyer pays in all, one by PIX says null; an unknown fee is null", () => {
  const pix = {
    ...({ chargeId: "c", kind: "counts", card: null, refund: "none", lastRefund: null } as const),
    ...{ receivedCents: 9700, refundedCents: 0, feeCents: null, netCents: 9700 },
    ...{ paidAt: AT, refundedAt: null, isRefundRecorded: false },
  };
  const card = { ...pix, card: { instalments: 3, buyerCents: 10_150 }, feeCents: 485, refundedAt: AT };
  expect(toSaleJson(listed({ payments: [pix, card] })).payments).toMatchObject([
    { instalments: null, buyer_paid: null, fee: null, net: 97, refunded_at: null },
    { instalments: 3, buyer_paid: 101.5, fee: 4.85, refunded_at: "2026-11-21T15:00:00.000Z" },
  ]);
});

test("the first attempt of a mail is no retry", () => {
  const mail = (attempts: number) => ({
    ...({ id: "m", recipient: "bia@exemplo.com.br", status: "sent", attempts, error: null } as const),
    ...{ templateFailedAt: null, createdAt: AT, sentAt: AT },
  });
  const sale = { saleId: "s", customerName: "Bia", productName: "Curso", amountCents: 9700 };
  expect([1, 3].map((attempts) => toMailLogJson(mail(attempts), sale).retry_count)).toEqual([0, 2]);
});

const OWN_TEMPLATE = "Foi com o nosso modelo: o seu não pôde ser montado.";

test.each([
  [null, null, null],
  ["o Resend não conseguiu enviar", null, "O Resend não conseguiu enviar."],
  [null, AT, OWN_TEMPLATE],
  ["o Resend não conseguiu enviar", AT, `O Resend não conseguiu enviar. · ${OWN_TEMPLATE}`],
])(
  "a mail's problem is its error (%s), its template's failure (%s), both or none: %s",
  (error, templateFailedAt, text) => {
    expect(describeMailProblem({ error, templateFailedAt })).toBe(text);
  },
);
