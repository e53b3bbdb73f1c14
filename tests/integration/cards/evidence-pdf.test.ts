import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { resendDeliveries, resendDelivery } from "#app/domain/delivery/resend-delivery.server.ts";
import { makeEvidence } from "#app/domain/refund/evidence/make-evidence.server.ts";
import { readEvidence } from "#app/domain/refund/evidence/read-evidence.server.ts";
import { renderEvidence } from "#app/domain/refund/evidence/render-evidence.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { buyersOf, KINDS, mailbox } from "#tests/integration/deliveries/open-school.ts";
import { deliveriesOf, sendQueued } from "#tests/integration/deliveries/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { readPdf } from "#tests/support/files/pdfs.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
import { makeStore } from "#tests/support/rows/make-storefront.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ web: 0, worker: 0 });
const { sold } = buyersOf(app);

const at = (second: number) => new Date(Date.UTC(2026, 10, 26, 12, 0, second));
const attemptedAt = (second: number, result = "taken") => ({
  attemptedAt: at(second),
  attemptLog: [{ at: at(second).toISOString(), result, status: 200, ms: 12 }],
});

/** A paid sale, and one of the same buyer at another seller. */
async function twoSales(fields: Parameters<typeof makeSale>[1] = {}) {
  const [seller, stranger] = [await makeSeller(), await makeSeller({ name: "Outra Vendedora" })];
  const other = await makeSale(await makeProduct(stranger, { name: "Outro curso" }), { status: "completed" });
  await makeCharge(other, { status: "paid" });
  const product = await makeProduct(seller);
  const sale = await makeSale(product, {
    ...{ status: "completed", customerEmail: "bia@exemplo.com.br", ...fields },
  });
  return { seller, sale, other };
}

const linesOf = async (pdf: Uint8Array) =>
  (await readPdf(pdf)).text.split("\n").map((line) => line.replaceAll("\u00a0", " "));

const viewsOf = async (saleId: string) =>
  (await sql`select cause from sale_events where sale_id = ${saleId} and kind = 'viewed'`).length;

test("evidence is of the payment that counts, with what was sent to the buyer of this sale and nothing else", async () => {
  const { seller, sale, other } = await twoSales();
  await makeCharge(sale, { status: "failed" });
  await makeCharge(sale, { status: "paid", paidAt: at(1), overpaidAt: at(1) });
  const charge = await makeCharge(sale, { status: "paid", paidAt: at(2) });
  const sent = { status: "sent", sentAt: at(3) } as const;
  await writeMail(sale, sent);
  await writeMail(sale, { kind: "reminder" });
  await writeMail(sale, { ...sent, kind: "new-sale", recipient: seller.email });
  await writeMail(other, sent);
  const school = await makeMemberArea(seller, "cademi", { name: "Escola" });
  const webhook = await makeWebhook(seller, { name: "evidence" });
  const granted = { saleId: sale.id, status: "sent", event: "access.granted" } as const;
  const delivered = { ...granted, ...attemptedAt(4) };
  await makeDelivery(seller, school, delivered);
  await makeDelivery(seller, school, { ...granted, event: "access.revoked", ...attemptedAt(5) });
  await makeDelivery(seller, school, { ...granted, ...attemptedAt(6, "rejected"), status: "refused" });
  await makeDelivery(seller, school, { ...delivered, event: "sale.paid" });
  await makeDelivery(seller, school, { ...granted, status: "dropped" });
  await makeDelivery(seller, webhook, delivered);
  const strange = await makeMemberArea({ id: other.sellerId }, "cademi", { name: "Outra escola" });
  await makeDelivery({ id: other.sellerId }, strange, { ...delivered, saleId: other.id });
  const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
  await sql`insert into downloads (seller_id, sale_id, line_id, item_id, ticket, at)
    select ${seller.id}, ${sale.id}, ${line!.id}, gen_random_uuid(), 'evidence-' || n, ${at(6)}::timestamptz
    from generate_series(1, 101) n`;
  const evidence = await readEvidence(seller.id, sale.id);
  expect(evidence).toMatchObject({
    ...{ id: sale.id, sellerName: "Vera Vendedora", providerId: charge.providerId, paidAt: at(2) },
    mails: [{ kind: "purchase", recipient: "bia@exemplo.com.br", sentAt: at(3) }],
    memberAccess: [
      { at: at(4), name: "Escola", event: "access.granted" },
      { at: at(5), name: "Escola", event: "access.revoked" },
    ],
  });
  // The first ones prove the delivery.
  expect(evidence.downloads).toEqual(
    Array.from({ length: 100 }, () => ({ at: at(6), name: "Curso de Violão" })),
  );
});

