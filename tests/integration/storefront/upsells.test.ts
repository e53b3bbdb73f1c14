import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { findOpenRefundRequest } from "#app/domain/refund/request/find-open-refund-requests.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { declineUpsells } from "#app/domain/upsell/decline-upsells.server.ts";
import { showUpsell } from "#app/domain/upsell/show-upsell.server.ts";
import { startNextUpsell, UPSELL_LIFETIME } from "#app/domain/upsell/start-next-upsell.server.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as upsellPage from "#app/routes/buyer/upsell.tsx";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import {
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

async function upsellOf(saleId: string) {
  const purchase = (await showPurchase(saleId))!;
  return showUpsell({ ...purchase, refundRequest: await findOpenRefundRequest(purchase) });
}

async function shop() {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const first = await makeUpsell(product, { position: 1, name: "Primeira" });
  const second = await makeUpsell(product, { position: 2, name: "Segunda" });
  const sale = await makeSale(product, { status: "completed" });
  return {
    product,
    first,
    second,
    sale: { sellerId: product.sellerId, saleId: sale.id, productId: product.id },
  };
}

test("an upsell's time starts when it is first shown, and does not restart", async () => {
  const { sale, first } = await shop();
  const view = await startNextUpsell(sale);
  expect(view).toMatchObject({ id: first.id, number: 1, count: 2 });
  expect(Math.abs(view!.expiresAt.getTime() - Date.now() - UPSELL_LIFETIME)).toBeLessThan(60_000);
  expect((await startNextUpsell(sale))!.expiresAt).toEqual(view!.expiresAt);
});

test("ten tabs at once see one deadline", async () => {
  const { sale } = await shop();
  const all = await Promise.all(Array.from({ length: 10 }, () => startNextUpsell(sale)));
  expect(new Set(all.map((o) => o!.expiresAt.getTime())).size).toBe(1);
});

test("declining leads to the next upsell, an expired one too, and after the last there is none", async () => {
  const { sale, first, second } = await shop();
  await startNextUpsell(sale);
  await declineUpsells(sale, first.id);
  expect(await startNextUpsell(sale)).toMatchObject({ id: second.id, number: 2, count: 2 });
  await sql`update upsell_showings set expires_at = now() - interval '1 second' where upsell_id = ${second.id}`;
  expect(await startNextUpsell(sale)).toBeNull();
});

test("skipping declines all that are left and leaves an accepted one accepted", async () => {
  const { sale, first } = await shop();
  await startNextUpsell(sale);
  await sql`update upsell_showings set answer = 'accepted' where upsell_id = ${first.id}`;
  await declineUpsells(sale, null);
  expect(await startNextUpsell(sale)).toBeNull();
  const answers =
    await sql`select answer from upsell_showings where sale_id = ${sale.saleId} order by upsell_id`;
  expect(answers.map((row) => row.answer)).toEqual(["accepted", "declined"]);
});

test("another product's upsell is not declined, and other buyers keep theirs", async () => {
  const mine = await shop();
  const other = await shop();
  await startNextUpsell(other.sale);
  await declineUpsells(mine.sale, other.first.id);
  expect(await sql`select 1 from upsell_showings where sale_id = ${mine.sale.saleId}`).toHaveLength(0);
  expect(await startNextUpsell(other.sale)).toMatchObject({ id: other.first.id });
});

test("an upsell off sale is not shown", async () => {
  const { sale, second, first } = await shop();
  await sql`update upsells set deactivated_at = now() where id = ${first.id}`;
  expect(await startNextUpsell(sale)).toMatchObject({ id: second.id, number: 1, count: 1 });
});

test("an upsell shows its own paid sales, from ten on, and not those of the product before it", async () => {
  const { product, sale, first } = await shop();
  const paid = (n: number) =>
    Promise.all(
      Array.from({ length: n }, () => makeSale(product, { status: "completed", parentSaleId: sale.saleId })),
    );
  const view = async () => (await upsellOf(sale.saleId))!.paidSales;
  await paid(11);
  expect(await view()).toBeNull();
  const accepted = (await paid(10)).map(({ id }) => id);
  await sql`insert into sale_lines (sale_id, seller_id, kind, upsell_id, name, price_cents)
    select id, seller_id, 'offer', ${first.id}, 'Primeira', 9700 from sales where id in ${sql(accepted)}`;
  expect(await view()).toBe(10);
  await sql`update sales set status = 'refunded', refunded_at = now() where id = ${accepted[0]!}`;
  expect(await view()).toBeNull();
});

