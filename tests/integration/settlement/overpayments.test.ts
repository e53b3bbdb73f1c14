import { expect, test } from "vitest";
import type { ProviderTransaction } from "#app/domain/gateway/providers/port.ts";
import { saveRefundsOverpayments } from "#app/domain/refund/refunds-overpayments.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";

const CARD = { method: "card", instalments: 1, provider: "mercadopago" } as const;
type SaleFields = NonNullable<Parameters<typeof makeSale>[1]>;

/** A sale in a state, whose first payment was booked. */
async function paidSale(fields: SaleFields, { isRefunding = false } = {}) {
  const seller = await makeSeller();
  await saveRefundsOverpayments(seller.id, isRefunding);
  const sale = await makeSale(await makeProduct(seller), fields);
  await makeCharge(sale, { status: "paid" });
  return sale;
}

/** Settles a second payment of a sale, and reads the texts of its mails and its refunds. */
async function payAgain(
  sale: Awaited<ReturnType<typeof paidSale>>,
  fields: Parameters<typeof makeCharge>[1],
  state: ProviderTransaction["state"],
) {
  const charge = await makeCharge(sale, fields);
  await settleCharge(charge.id, {
    ...{ providerId: charge.providerId ?? `ORD${crypto.randomUUID()}`, state, providerStatus: state },
    ...{ amountCents: charge.amountCents, feeCents: null, refundedCents: null, webhookUrl: null },
  });
  await renderMails();
  const rows = await sql`select kind, body_sealed from ${mailsWithTexts()}
    where sale_id = ${sale.id} and kind in ('payment-news', 'surplus') order by kind`;
  const [buyer, seller] = opened(rows).map(({ payload }) => payload.html as string);
  const refunds = await sql`select status, origin from refunds where charge_id = ${charge.id}`;
  return { buyer, seller, refunds: [...refunds] };
}

test("an overpayment that is disputed is not refunded automatically, and no mail asks for a refund", async () => {
  const sale = await paidSale({ status: "completed" }, { isRefunding: true });
  const lost = { ...CARD, status: "unknown", providerId: null } as const;
  const { buyer, seller, refunds } = await payAgain(sale, lost, "disputed");
  expect(refunds).toEqual([]);
  expect(buyer).toContain("é o banco que decide se o valor volta");
  expect(buyer).not.toContain("deve devolver");
  expect(seller).toContain("Espere a decisão do banco");
  expect(seller).not.toContain("Devolver o pagamento");
});

test("an overpayment that is paid is refunded automatically where its seller chose so", async () => {
  const sale = await paidSale({ status: "completed" }, { isRefunding: true });
  const { buyer, seller, refunds } = await payAgain(sale, { status: "expired" }, "paid");
  expect(refunds).toEqual([{ status: "pending", origin: "automatic" }]);
  expect(buyer).toContain("Só o primeiro pagamento vale pela compra");
  expect(seller).toContain("A venda conta uma vez só");
});

test.each(["refunded", "chargedback"] as const)(
  "a payment that comes after the first one was %s is not said to leave that one valid",
  async (status) => {
    const sale = await paidSale({ status });
    const { buyer, seller } = await payAgain(sale, { status: "expired" }, "paid");
    expect(buyer).toContain("cujo pagamento já tinha sido devolvido. A compra continua encerrada.");
    expect(buyer).not.toContain("Só o primeiro pagamento vale");
    expect(seller).toContain("A venda continua encerrada; este valor deve ser devolvido.");
    expect(seller).not.toContain("pagou duas vezes");
  },
);
