import { expect } from "vitest";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { readDigest } from "#app/domain/sale/mails/read-digest.server.ts";
import { renderDigestMail } from "#app/domain/sale/mails/render-digest-mail.server.ts";
import { DAY } from "#app/kit/duration.ts";
import * as chartApi from "#app/routes/api/reports/chart.ts";
import * as dashboardApi from "#app/routes/api/reports/dashboard.ts";
import * as salesApi from "#app/routes/api/reports/sales.ts";
import * as statsApi from "#app/routes/api/reports/stats.ts";
import * as utmifyDebug from "#app/routes/api/utmfy/debug.ts";
import * as purchases from "#app/routes/buyer/purchases/purchases.tsx";
import * as dashboard from "#app/routes/seller/dashboard/dashboard.tsx";
import * as exported from "#app/routes/seller/reports/export.ts";
import * as reports from "#app/routes/seller/reports/reports.tsx";
import { reais } from "#tests/integration/orders/carts/names.ts";
import type { CartShop } from "#tests/integration/orders/carts/open-cart-shop.ts";
import { FEE, type PlacedSale } from "#tests/integration/orders/carts/placed-sale.ts";
import { amountsIn } from "#tests/integration/orders/carts/sale-views.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";

/** A shop whose carts were played. Every one of its sales is paid. */
export type PlayedShop = CartShop & { sales: PlacedSale[] };

// biome-ignore lint/suspicious/noExplicitAny: each answer has its own names.
type Body = any;

/** What reports on all sales of a shop. */
export const SHOP_VIEWS: Record<string, (shop: PlayedShop) => Promise<void>> = {
  "nothing of a refused order": async ({ seller, sales }) => {
    const [left] = await sql`select
      (select count(*)::int from sales where seller_id = ${seller.id}) as sales,
      (select count(*)::int from charges where seller_id = ${seller.id}) as charges,
      (select count(*)::int from coupon_uses where seller_id = ${seller.id}) as coupons,
      (select coalesce(sum(uses), 0)::int from coupons where seller_id = ${seller.id}) as uses,
      (select coalesce(sum(quantity), 0)::int from offer_uses where seller_id = ${seller.id}) as offers,
      (select coalesce(sum(units), 0)::int from offers where seller_id = ${seller.id}) as units`;
    const withCoupon = sales.filter(({ order }) => order.couponCode).length;
    const units = sum(
      sales.filter(({ order }) => order.offerName),
      ({ order }) => order.quantity,
    );
    expect(left).toEqual({
      ...{ sales: sales.length, charges: sales.filter(({ chargeId }) => chargeId).length },
      ...{ coupons: withCoupon, uses: withCoupon, offers: units, units },
    });
  },
  "buyer portal": async ({ sales }) => {
    const seen: (readonly [string, string])[] = [];
    let path: string | undefined = "/minhas-compras";
    while (path) {
      const html: string = await (await call(purchases, path, { headers: sales[0]!.portal })).text();
      for (const article of html.split("<article").slice(1)) {
        const id = /id="compra-([^"]+)"/.exec(article)![1]!;
        seen.push([id, [...new Set(amountsIn(textOf(article.split("</article>")[0]!)))].join(" ")]);
      }
      path = /class="btn" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(new Map(seen)).toEqual(new Map(sales.map(({ saleId, order }) => [saleId, reais(order.total)])));
  },
  "sales list": async (shop) => {
    const seen: Body[] = [];
    let query = "";
    do {
      const page = await answerOf(shop, reports, `/reports?range=7d${query}`);
      seen.push(...page.sales.map((sale: Body) => [sale.id, sale.amountCents]));
      query = page.older ? `&before=${page.older}` : "";
    } while (query);
    expect(new Map(seen)).toEqual(new Map(shop.sales.map(({ saleId, order }) => [saleId, order.total])));
  },
  reports: async (shop) => {
    const { stats, points, ...by } = await answerOf(shop, reports, "/reports?range=7d");
    const [revenue, net] = totalsOf(shop.sales);
    expect([stats.sales, stats.revenueCents, stats.netCents]).toEqual([shop.sales.length, revenue, net]);
    expect(sum(points, (point: Body) => point.revenueCents)).toBe(revenue);
    const keys = {
      byProduct: ({ productId }: PlacedSale) => String(productId),
      byCoupon: ({ order }: PlacedSale) => order.couponCode ?? "",
      byOffer: ({ offerId }: PlacedSale) => offerId ?? "",
      byMethod: ({ order }: PlacedSale) => (order.kind === "free" ? "free" : order.isCard ? "card" : "pix"),
    };
    for (const [name, key] of Object.entries(keys)) {
      const wanted = Map.groupBy(shop.sales, key);
      const rows: Body[] = by[name].rows;
      expect(rows.length, name).toBe(Math.min(20, wanted.size));
      for (const row of rows) {
        const sold = wanted.get(row.key)!;
        const isByCoupon = name === "byCoupon";
        expect([row.sold, row.revenueCents, row.discountCents, row.created], `${name} ${row.key}`).toEqual([
          ...[sold.length, totalsOf(sold)[0]],
          ...(isByCoupon ? [sum(sold, ({ order }) => order.discount), sold.length] : [0, 0]),
        ]);
      }
    }
  },
  CSV: async ({ cookie, sales }) => {
    const names = [
      "Produto",
      "Valor",
      "Devolvido",
      "Taxa",
      "Líquido",
      "Recebido",
      "Cupom",
      "Desconto",
      "Oferta",
      "Quantidade",
    ];
    const seen = await csvOf(await call(exported, "/reports/export?range=7d", { headers: cookie }), names);
    const money = (cents: number) => reais(cents).slice(3).replaceAll(".", "");
    const wanted = sales.map(({ order }) => {
      const { total, couponCode, discount } = order;
      // Nothing was received for a free order, so nobody kept a fee.
      const kept = order.kind === "free" ? ["", ""] : [money(FEE), signed(total - FEE, money)];
      return [
        ...[order.about, money(total), money(0), ...kept, money(total)],
        ...[
          couponCode ?? "",
          couponCode ? money(discount) : "",
          order.offerName ?? "",
          String(order.quantity),
        ],
      ].join(";");
    });
    expect(seen.sort()).toEqual(wanted.sort());
  },
  "sales API": async (shop) => {
    const answer = await answerOf(shop, salesApi, "/api/reports/sales?range=7d&limit=100");
    const seen = answer.map(({ id, amount, quantity, coupon }: Body) => [
      id,
      amount,
      quantity,
      coupon?.discount,
    ]);
    expect(byId(seen)).toEqual(
      byId(
        shop.sales.map(({ saleId, order }) => [
          ...[saleId, order.total / 100, order.quantity],
          order.couponCode ? order.discount / 100 : undefined,
        ]),
      ),
    );
  },
  "figures APIs": async (shop) => {
    const [revenue, net] = totalsOf(shop.sales).map((cents) => cents / 100);
    const stats = await answerOf(shop, statsApi, "/api/reports/stats?range=7d");
    expect(stats).toMatchObject({ total_sales: shop.sales.length, total_revenue: revenue, net_revenue: net });
    const chart = await answerOf(shop, chartApi, "/api/reports/chart?range=7d");
    expect(sum(chart, (point: Body) => point.revenue)).toBeCloseTo(revenue!, 2);
    const { sevenDays } = await answerOf(shop, dashboardApi, "/api/dashboard/stats");
    expect(sevenDays).toEqual({ count: shop.sales.length, total: revenue });
  },
  dashboard: async (shop) => {
    const { sales } = await answerOf(shop, dashboard, "/dashboard");
    const totals = new Map(shop.sales.map(({ saleId, order }) => [saleId, reais(order.total)]));
    for (const { id, amount } of sales) expect(amount).toBe(totals.get(id));
    expect(sales.length).toBe(Math.min(6, shop.sales.length));
  },
  "UTMify debug": async (shop) => {
    const answer = JSON.stringify(await answerOf(shop, utmifyDebug, "/api/utmfy/debug?limit=100"));
    for (const { saleId, order } of shop.sales)
      expect(new RegExp(`"id":"${saleId}"[^}]*?"amount":([\\d.]+)`).exec(answer)?.[1]).toBe(
        String(order.total / 100),
      );
  },
  digest: async ({ seller, sales }) => {
    const [before, from, until] = [-2, -1, 1].map((days) => new Date(Date.now() + days * DAY)) as [
      Date,
      Date,
      Date,
    ];
    const period = { before, from, until, name: "hoje" };
    const digest = await readDigest(seller.id, period);
    const [revenue] = totalsOf(sales);
    expect([digest.count, digest.cents]).toEqual([sales.length, revenue]);
    const paid = new Map<string, number>();
    for (const { order } of sales)
      for (const line of order.lines) {
        // However many units a line has, it is of one product.
        const name = line.quantity > 1 ? line.name.replace(`${line.quantity} × `, "") : line.name;
        paid.set(name, (paid.get(name) ?? 0) + line.paid);
      }
    for (const { name, cents } of digest.products) expect(cents, name).toBe(paid.get(name));
    expect(textOf(renderDigestMail("weekly", period, digest).html)).toContain(reais(revenue!));
  },
  "seller's export": async ({ seller, sales }) => {
    compareExport((await whole(exportSeller(seller.id))).vendas, sales);
  },
  "buyer's export": async ({ email, sales }) => {
    compareExport((await whole(exportBuyer(email))).pedidos, sales);
  },
};