test("a purchase whose money is to go back says so, and congratulates and offers nothing", async () => {
  const { product } = await shop();
  const made = () => makeSale(product, { status: "completed" });
  const shown = async ({ id }: { id: string }) => (await upsellOf(id)) !== null;
  const asked = await made();
  expect(await shown(asked)).toBe(true);
  await requestRefund(asked.customerEmail!, asked.id, "");
  expect(await shown(asked)).toBe(false);
  const refunding = await made();
  const charge = await makeCharge(refunding, { status: "paid" });
  expect(await shown(refunding)).toBe(true);
  const { sellerId } = product;
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
    values (${charge.id}, ${sellerId}, ${refunding.amountCents}, 'pending', 'requested')`;
  expect(await shown(refunding)).toBe(false);
});

test("a tab that was open before the money was asked back neither thanks nor sells", async () => {
  const { product, first, sale } = await shop();
  await startNextUpsell(sale);
  const { saleId } = sale;
  await requestRefund((await showPurchase(saleId))!.customerEmail!, saleId, "");
  const [path, params] = [`/upsell/${product.id}?sale=${saleId}`, { productId: String(product.id) }];
  const page = await (await call(upsellPage, path, { params })).text();
  expect(page).toContain("Devolução pedida");
  expect(page).not.toContain("Obrigado");
  const refused = "A devolução desta compra foi pedida: ela não tem mais ofertas.";
  const accept = () =>
    new URLSearchParams({ intent: "accept", offer: String(first.id), seen_prices: "9700" });
  const onPage = await call(upsellPage, path, { method: "POST", params, body: accept() });
  expect([onPage.status, await onPage.text()]).toEqual([409, expect.stringContaining(refused)]);
  const onThanks = await call(thankYou, `/thank-you/${saleId}`, {
    ...{ method: "POST", params: { saleId }, body: accept() },
  });
  expect([onThanks.status, await onThanks.text()]).toEqual([409, expect.stringContaining(refused)]);
  expect(await sql`select from sales where parent_sale_id = ${saleId}`).toHaveLength(0);
});

test("an upsell of a free purchase that its seller ended speaks of no payment that went back", async () => {
  const { product, first } = await shop();
  const { id: saleId } = await makeSale(product, { status: "refunded", amountCents: 0 });
  const body = new URLSearchParams({ intent: "accept", offer: String(first.id), seen_prices: "19700" });
  const options = { method: "POST", params: { saleId }, body };
  const answer = await call(thankYou, `/thank-you/${saleId}`, options);
  expect(answer.status).toBe(409);
  const html = await answer.text();
  expect(html).toContain("encerrou o acesso a esta compra, que foi de graça.");
  expect(html).not.toContain("devolvida ou contestada");
});

test.each(["refunded", "chargedback", "disputed"] as const)(
  "a tab that was open before its purchase was %s leads to what became of it, and sells nothing",
  async (status) => {
    const { product, first, sale } = await shop();
    await startNextUpsell(sale);
    const { saleId } = sale;
    const refundedAt = status === "refunded" ? new Date() : null;
    await sql`update sales set status = ${status}, refunded_at = ${refundedAt} where id = ${saleId}`;
    const [path, params] = [`/upsell/${product.id}?sale=${saleId}`, { productId: String(product.id) }];
    const answer = (intent: string) =>
      new URLSearchParams({ intent, offer: String(first.id), seen_prices: "19700" });
    for (const options of [
      {},
      ...["accept", "decline"].map((one) => ({ method: "POST", body: answer(one) })),
    ]) {
      const led = await call(upsellPage, path, { params, ...options });
      expect([led.status, led.headers.get("location")]).toEqual([303, `/thank-you/${saleId}`]);
    }
    const accepted = await call(thankYou, `/thank-you/${saleId}`, {
      ...{ method: "POST", params: { saleId }, body: answer("accept") },
    });
    expect(accepted.status).toBe(409);
    expect(await accepted.text()).toContain("Resumo da compra");
    expect(await sql`select from sales where parent_sale_id = ${saleId}`).toHaveLength(0);
  },
);

test("an upsell congratulates who has just paid, and says of the mail with the access what became of it", async () => {
  const { product } = await shop();
  const sale = await makeSale(product, { status: "completed" });
  const textOf = async () => {
    const { upsellParts } = await import("#app/ui/buyer/upsell-page.tsx");
    const view = (await upsellOf(sale.id))!;
    const around = { kind: "upsell", linkKey: "", message: null, store: null } as const;
    return renderToStaticMarkup(upsellParts({ ...view, ...around }, "claro").children);
  };
  const id = await makeMail({ recipient: sale.customerEmail, saleId: sale.id });
  expect(await textOf()).toMatch(/Parabéns! Sua compra foi aprovada.*a caminho do seu e-mail/);
  await sql`update mails set status = 'sent', bounced_at = now() where id = ${id}`;
  const bounced = await textOf();
  expect(bounced).toContain("O e-mail com o acesso não chegou a você.");
  expect(bounced).not.toContain("a caminho");
  await sql`update sales set completed_at = now() - interval '2 days' where id = ${sale.id}`;
  const old = await textOf();
  expect(old).toContain("Sua compra está aprovada");
  expect(old).not.toMatch(/Parabéns|e-mail/);
});

test("in its last half second an upsell still counts down, since its page goes on at the end of the count", async () => {
  const { sale } = await shop();
  const view = (await upsellOf(sale.saleId))!;
  const { upsellParts } = await import("#app/ui/buyer/upsell-page.tsx");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  try {
    const upsell = { ...view.upsell, expiresAt: new Date(Date.now() + 300) };
    const around = { kind: "upsell", linkKey: "", message: null, store: null } as const;
    const html = renderToStaticMarkup(upsellParts({ ...view, upsell, ...around }, "claro").children);
    expect(html).toContain('data-left="1"');
  } finally {
    vi.useRealTimers();
  }
});

test("a buyer who sees or declines an upsell while its seller removes it is led to the next", async () => {
  const { product, sale, first, second } = await shop();
  const seen: Promise<unknown>[] = [];
  const removing = await holdLock(async (tx) => {
    await tx`select from products where id = ${product.id} for update`;
    await tx`delete from upsells where id = ${first.id}`;
    seen.push(startNextUpsell(sale));
    await untilLockedOut();
    seen.push(declineUpsells(sale, first.id));
    await untilLockedOut(2);
  });
  await removing.release();
  expect(await Promise.all(seen)).toMatchObject([{ id: second.id, number: 1, count: 1 }, undefined]);
  expect(await sql`select from upsell_showings where sale_id = ${sale.saleId}`).toHaveLength(1);
});

test("the purchase of an upsell shows the upsell's picture, not its product's", async () => {
  const { product, sale } = await shop();
  const [own, other] = ["https://exemplo.com.br/mentoria.png", "https://exemplo.com.br/curso.png"];
  await sql`update products set image_url = ${other} where id = ${product.id}`;
  const upsell = await makeUpsell(product, { imageUrl: own });
  const accepted = await makeSale(product, { status: "completed", parentSaleId: sale.saleId });
  await sql`update sale_lines set kind = 'offer', upsell_id = ${upsell.id} where sale_id = ${accepted.id}`;
  const picture = async (id: string) => (await showPurchase(id))!.imageUrl;
  expect([await picture(accepted.id), await picture(sale.saleId)]).toEqual([own, other]);
  await sql`update upsells set image_url = null where id = ${upsell.id}`;
  expect(await picture(accepted.id)).toBeNull();
});

const MERCADOPAGO = { provider: "mercadopago", apiKey: "APP_USR-sandbox-1" } as const;

test.each<[string, (sellerId: string, saleId: string) => Promise<unknown>]>([
  [
    "its seller has no account that creates a PIX",
    (id) => sql`update gateway_accounts set enabled_at = null where seller_id = ${id}`,
  ],
  ["its seller has switched PIX off", (id) => makeCheckoutSettings({ id }, { enable_pix: false })],
  [
    "the provider needs an e-mail that the purchase lacks",
    async (id, saleId) => {
      await sql`update sales set customer_email = null where id = ${saleId}`;
      await sql`delete from gateway_accounts where seller_id = ${id}`;
      await makeGateway({ id }, MERCADOPAGO);
    },
  ],
  [
    "the provider creates no PIX of its amount",
    (id) => sql`update upsells set price_cents = 49 where seller_id = ${id}`,
  ],
])("an upsell is not shown, nor does its time start, where %s", async (_, change) => {
  const { sale } = await shop();
  const showings = async () => (await sql`select from upsell_showings where sale_id = ${sale.saleId}`).length;
  await change(sale.sellerId, sale.saleId);
  expect([await upsellOf(sale.saleId), await showings()]).toEqual([null, 0]);
});

test("upsells that can be paid are counted and shown beside one that cannot", async () => {
  const { sale, first, second } = await shop();
  await sql`update upsells set price_cents = 49 where id = ${first.id}`;
  expect((await upsellOf(sale.saleId))!.upsell).toMatchObject({ id: second.id, number: 1, count: 1 });
});

test("a purchase without the e-mail that the provider needs shows its upsell where another account needs none", async () => {
  const { sale, first } = await shop();
  await sql`update sales set customer_email = null where id = ${sale.saleId}`;
  await sql`update gateway_accounts set position = 1 where seller_id = ${sale.sellerId}`;
  await makeGateway({ id: sale.sellerId }, { ...MERCADOPAGO, position: 0 });
  expect((await upsellOf(sale.saleId))!.upsell).toMatchObject({ id: first.id });
});

test("an upsell accepted before its seller's provider needed an e-mail says where to add one", async () => {
  const { product, sale } = await shop();
  const accepted = await makeSale(product, { parentSaleId: sale.saleId, customerEmail: null });
  const upsell = await makeUpsell(product);
  await sql`update sale_lines set kind = 'offer', upsell_id = ${upsell.id} where sale_id = ${accepted.id}`;
  await sql`delete from gateway_accounts where seller_id = ${sale.sellerId}`;
  await makeGateway({ id: sale.sellerId }, MERCADOPAGO);
  await expect(startPix(accepted.id)).rejects.toThrow(
    "Para gerar o PIX deste vendedor é preciso informar o e-mail. Adicione o e-mail na página da sua compra. Nada foi cobrado.",
  );
});