test.each(KINDS)(
  "an access has the times at which %s accepted it, whatever is sent again, and a corrected e-mail ends none",
  async (kind) => {
    const { seller, area, saleId } = await sold(kind);
    const accessOf = async (event: "access.granted" | "access.revoked") =>
      (await readEvidence(seller.id, saleId)).memberAccess.filter((one) => one.event === event);
    await sendQueued(area, saleId);
    const opened = await accessOf("access.granted");
    expect(opened).toHaveLength(1);
    const [opening] = await deliveriesOf(area);
    await app.sandbox.fault({ service: kind, mode: "status-422" });
    await resendDelivery("members", seller.id, area, opening!.id);
    await sendQueued(area, saleId);
    expect((await deliveriesOf(area))[0]).toMatchObject({ status: "refused" });
    expect(await accessOf("access.granted")).toEqual(opened);

    await correctEmail(saleId, mailbox());
    await sendQueued(area, saleId);
    const moved = await accessOf("access.granted");
    expect([moved[0], moved.length]).toEqual([opened[0], 2]);
    expect((await deliveriesOf(area)).at(-1)).toMatchObject({ event: "access.revoked", status: "sent" });
    expect(await accessOf("access.revoked")).toEqual([]);

    const paid = { id: saleId, sellerId: seller.id, status: "completed" } as const;
    const disputed = { to: "disputed", disputeId: randomUUID(), suspends: true } as const;
    await db.transaction((tx) => moveSale(tx, paid, disputed, "provider"));
    await sendQueued(area, saleId);
    // MemberKit closes one class after the other.
    const closings = kind === "memberkit" ? 2 : 1;
    expect(await accessOf("access.revoked")).toHaveLength(closings);
    await resendDeliveries("members", seller.id, area, {
      from: new Date(Date.now() - HOUR),
      to: new Date(),
      all: true,
    });
    await sendQueued(area, saleId);
    expect(await accessOf("access.granted")).toEqual(moved);
    // It was closed once more, and the e-mail from before the correction was, too.
    expect(await accessOf("access.revoked")).toHaveLength(2 * closings);
  },
);

test("of what was not recorded the PDF says nothing", async () => {
  const { seller, sale } = await twoSales();
  await makeCharge(sale, { status: "paid", providerId: null });
  const lines = await linesOf(await makeEvidence(seller.id, sale.id));
  for (const [label, value] of [
    ["Vendido por", "Vera Vendedora"],
    ["Forma de pagamento", "PIX"],
    ["Nome", "Beatriz Compradora"],
    ["E-mail", "bia@exemplo.com.br"],
  ] as const)
    expect(lines[lines.indexOf(label) + 1], label).toBe(value);
  for (const absent of [
    ...["Endereço", "Contato", "Pagamento no provedor", "Devolvido antes", "Garantia prometida"],
    ...["E-mail corrigido em", "Telefone", "CPF ou CNPJ", "Endereço IP do aparelho", "Aparelho"],
    ...["E-mails enviados ao comprador", "Acesso em áreas de membros", "Downloads do comprador"],
  ])
    expect(lines).not.toContain(absent);
  expect(await viewsOf(sale.id)).toBe(0);
});

test("the PDF names all that was recorded", async () => {
  const { seller, sale } = await twoSales({
    ...{ customerPhone: "+5511987654321", customerDocumentSealed: seal("52998224725") },
    ...{ customerIp: "203.0.113.7", device: "phone", guaranteeDays: 7, refundedCents: 1000 },
    ...{ emailCorrectedAt: at(0), paymentMethod: "card" },
  });
  await makeStore(seller);
  await makeCharge(sale, {
    ...{ provider: "mercadopago", providerId: "MP-4711", method: "card", status: "paid", paidAt: at(1) },
    ...{ instalments: 12, buyerCents: 11020 },
  });
  await writeMail(sale, { status: "sent", sentAt: at(2), deliveredAt: at(3) });
  await writeMail(sale, { kind: "access", status: "sent", sentAt: at(4), bouncedAt: at(5) });
  await writeMail(sale, { kind: "refund", status: "sent", sentAt: at(6) });
  const school = await makeMemberArea(seller, "cademi", { name: "Escola" });
  for (const [event, second] of [
    ["access.granted", 7],
    ["access.revoked", 8],
  ] as const)
    await makeDelivery(seller, school, { saleId: sale.id, status: "sent", event, ...attemptedAt(second) });
  const text = (await linesOf(await makeEvidence(seller.id, sale.id))).join(" ");
  for (const recorded of [
    "Vendido por Ateliê da Vera Cursos Ltda., CNPJ 11.222.333/0001-81",
    "Endereço Rua das Flores, 10",
    "Contato atelie@exemplo.com.br",
    "Pagamento confirmado em 26/11/2026 09:00:01",
    "Cartão de crédito em 12x (total R$ 110,20)",
    "Mercado Pago, MP-4711",
    "Devolvido antes R$ 10,00",
    "Garantia prometida 7 dias",
    "E-mail corrigido em 26/11/2026 09:00:00",
    "Telefone (11) 98765-4321",
    "CPF ou CNPJ 529.982.247-25",
    "203.0.113.7",
    "Aparelho Celular",
    "E-mail da compra para bia@exemplo.com.br: enviado, entregue em 26/11/2026 09:00:03",
    "Acesso enviado de novo para bia@exemplo.com.br: enviado, devolvido em 26/11/2026 09:00:05",
    "26/11/2026 09:00:06 E-mail do reembolso para bia@exemplo.com.br: enviado Acesso em áreas",
    "26/11/2026 09:00:07 Acesso aberto em Escola",
    "26/11/2026 09:00:08 Acesso encerrado em Escola",
  ])
    expect(text).toContain(recorded);
  expect(await viewsOf(sale.id)).toBe(1);
  // What the bank took back is not what was given back before.
  const evidence = await readEvidence(seller.id, sale.id);
  const taken = await renderEvidence({ ...evidence, status: "chargedback", refundedCents: 9700 });
  expect(await linesOf(taken)).not.toContain("Devolvido antes");
});

test("a document that can no longer be decrypted is left out, and is not counted as viewed", async () => {
  const { seller, sale } = await twoSales({ customerDocumentSealed: "ilegível" });
  await makeCharge(sale, { status: "paid" });
  expect(await linesOf(await makeEvidence(seller.id, sale.id))).not.toContain("CPF ou CNPJ");
  expect(await viewsOf(sale.id)).toBe(0);
});
