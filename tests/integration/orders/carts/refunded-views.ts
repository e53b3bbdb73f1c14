import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect } from "vitest";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { MailData } from "#app/db/schema/mail-data.ts";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { bookReversal } from "#app/domain/settlement/book-reversal.server.ts";
import * as statsApi from "#app/routes/api/reports/stats.ts";
import * as details from "#app/routes/api/sales/details.ts";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as exported from "#app/routes/seller/reports/export.ts";
import * as reports from "#app/routes/seller/reports/reports.tsx";
import { SaleInfo } from "#app/routes/seller/sale/info.tsx";
import { reais } from "#tests/integration/orders/carts/names.ts";
import { FEE, type PlacedSale } from "#tests/integration/orders/carts/placed-sale.ts";
import { type Body, bodiesOf, PROGRAMS } from "#tests/integration/orders/carts/program-views.ts";
import { amountsIn } from "#tests/integration/orders/carts/sale-views.ts";
import { answerOf, csvOf, type PlayedShop, whole } from "#tests/integration/orders/carts/shop-views.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { call } from "#tests/support/routes/call.ts";

/** A paid sale of which something was refunded at its provider, and what its views must show; cents. */
export type RefundedSale = PlacedSale & { parts: number[]; refunded: number };

/**
 * Refunds each paid sale of a shop, in up to three parts: some of them in full. After each part everything that is said of the
 * sale is compared. @returns those sales
 */
export async function refundSale(sale: PlacedSale, nth: number): Promise<RefundedSale | null> {
  const { order, chargeId } = sale;
  if (order.kind === "free" || order.total < 3) return null;
  const parts = partsOf(order.total, nth);
  const [charge] = await sql`select provider_id from charges where id = ${chargeId}`;
  let refunded = 0;
  for (const [at, part] of parts.entries()) {
    refunded += part;
    const now = { ...sale, parts: parts.slice(0, at + 1), refunded };
    await bookReversal(
      chargeId!,
      null,
      {
        ...{ providerId: charge!.provider_id, state: isWhole(now) ? "refunded" : "paid", providerStatus: "" },
        ...{ amountCents: order.total, feeCents: FEE, refundedCents: refunded, webhookUrl: null },
      },
      "completed",
    );
    for (const [view, read] of Object.entries(REFUNDED_VIEWS))
      await read(now).catch((error: Error) => {
        throw new Error(`${now.parts} of ${order.total} refunded, ${view}: ${error.message}`, {
          cause: error,
        });
      });
  }
  return { ...sale, parts, refunded };
}

/** All at once, a part, all in two parts, or two parts of three. */
function partsOf(total: number, nth: number): number[] {
  const third = Math.floor(total / 3);
  return [[total], [third], [third, total - third], [1, third]][nth % 4]!;
}

const isWhole = ({ order, refunded }: RefundedSale) => refunded === order.total;
const netOf = ({ order, refunded }: RefundedSale) => order.total - refunded - FEE;

type ReadView = (sale: RefundedSale) => Promise<void>;

const REFUNDED_VIEWS: Record<string, ReadView> = {
  "sale details": async (sale) => {
    const { saleId, seller, order, refunded } = sale;
    const page = textOf(
      renderToStaticMarkup(createElement(SaleInfo, { view: await showSale(seller.id, saleId) })),
    );
    expect(amountsIn(page).slice(order.rows.length + 1, order.rows.length + 5), page).toEqual([
      ...[reais(order.total), `-${reais(refunded)}`, `-${reais(FEE)}`],
      netOf(sale) < 0 ? `-${reais(-netOf(sale))}` : reais(netOf(sale)),
    ]);
  },
  "sale API": async (sale) => {
    const { saleId, cookie, order, refunded } = sale;
    const answer = await call(details, `/api/sales/${saleId}/details`, {
      ...{ params: { saleId }, headers: cookie },
    });
    const { sale: seen } = (await answer.json()) as Body;
    const money = {
      ...{ refunded: refunded / 100, fee: FEE / 100, net: netOf(sale) / 100, received: order.total / 100 },
      refund_status: isWhole(sale) ? "done" : "part",
    };
    expect(seen).toMatchObject({
      ...{ amount: order.total / 100, refunded_amount: refunded / 100, net_amount: netOf(sale) / 100 },
      ...{ status: isWhole(sale) ? "refunded" : "completed", payments: [money] },
    });
  },
  receipt: async (sale) => {
    const { saleId, portal, order, refunded } = sale;
    const answer = await call(receipt, `/minhas-compras/${saleId}`, { params: { saleId }, headers: portal });
    const page = textOf(await answer.text());
    expect(page).toContain(`Total pago ${reais(order.total)} Valor devolvido ${reais(refunded)} em `);
    // What can be asked for is what is left; a card's plan names what was paid.
    const others = new Set(amountsIn(page).slice(order.rows.length + 2));
    others.delete(reais(order.total));
    expect([...others], page).toEqual(isWhole(sale) ? [] : [reais(order.total - refunded)]);
  },
  "thank-you page": async (sale) => {
    const { saleId, refunded } = sale;
    const page = textOf(await (await call(thankYou, `/thank-you/${saleId}`, { params: { saleId } })).text());
    if (isWhole(sale)) expect(page).toContain("Esta compra foi devolvida");
    else expect(page).toContain(`${reais(refunded)} desta compra foram devolvidos em `);
  },
  mails: async (sale) => {
    const { saleId, email, order, parts } = sale;
    const said = async <K extends "payment-news" | "refund">(kind: K, data: MailData[K]) =>
      textOf((await renderMail({ kind, saleId, recipient: email, data })).mail.html);
    const rows = await sql<{ kind: "payment-news" | "refund"; data: never }[]>`
      select m.kind, q.data from mails m inner join queued_mails q on q.id = m.id
      where m.sale_id = ${saleId} and m.kind in ('payment-news', 'refund') order by m.created_at, m.id`;
    expect(rows.length).toBe(parts.length);
    for (const [at, { kind, data }] of rows.entries()) {
      const isLast = isWhole(sale) && at === parts.length - 1;
      expect(kind).toBe(isLast ? "refund" : "payment-news");
      const [first] = amountsIn(await said(kind, data));
      expect(first).toBe(reais(parts[at]!));
      if (isLast && at > 0)
        expect(await said(kind, data)).toContain(`voltou todo o valor, de ${reais(order.total)}`);
    }
  },
  programs: async (sale) => {
    const { saleId, order, parts, seller } = sale;
    const facts = await sql<{ id: string; at: Date; event: DeliveryEvent }[]>`
      select r.id, e.at, 'sale.partially_refunded' as event from sale_events e inner join charges c on c.sale_id = e.sale_id
        inner join refunds r on r.charge_id = c.id and r.ended_at = e.at
        where e.seller_id = ${seller.id} and e.sale_id = ${saleId} and e.kind = 'partly_refunded'
      union all select sale_id, at, 'sale.refunded' from sale_events
        where seller_id = ${seller.id} and sale_id = ${saleId} and kind = 'refunded'
      order by at`;
    expect(facts.length).toBe(parts.length);
    let before = 0;
    for (const [at, { id, at: moment, event }] of facts.entries()) {
      const part = parts[at]!;
      for (const program of PROGRAMS) {
        const [body] = await bodiesOf(sale, program, { event, aboutId: id, at: moment });
        if (!body) continue;
        const check = REFUND_CHECKS[program];
        check?.(body, { part, before, total: order.total });
      }
      before += part;
    }
  },
};

