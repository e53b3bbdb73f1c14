import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect } from "vitest";
import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { mailRenderers, renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import * as status from "#app/routes/api/payments/pushinpay-status.ts";
import * as details from "#app/routes/api/sales/details.ts";
import * as publicSale from "#app/routes/api/sales/one.ts";
import * as card from "#app/routes/buyer/card.tsx";
import * as pix from "#app/routes/buyer/pix.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { SaleInfo } from "#app/routes/seller/sale/info.tsx";
import { reais } from "#tests/integration/orders/carts/names.ts";
import {
  FEE,
  inTurn,
  type PlacedSale,
  pricedByCard,
  pricedByPix,
} from "#tests/integration/orders/carts/placed-sale.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { call } from "#tests/support/routes/call.ts";

/** Reads one view of a sale and compares what it shows. */
type ReadView = (sale: PlacedSale) => Promise<void>;

/** What an order is in the database: every amount in its rows. */
export const readRows: ReadView = async ({ saleId, order, chargeId, parentId }) => {
  const [sale] =
    await sql`select amount_cents, coupon_code, offer_name, quantity, payment_method, parent_sale_id
    from sales where id = ${saleId}`;
  expect(sale, "sale").toEqual({
    ...{ amount_cents: order.total, coupon_code: order.couponCode, offer_name: order.offerName },
    ...{ quantity: order.quantity, payment_method: methodOf(order) },
    parent_sale_id: parentId,
  });
  const lines = await sql`select kind, name, quantity, price_cents, discount_cents, method_discount_cents
    from sale_lines where sale_id = ${saleId} order by position`;
  expect([...lines], "lines").toEqual(
    order.lines.map(({ kind, name, quantity, paid, discount, off }) => ({
      ...{ kind, name, quantity, price_cents: paid, discount_cents: discount, method_discount_cents: off },
    })),
  );
  expect(
    lines.reduce((sum, line) => sum + line.price_cents, 0),
    "sum of the lines",
  ).toBe(order.total);
  const charges = await sql`select id, amount_cents from charges where sale_id = ${saleId}`;
  expect([...charges], "charge").toEqual(
    chargeId === null ? [] : [{ id: chargeId, amount_cents: order.total }],
  );
};

const methodOf = ({ kind, isCard }: PlacedSale["order"]) =>
  kind === "free" ? "free" : isCard ? "card" : "pix";

/** Before it is paid. */
export const UNPAID_VIEWS: Record<string, ReadView> = {
  "PIX screen": async ({ saleId, order }) => {
    const answer = await call(pix, `/checkout/pix/${saleId}`, { params: { saleId } });
    if (order.isCard) return expect(answer.headers.get("location")).toBe(`/checkout/cartao/${saleId}`);
    const page = textOf(await answer.text());
    const rows = rowTexts(order);
    expect(amountsIn(page), page).toEqual([
      reais(order.total),
      ...(rows.length > 1 ? order.rows.map(([, amount]) => amount) : []),
      reais(order.total),
      ...(order.off > 0 ? [reais(order.total + order.off)] : []),
    ]);
    expect(page).toContain(
      rows.length > 1
        ? `${rows.join(" ")} Total ${reais(order.total)}`
        : `${order.about} ${reais(order.total)}`,
    );
  },
  "card page": async ({ saleId, order }) => {
    if (!order.isCard) return;
    const page = textOf(
      await (await call(card, `/checkout/cartao/${saleId}`, { params: { saleId } })).text(),
    );
    const rows = rowTexts(order);
    expect(page).toContain(
      rows.length > 1
        ? `${rows.join(" ")} Total ${reais(order.total)}`
        : `${order.about} ${reais(order.total)}`,
    );
    expect(amountsIn(page)[0], page).toBe(reais(order.total));
  },
  "status API": async ({ chargeId }) => {
    if (!chargeId) return;
    const params = { paymentId: chargeId };
    const answer = await call(status, `/api/payments/pushinpay/status/${chargeId}`, { params });
    expect(await answer.json()).toMatchObject({ status: "pending", standing: "payable" });
  },
};

/** Once it is paid, or placed free of charge. */
export const PAID_VIEWS: Record<string, ReadView> = {
  "PIX screen": async ({ saleId, order }) => {
    const answer = await call(pix, `/checkout/pix/${saleId}`, { params: { saleId } });
    if (order.kind === "paid") expect(answer.headers.get("location")).toBe(`/thank-you/${saleId}`);
  },
  "thank-you page": async ({ saleId, order, acceptedCents }) => {
    const answer = await call(thankYou, `/thank-you/${saleId}`, { params: { saleId } });
    const page = textOf(await answer.text());
    const rows = rowTexts(order);
    const accepted = acceptedCents === null ? [] : [reais(acceptedCents)];
    expect(amountsIn(page), page).toEqual([
      ...(rows.length > 1 ? order.rows.map(([, amount]) => amount) : []),
      reais(order.total),
      ...(order.isCard ? [reais(order.total)] : []),
      ...accepted,
    ]);
    if (rows.length > 1) expect(page).toContain(rows.join(" "));
  },
  receipt: async ({ saleId, order, portal }) => {
    const answer = await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: portal });
    const page = textOf(await answer.text());
    expect(page).toContain(`${rowTexts(order).join(" ")} Total pago ${reais(order.total)}`);
    // The form for a refund names the whole amount, too.
    const others = amountsIn(page).slice(order.rows.length + 1);
    expect(new Set(others.filter((amount) => amount !== reais(order.total))), page).toEqual(new Set());
  },
  "status API": async ({ chargeId }) => {
    if (!chargeId) return;
    const params = { paymentId: chargeId };
    const answer = await call(status, `/api/payments/pushinpay/status/${chargeId}`, { params });
    expect(await answer.json()).toMatchObject({ status: "completed", standing: "paid" });
  },
  "public sale API": async ({ saleId, order }) => {
    const answer = await call(publicSale, `/api/sales/${saleId}`, { params: { saleId } });
    expect(await answer.json()).toMatchObject({ amount: order.total / 100, status: "completed" });
  },
  "sale details": async ({ saleId, order, seller }) => {
    const view = await showSale(seller.id, saleId);
    const page = textOf(renderToStaticMarkup(createElement(SaleInfo, { view })));
    const KINDS = { product: "", bump: " Order bump", offer: " Upsell" };
    const rows = order.rows.map(([name, amount], at) => {
      const line = order.lines[at];
      return `${name}${line ? KINDS[line.kind] : ""} ${amount}`;
    });
    expect(page).toContain(`${rows.join(" ")} Valor ${reais(order.total)}`);
    const money = order.kind === "free" ? [] : [order.total, FEE, order.total - FEE];
    // What its buyer paid in instalments.
    if (order.isCard) money.push(order.total);
    expect(amountsIn(page).slice(order.rows.length + 1), page).toEqual(
      money.map((cents, at) => (at === 1 ? `-${reais(cents)}` : reais(cents))),
    );
    if (order.offerName) expect(page).toContain(`Oferta ${order.offerName}`);
  },
  "sale API": async ({ saleId, order, seller: _, cookie, offerId }) => {
    const answer = await call(details, `/api/sales/${saleId}/details`, {
      ...{ params: { saleId }, headers: cookie },
    });
    const { sale, lines } = (await answer.json()) as { sale: object; lines: Record<string, unknown>[] };
    expect(sale).toMatchObject({
      ...{ amount: order.total / 100, received_amount: order.total / 100, quantity: order.quantity },
      ...{ fee_amount: order.kind === "free" ? null : FEE / 100 },
      coupon: order.couponCode && { code: order.couponCode, discount: order.discount / 100 },
      offer: order.offerName && { id: offerId, name: order.offerName },
    });
    expect(lines.map(({ kind, name, price, discount }) => [kind, name, price, discount])).toEqual(
      order.lines.map(({ kind, name, paid, discount }) => [kind, name, paid / 100, discount / 100]),
    );
  },
  mails: async ({ saleId, order, email, turn }) => {
    const rendered = await Promise.all(
      inTurn(mailViews(order), { turn }).map(async ({ kind, data, priced }) => {
        const { mail } = await renderMail({ kind, saleId, recipient: email, data });
        return { kind, priced, ...mail };
      }),
    );
    for (const { kind, priced, subject, html, text = "" } of rendered) {
      const said = textOf(html);
      const { rows, total } = priced;
      const known = new Set([...rows.map(([, amount]) => amount), reais(total), reais(ANOTHER)]);
      const table = `${rowTexts({ rows }).join(" ")} Total ${reais(total)}`;
      if (!MAILS_WITHOUT_LINES.includes(kind)) expect(said, kind).toContain(table);
      for (const amount of amountsIn(`${subject} ${said} ${text}`)) expect(known, kind).toContain(amount);
    }
  },
};