/** These columns of a file's rows. */
export async function csvOf(answer: Response, names: string[]): Promise<string[]> {
  const [head, ...rows] = (await answer.text())
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((row) => row.split(";"));
  return rows.map((row) => names.map((name) => row[head!.indexOf(name)]).join(";"));
}

function compareExport(seen: Body[], sales: PlacedSale[]): void {
  const wanted = sales.map(({ saleId, order }) => ({
    ...{ numero: saleId, valor: order.total / 100, cupom: order.couponCode },
    itens: order.lines.map(({ name, paid, discount, off }) => ({
      nome: name,
      valor: paid / 100,
      desconto: (discount + off) / 100,
    })),
    pagamentos: order.kind === "free" ? [] : [{ valor: order.total / 100 }],
  }));
  expect(seen.length).toBe(sales.length);
  for (const sale of wanted) expect(seen.find(({ numero }) => numero === sale.numero)).toMatchObject(sale);
}

export async function whole(pieces: AsyncGenerator<string>): Promise<Body> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
}

export async function answerOf({ cookie }: CartShop, route: RouteModule, path: string): Promise<Body> {
  return (await call(route, path, { headers: cookie })).json();
}

/** Revenue, and what remains of it after fees. */
function totalsOf(sales: PlacedSale[]): [revenue: number, net: number] {
  const revenue = sum(sales, ({ order }) => order.total);
  return [revenue, revenue - FEE * sales.filter(({ order }) => order.kind === "paid").length];
}

const signed = (cents: number, text: (cents: number) => string) =>
  cents < 0 ? `-${text(-cents)}` : text(cents);
const sum = <T>(all: T[], of: (one: T) => number) => all.reduce((so, one) => so + of(one), 0);
const byId = (rows: Body[][]) => new Map(rows.map(([id, ...rest]) => [id, rest]));