type Refund = { part: number; before: number; total: number };
const REFUND_CHECKS: Record<string, (body: Body, refund: Refund) => void> = {
  standard: ({ data }, { part, before, total }) => {
    expect(data.refund).toEqual({ amount: part / 100, amount_cents: part });
    expect([data.sale.amount_cents, data.sale.refunded_cents]).toEqual([total, before + part]);
  },
  ga4: ({ events: [event] }, { part }) => expect(event.params.value).toBe(part / 100),
  utmify: ({ status, commission: money }, { part, before, total }) => {
    const left = before + part === total ? total : total - before - part;
    expect([status, money.totalPriceInCents, money.gatewayFeeInCents + money.userCommissionInCents]).toEqual([
      ...[before + part === total ? "refunded" : "paid", left, left],
    ]);
  },
};

/** What a shop's views show once sales of it were refunded. */
export async function checkRefundedShop(shop: PlayedShop, sales: RefundedSale[]): Promise<void> {
  const { seller, cookie, email } = shop;
  const refunds = new Map(sales.map((sale) => [sale.saleId, sale]));
  const refundedOf = ({ saleId }: PlacedSale) => refunds.get(saleId)?.refunded ?? 0;
  const kept = shop.sales.filter((sale) => sale.order.kind === "free" || refundedOf(sale) < sale.order.total);
  const sum = (of: (sale: PlacedSale) => number) => kept.reduce((all, sale) => all + of(sale), 0);
  const revenue = sum(({ order }) => order.total);
  const net = sum((sale) => (sale.order.kind === "free" ? 0 : sale.order.total - refundedOf(sale) - FEE));
  const { stats, byMethod, points } = await answerOf(shop, reports, "/reports?range=7d");
  const figures = [kept.length, revenue, net];
  expect([stats.sales, stats.revenueCents, stats.netCents], "reports").toEqual(figures);
  const total = (rows: Body[]) => rows.reduce((all, { revenueCents }) => all + revenueCents, 0);
  expect([total(byMethod.rows), total(points)], "reports' parts").toEqual([revenue, revenue]);
  expect(await answerOf(shop, statsApi, "/api/reports/stats?range=7d"), "figures API").toMatchObject({
    ...{ total_sales: kept.length, total_revenue: revenue / 100, net_revenue: net / 100 },
  });
  const csv = await csvOf(await call(exported, "/reports/export?range=7d", { headers: cookie }), [
    ...["Valor", "Recebido", "Devolvido", "Líquido"],
  ]);
  const money = (cents: number) =>
    (cents < 0 ? "-" : "") + reais(Math.abs(cents)).slice(3).replaceAll(".", "");
  const wanted = shop.sales.map((sale) => {
    const { order } = sale;
    const left = order.kind === "free" ? "" : money(order.total - refundedOf(sale) - FEE);
    return [money(order.total), money(order.total), money(refundedOf(sale)), left].join(";");
  });
  expect(csv.sort(), "CSV").toEqual(wanted.sort());
  const ofSeller: Body[] = (await whole(exportSeller(seller.id))).vendas;
  const ofBuyer: Body[] = (await whole(exportBuyer(email))).pedidos;
  for (const sale of shop.sales) {
    const devolucoes = (refunds.get(sale.saleId)?.parts ?? []).map((part) => ({
      situacao: "done",
      valor: part / 100,
    }));
    const find = (all: Body[]) => all.find(({ numero }) => numero === sale.saleId);
    const devolvido = refundedOf(sale) / 100;
    expect(find(ofSeller), "seller's export").toMatchObject({ devolvido, devolucoes });
    expect(find(ofBuyer), "buyer's export").toMatchObject({ valor_devolvido: devolvido, devolucoes });
  }
}