/** A payment of another amount than the order's. */
const ANOTHER = 123;
/** About a PIX that did not pay the order. */
const PIX_MAILS: RenderedMailKind[] = ["pix", "reminder", "wrong-amount", "failed-payment", "payment-news"];
const MAILS_WITHOUT_LINES: RenderedMailKind[] = ["payment-news", "shop-closed", "shop-reopened"];

/** Every mail of an order, and the order as it names it. */
function mailViews(order: PlacedSale["order"]) {
  const mails = mailData(order.total);
  const byPix = pricedByPix(order);
  return [
    ...(Object.keys(mailRenderers) as RenderedMailKind[]).map((kind) => ({
      ...{ kind, data: mails[kind] },
      priced: PIX_MAILS.includes(kind) ? byPix : order,
    })),
    {
      kind: "failed-payment" as const,
      data: { ...mails["failed-payment"], isCard: true as const },
      priced: pricedByCard(order),
    },
  ];
}

function mailData(amountCents: number): { [K in RenderedMailKind]: MailData[K] } {
  const at = new Date().toISOString();
  const pixData = { pixCode: "00020126", expiresAt: null, notice: null };
  return {
    purchase: { paidAt: at },
    upsell: { paidAt: at },
    access: { paidAt: at },
    "new-sale": { paidAt: at },
    pix: pixData,
    reminder: { ...pixData, number: 1 },
    refund: {},
    "payment-news": { what: "mismatched", amountCents: ANOTHER, at },
    surplus: { amountCents },
    "failed-payment": { why: "cancelled", detail: "" },
    "wrong-amount": { amountCents: ANOTHER },
    "unconfirmed-refund": { amountCents, requestedAt: at },
    "shop-closed": { closedAt: at },
    "shop-reopened": { closedAt: at },
    "observed-refund": { amountCents, access: "ended" },
    dispute: { what: "opened", amountCents, suspends: true },
    "dispute-access": { what: "opened", amountCents },
  };
}

/** Each amount in a text, in order, with its sign. */
export function amountsIn(text: string): string[] {
  return [...text.matchAll(/(?:− |-)?R\$\s[\d.]+,\d\d/g)].map(([amount]) => amount.replace(/\s/g, " "));
}

const rowTexts = ({ rows }: Pick<PlacedSale["order"], "rows">) =>
  rows.map(([name, amount]) => `${name} ${amount}`);
