import { expect, test } from "vitest";
import { showPurchase } from "#app/domain/access/show-purchase.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { findRefundRequestState } from "#app/domain/refund/request/find-refund-request-state.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { ORDER_ROUTES, openScene } from "#tests/integration/payments/order-routes.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ worker: 0 });

const DAY = 86_400_000;

/** The guarantee state of a purchase that was paid that many days ago. */
async function stateOf(saleId: string, days: number) {
  const [{ seller_id: sellerId }] = (await sql`select seller_id from sales where id = ${saleId}`) as [
    { seller_id: string },
  ];
  const paidAt = new Date(Date.now() - days * DAY);
  return (await findRefundRequestState({ sellerId, saleId, status: "completed", paidAt }))?.state;
}

test.each(Object.entries(ORDER_ROUTES))(
  "an order by the %s stores the guarantee promised at that time",
  async (_, orderRoute) => {
    const scene = await openScene();
    await makeCheckoutSettings(scene.seller, { guarantee_days: 60 });
    const { sale } = await orderRoute.knock(scene);
    await makeCheckoutSettings(scene.seller, { guarantee_days: 7 });
    expect(await stateOf(sale!, 60)).toBe("right");
    expect(await stateOf(sale!, 61)).toBe("question");
    expect((await showPurchase(sale!))?.guaranteeDays).toBe(60);
  },
);

test("repeating the same order stores the longer of the two guarantees", async () => {
  const { product } = await openShop();
  const { saleId } = await placeSale(order(product.id, { guaranteeDays: 15 }));
  for (const [guaranteeDays, stored] of [
    [30, 30],
    [7, 30],
  ] as const) {
    expect(await placeSale(order(product.id, { guaranteeDays }))).toMatchObject({ saleId });
    expect(await sql`select guarantee_days from sales where id = ${saleId}`).toEqual([
      { guarantee_days: stored },
    ]);
  }
});

test("a page with an outdated longer guarantee is refused with the new one, and accepted when resubmitted", async () => {
  const scene = await openScene();
  await makeCheckoutSettings(scene.seller, { guarantee_days: 7 });
  const answered = await ORDER_ROUTES.page!.knock(scene, { guarantee: 30 });
  expect(answered).toMatchObject({ status: 409, sale: null });
  expect(answered.words).toContain("A garantia mudou: agora são 7 dias (antes, 30)");
  const [, shown] = /name="seen_guarantee"[^>]* value="(\d+)"/.exec(answered.words)!;
  expect(shown).toBe("7");
  const { sale } = await ORDER_ROUTES.page!.knock(scene, { guarantee: Number(shown) });
  expect(await stateOf(sale!, 8)).toBe("question");
});

test("a form with another mistake also reports that the guarantee became shorter", async () => {
  const scene = await openScene();
  await makeCheckoutSettings(scene.seller, { guarantee_days: 7 });
  const { status, words } = await ORDER_ROUTES.page!.knock(scene, {
    guarantee: 30,
    fields: { customer_name: "" },
  });
  expect(status).toBe(400);
  expect(words).toContain("A garantia mudou: agora são 7 dias (antes, 30)");
});

test("a buyer who ordered before the guarantee became shorter resubmits without a question and keeps it", async () => {
  const scene = await openScene();
  await makeCheckoutSettings(scene.seller, { guarantee_days: 30 });
  const { sale } = await ORDER_ROUTES.page!.knock(scene, { guarantee: 30 });
  await makeCheckoutSettings(scene.seller, { guarantee_days: 7 });
  expect(await ORDER_ROUTES.page!.knock(scene, { guarantee: 30 })).toMatchObject({ status: 303, sale });
  expect(await stateOf(sale!, 30)).toBe("right");
});

test("a sale from before guarantees were stored has the seller's current one", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  expect(await stateOf(sale.id, 30)).toBe("right");
  await makeCheckoutSettings(seller, { guarantee_days: 10 });
  expect(await stateOf(sale.id, 11)).toBe("question");
});

