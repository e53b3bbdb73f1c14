import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findAccessMails, findSaleMails } from "#app/domain/access/find-buyer-mails.server.ts";
import { listAcceptedUpsells } from "#app/domain/access/list-accepted-upsells.server.ts";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { findPurchaseReceipt, listPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import { UNCERTAIN_TEXT } from "#app/domain/mail/queue/fail-mails.server.ts";
import { OBSOLETE_TEXTS } from "#app/domain/mail/queue/obsolete-mails.server.ts";
import { declineUpsells } from "#app/domain/upsell/decline-upsells.server.ts";
import * as purchases from "#app/routes/buyer/purchases/purchases.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { NOTHING_TO_OPEN } from "#app/ui/buyer/bought-items.tsx";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeCharge, makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail, markSent } from "#tests/support/rows/make-mail.ts";
import { makeCheckoutSettings, makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

async function sold(fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller({ company: `Loja ${randomUUID()}` });
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  return { seller, product, sale, recipient: sale.customerEmail };
}

/** A mail that was queued so many minutes from now: later ones are newer. @returns its id */
async function mailAt(minutes: number, fields: Parameters<typeof makeMail>[0]): Promise<string> {
  const id = await makeMail(fields);
  await sql`update mails set created_at = now() + make_interval(mins => ${minutes}) where id = ${id}`;
  return id;
}

test("a purchase's access mail is the newest one to its current e-mail", async () => {
  const { product, sale, recipient } = await sold();
  const another = await makeSale(product, { status: "completed", customerEmail: recipient });
  const saleId = sale.id;
  await mailAt(1, { recipient, saleId });
  const newest = await mailAt(2, { kind: "access", recipient, saleId });
  await mailAt(3, { kind: "refund", recipient, saleId });
  await mailAt(4, { kind: "access", recipient: mailbox(), saleId });
  await mailAt(5, { recipient, saleId: another.id });
  const found = [...(await findAccessMails([saleId], recipient))];
  expect(found.map(([id, mail]) => [id, mail.id])).toEqual([[saleId, newest]]);
});

test("a receipt names the mails of its purchase to its buyer, newest first, without dropped codes and what was not true any more", async () => {
  const { product, sale, recipient } = await sold();
  const another = await makeSale(product, { status: "completed", customerEmail: recipient });
  const saleId = sale.id;
  await markSent(await mailAt(1, { recipient, saleId }));
  const idempotencyKey = `reminder/${saleId}/2`;
  await markSent(await mailAt(2, { kind: "reminder", idempotencyKey, recipient, saleId }));
  const mail = { subject: "Recebemos o seu pedido", html: "<p>Olá</p>" };
  await mailAt(3, { kind: "refund-news", mail, recipient, saleId });
  for (const [minutes, kind, error] of [
    [4, "access", UNCERTAIN_TEXT],
    [5, "pix", null],
    [6, "refund-news", OBSOLETE_TEXTS.returned.unsent],
    [6, "dispute-access", OBSOLETE_TEXTS["access-changed"].unsent],
  ] as const) {
    const id = await mailAt(minutes, { kind, recipient, saleId, mail });
    await sql`update mails set status = 'failed', failure = 'dropped', error = ${error} where id = ${id}`;
  }
  await mailAt(6, { kind: "email-corrected", recipient, saleId });
  await mailAt(7, { recipient: mailbox(), saleId });
  await mailAt(8, { recipient, saleId: another.id });
  expect((await findSaleMails(saleId, recipient)).map(({ name, state }) => [name, state])).toEqual([
    ["Acesso enviado de novo", "unsent"],
    ["E-mail “Recebemos o seu pedido”", "waiting"],
    ["2º lembrete de pagamento", "sent"],
    ["E-mail da compra", "sent"],
  ]);
});

test("a receipt names each mail about a dispute, as its subject does once it is rendered", async () => {
  const { sale, recipient } = await sold();
  for (const minutes of [0, 1])
    await mailAt(minutes, {
      kind: "dispute-access",
      recipient,
      saleId: sale.id,
      idempotencyKey: randomUUID(),
    });
  await sql`update mails set subject = null where idempotency_key = (
    select idempotency_key from mails where sale_id = ${sale.id} order by created_at desc limit 1)`;
  expect((await findSaleMails(sale.id, recipient)).map(({ name }) => name)).toEqual([
    "E-mail sobre a contestação",
    "E-mail “Sua compra”",
  ]);
});

test("a receipt names at most twenty mails", async () => {
  const { sale, recipient } = await sold();
  for (let minutes = 0; minutes < 21; minutes++) await mailAt(minutes, { recipient, saleId: sale.id });
  expect(await findSaleMails(sale.id, recipient)).toHaveLength(20);
});

test("a purchase lists its own accepted upsells, oldest first: paid, still to be paid, or being confirmed", async () => {
  const { seller, product, sale } = await sold();
  const [upsell, ended] = [
    await makeUpsell(product),
    await makeUpsell(product, { deactivatedAt: new Date() }),
  ];
  await declineUpsells({ ...sale, saleId: sale.id }, null);
  const accept = async (
    name: string,
    day: number,
    fields: Parameters<typeof makeSale>[1],
    { id } = upsell,
  ) => {
    const accepted = await makeSale(
      { ...product, name, priceCents: 19700 },
      { parentSaleId: sale.id, createdAt: new Date(Date.UTC(2026, 0, day)), ...fields },
    );
    await sql`update sale_lines set kind = 'offer', upsell_id = ${id}, product_id = null where sale_id = ${accepted.id}`;
    return accepted;
  };
  const unpaid = await accept("Apostila", 2, { status: "pending" });
  const paid = await accept("Mentoria", 1, { status: "completed" });
  await sql`insert into sale_lines (sale_id, seller_id, kind, name, price_cents, position)
    values (${paid.id}, ${seller.id}, 'bump', 'Bônus', 0, 1)`;
  await accept("Devolvida", 3, { status: "refunded" });
  const refused = await accept("Recusada", 4, { status: "failed" });
  const inReview = await accept("Em análise", 5, { status: "pending" });
  await makeCharge(inReview, { method: "card", status: "in_review", instalments: 1 });
  await accept("Não vendida", 6, { status: "pending" }, ended);
  const payable = await accept("Com código", 7, { status: "pending" }, ended);
  await makeCharge(payable);
  const another = await makeSale(product, { status: "completed" });
  await accept("De outra compra", 4, { status: "completed", parentSaleId: another.id });
  expect(await listAcceptedUpsells(sale.id)).toEqual([
    { saleId: paid.id, name: "Mentoria", amountCents: 19700, isPaid: true, isBeingConfirmed: false },
    { saleId: unpaid.id, name: "Apostila", amountCents: 19700, isPaid: false, isBeingConfirmed: false },
    { saleId: refused.id, name: "Recusada", amountCents: 19700, isPaid: false, isBeingConfirmed: false },
    { saleId: inReview.id, name: "Em análise", amountCents: 19700, isPaid: false, isBeingConfirmed: true },
    { saleId: payable.id, name: "Com código", amountCents: 19700, isPaid: false, isBeingConfirmed: false },
  ]);
  const page = await (await call(thankYou, `/thank-you/${sale.id}`, { params: { saleId: sale.id } })).text();
  const sections = page
    .split('<section class="card" aria-labelledby="')
    .map((html) => html.replace(/<[^>]*>/g, " "));
  const listed = (id: string) => sections.find((text) => text.startsWith(id));
  expect(listed("levou")).toContain("Mentoria");
  expect(listed("confirmando")).toMatch(/Pagamento em confirmação .*Em análise/);
  expect(listed("falta-pagar")).toMatch(/Apostila .*aguardando pagamento .*Recusada .*aguardando pagamento/);
});

test("a purchase names its own seller, with their contact, and says whether mails reach the buyer", async () => {
  const { seller, sale, recipient } = await sold();
  const other = await sold({ customerEmail: null });
  await makeCheckoutSettings(seller, { support_contact: "ajuda@minha-loja.com.br" });
  await makeCheckoutSettings(other.seller, { support_contact: "ajuda@outra-loja.com.br" });
  const sellerName = seller.company;
  expect(await showPurchase(sale.id)).toMatchObject({ sellerName, hasMail: true });
  expect(await showPurchase(other.sale.id)).toMatchObject({
    sellerName: other.seller.company,
    hasMail: false,
  });
  expect((await listPurchases(recipient, null)).sellers).toMatchObject([
    { sellerName, contact: "ajuda@minha-loja.com.br", purchases: [{ saleId: sale.id }] },
  ]);
});

test("ten purchases are on a page, and the rest on the next one", async () => {
  const { product, recipient } = await sold();
  for (let n = 0; n < 10; n++) await makeSale(product, { status: "completed", customerEmail: recipient });
  const first = await listPurchases(recipient, null);
  const next = await listPurchases(recipient, first.older);
  expect([first, next].map(({ sellers }) => sellers[0]!.purchases.length)).toEqual([10, 1]);
  expect(next.older).toBeNull();
});

test("a receipt is of the purchase that was asked for, and of none that was not paid", async () => {
  const { product, sale, recipient } = await sold({ completedAt: new Date(Date.UTC(2026, 0, 1)) });
  const newer = await makeSale(product, { status: "completed", customerEmail: recipient });
  const unpaid = await makeSale(product, { customerEmail: recipient });
  for (const { id } of [sale, newer])
    expect(await findPurchaseReceipt(recipient, id)).toMatchObject({ saleId: id });
  await expect(findPurchaseReceipt(recipient, unpaid.id)).rejects.toMatchObject({ kind: "not-found" });
});

test.each(["disputed", "refunded", "chargedback"] as const)(
  "the page of a %s purchase still leads to its upsells that were paid, and requests no payment of others",
  async (status) => {
    const { product, sale } = await sold({
      status,
      ...(status === "disputed" ? { accessSuspendedAt: new Date() } : {}),
    });
    const paid = await makeSale(product, { status: "completed", parentSaleId: sale.id });
    const unpaid = await makeSale(product, { parentSaleId: sale.id });
    const answer = await call(thankYou, `/thank-you/${sale.id}`, { params: { saleId: sale.id } });
    const html = await answer.text();
    expect(html).toContain("Você também levou");
    expect(html).toContain(`href="/thank-you/${paid.id}"`);
    expect(html).not.toContain(unpaid.id);
  },
);

test("the redirect does not take away a page that says what became of money, or is the only way back", async () => {
  const seller = await makeSeller();
  await makeThankYouSettings(seller, {
    redirect_url: "https://membros.exemplo.com.br",
    auto_redirect_seconds: 5,
  });
  const product = await makeProduct(seller);
  const pageOf = async ({ id }: { id: string }) => {
    const html = await (await call(thankYou, `/thank-you/${id}`, { params: { saleId: id } })).text();
    expect(html).toContain("Continuar para área de membros");
    return html.includes("<redirect-countdown");
  };
  const bought = (fields: Parameters<typeof makeSale>[1] = {}) =>
    makeSale(product, { status: "completed", ...fields });
  expect(await pageOf(await bought())).toBe(true);
  expect(await pageOf(await bought({ customerEmail: null }))).toBe(false);
  expect(await pageOf(await bought({ status: "disputed" }))).toBe(false);
  const paidTwice = await bought();
  await makeCharge(paidTwice, { status: "paid" });
  await makeCharge(paidTwice, { status: "paid", overpaidAt: new Date() });
  expect(await pageOf(paidTwice)).toBe(false);
  const bounced = await bought();
  const mail = await makeMail({ saleId: bounced.id, recipient: bounced.customerEmail });
  await sql`update mails set status = 'failed', bounced_at = now() where id = ${mail}`;
  expect(await pageOf(bounced)).toBe(false);
});

test("a bump without link and content is named to its buyer as that, on the purchase's page and in the portal", async () => {
  const { product, sale, recipient } = await sold();
  const page = async () => {
    const answer = await call(thankYou, `/thank-you/${sale.id}`, { params: { saleId: sale.id } });
    return answer.text();
  };
  const portal = async () =>
    (await call(purchases, "/minhas-compras", { headers: await inPortal(recipient!) })).text();
  for (const open of [page, portal]) expect(await open()).not.toContain(NOTHING_TO_OPEN);
  const bump = await makeBump(product, { name: "Uma hora de mentoria", fileUrl: null });
  await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, item_id, name, price_cents, position)
    values (${sale.id}, ${sale.sellerId}, 'bump', ${bump.id}, ${bump.id}, ${bump.name}, ${bump.priceCents}, 1)`;
  for (const open of [page, portal])
    expect(await open()).toMatch(
      new RegExp(`Uma hora de mentoria</(h2|p)><p class="[a-z]+">${NOTHING_TO_OPEN}`),
    );
  await sql`update sales set status = 'refunded', refunded_at = now(), refunded_cents = amount_cents where id = ${sale.id}`;
  for (const open of [page, portal]) expect(await open()).not.toContain(NOTHING_TO_OPEN);
});