test("the thank-you page shows the guarantee while it applies", async () => {
  const seller = await makeSeller();
  await makeCheckoutSettings(seller, { guarantee_days: 30 });
  const product = await makeProduct(seller);
  const foot = async (days: number) => {
    const completedAt = new Date(Date.now() - days * DAY);
    const sale = await makeSale(product, { status: "completed", completedAt });
    return (await app.fetch(`/thank-you/${sale.id}`)).text();
  };
  expect(await foot(30)).toContain("Garantia de 30 dias");
  expect(await foot(31)).not.toContain("Garantia de");
});

test("a purchase's page says until which day its buyer may withdraw and where, until they did", async () => {
  const product = await makeProduct(await makeSeller());
  const completedAt = new Date(Date.now() - 5 * DAY);
  const lastDay = formatDate(new Date(completedAt.getTime() + 365 * DAY));
  const [sale, unmailed] = [
    await makeSale(product, { status: "completed", completedAt, guaranteeDays: 365 }),
    await makeSale(product, { status: "completed", completedAt, guaranteeDays: 365, customerEmail: null }),
  ];
  const foot = async ({ id }: { id: string }) => {
    const html = await (await app.fetch(`/thank-you/${id}`)).text();
    return html.slice(html.indexOf("<footer")).replaceAll("<!-- -->", "");
  };
  expect(await foot(sale)).toContain(`até o fim de ${lastDay} você pode desistir`);
  expect(await foot(sale)).toContain('href="/reembolso"');
  expect(await foot(unmailed)).toContain("Peça o dinheiro de volta a ");
  expect(await foot(unmailed)).not.toContain("/reembolso");
  await requestRefund(sale.customerEmail!, sale.id, "");
  expect(await foot(sale)).not.toMatch(/Garantia de|reembolso/);
});

test("the mail with the access says until which day its buyer may withdraw and where, as its preview does", async () => {
  const seller = await makeSeller();
  await makeCheckoutSettings(seller, { guarantee_days: 15 });
  const product = await makeProduct(seller);
  const lastDay = (since: Date, days: number) => formatDate(new Date(since.getTime() + days * DAY));
  const sentence = (day: string) =>
    `Você pode desistir desta compra até o fim de ${day}, sem precisar explicar: o pedido é feito na página da compra.`;
  const buy = (days: number, made: Parameters<typeof makeSale>[1] = {}) =>
    makeSale(product, { status: "completed", completedAt: new Date(Date.now() - days * DAY), ...made });
  const mailOf = async (sale: { id: string; customerEmail: string | null }, kind: "purchase" | "access") => {
    const data = { paidAt: new Date().toISOString() };
    return (await renderMail({ kind, saleId: sale.id, recipient: sale.customerEmail!, data })).mail;
  };
  const sale = await buy(5, { guaranteeDays: 365 });
  for (const kind of ["purchase", "access"] as const) {
    const { html, text } = await mailOf(sale, kind);
    for (const part of [html, text]) expect(part).toContain(sentence(lastDay(sale.completedAt!, 365)));
  }
  // Ordered before guarantees were stored: the seller's current one.
  const older = await buy(5);
  expect((await mailOf(older, "purchase")).text).toContain(sentence(lastDay(older.completedAt!, 15)));
  await requestRefund(sale.customerEmail!, sale.id, "");
  // What its seller refunds, and a refund that its provider refused.
  const [returning, kept] = [await buy(0), await buy(0)];
  for (const [{ id, amountCents }, status] of [
    [returning, "pending"],
    [kept, "refused"],
  ] as const) {
    const charge = await makeCharge({ id, amountCents }, { status: "paid" });
    await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
      values (${charge.id}, ${seller.id}, ${amountCents}, ${status}, 'requested', ${status === "refused" ? new Date() : null})`;
  }
  expect((await mailOf(kept, "access")).text).toContain("desistir");
  const without = [
    sale,
    returning,
    await buy(16),
    await buy(0, { amountCents: 0 }),
    await buy(0, { status: "disputed" }),
  ];
  for (const each of without) expect((await mailOf(each, "access")).text).not.toContain("desistir");
  const preview = previewTemplate(DEFAULT_TEMPLATE, await findBrand(seller.id));
  expect(preview.text).toContain(sentence(lastDay(new Date(), 15)));
});
