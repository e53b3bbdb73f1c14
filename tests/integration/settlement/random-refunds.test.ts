import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { openRefund } from "#app/domain/charge/move-refund.server.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { asOfEvent } from "#app/domain/delivery/sale-notification.ts";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { bookSaleRefund } from "#app/domain/sale/book-sale-refund.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import * as salesApi from "#app/routes/api/reports/sales.ts";
import * as statsApi from "#app/routes/api/reports/stats.ts";
import * as receiptPage from "#app/routes/buyer/purchases/receipt.tsx";
import * as receiptFile from "#app/routes/buyer/purchases/receipt-file.ts";
import * as exported from "#app/routes/seller/reports/export.ts";
import { SaleInfo } from "#app/routes/seller/sale/info.tsx";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { reais } from "#tests/integration/orders/carts/names.ts";
import { amountsIn } from "#tests/integration/orders/carts/sale-views.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { readPdf } from "#tests/support/files/pdfs.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { fc } from "#tests/support/random.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });

/** A payment with its fee and what a card's buyer pays in instalments, and how much of it goes back, part by part; cents. */
type Case = {
  cents: number;
  fee: number | null;
  interest: number | null;
  /** Each in percent of what is left. */
  shares: number[];
  isWhole: boolean;
  isRecorded: boolean;
};

const cases = fc.array(
  fc.record<Case>({
    cents: fc.oneof(fc.integer({ min: 50, max: 1000 }), fc.integer({ min: 1001, max: 9_999_999 })),
    fee: fc.option(fc.constantFrom(0, 1, 35, 49)),
    interest: fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 2 }),
    shares: fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 3 }),
    isWhole: fc.boolean(),
    isRecorded: fc.boolean(),
  }),
  { minLength: 6, maxLength: 6 },
);

/** A case with its rows; `parts` went back one after another, `back` is their sum. */
type Played = Awaited<ReturnType<typeof play>>;

async function play(seller: Awaited<ReturnType<typeof makeSeller>>, email: string, of: Case) {
  const product = await makeProduct(seller, { priceCents: of.cents });
  const paymentMethod = of.interest === null ? "pix" : "card";
  const made = { status: "completed", feeCents: of.fee, paymentMethod, customerEmail: email } as const;
  const sale = await makeSale(product, made);
  const card = { method: "card", instalments: 3, buyerCents: of.cents + (of.interest ?? 0) } as const;
  const charge = await makeCharge(sale, {
    ...{ status: "paid", feeCents: of.fee },
    ...(of.interest === null ? {} : { ...card, pixCode: null }),
  });
  const parts: number[] = [];
  const told: { event: DeliveryEvent; aboutId: string }[] = [];
  let back = 0;
  const amounts = of.shares.map((share) => () => Math.floor(((of.cents - back) * share) / 100));
  for (const amount of of.isWhole ? [...amounts, () => of.cents - back] : amounts) {
    const addedCents = amount();
    if (addedCents === 0) continue;
    parts.push(addedCents);
    back += addedCents;
    const aboutId = await refund(
      of,
      { id: sale.id, sellerId: seller.id, chargeId: charge.id },
      addedCents,
      back,
    );
    const isLast = back === of.cents;
    told.push({
      event: isLast ? "sale.refunded" : "sale.partially_refunded",
      aboutId: isLast ? sale.id : aboutId,
    });
  }
  return { ...of, id: sale.id, seller, parts, told, back };
}

function refund(
  { isRecorded }: Case,
  { chargeId, ...sale }: { id: string; sellerId: string; chargeId: string },
  addedCents: number,
  refundedCents: number,
): Promise<string> {
  return db.transaction(async (tx) => {
    const origin = isRecorded ? "recorded" : "observed";
    const done = {
      sellerId: sale.sellerId,
      chargeId,
      amountCents: addedCents,
      status: "done",
      origin,
    } as const;
    const id = await openRefund(tx, done, isRecorded ? "seller" : "provider");
    const cause = isRecorded ? "seller" : "provider";
    await bookSaleRefund(tx, { ...sale, status: "completed" }, { refundedCents, addedCents }, cause);
    return id;
  });
}

test("every place states the same of what went back, part by part and in all", {
  timeout: 120_000,
}, async () => {
  const property = fc.asyncProperty(cases, async (all) => {
    const seller = await makeSeller();
    const email = `devolvido-${crypto.randomUUID()}@exemplo.com.br`;
    const played: Played[] = [];
    for (const one of all) played.push(await play(seller, email, one));
    const portal = await inPortal(email);
    for (const one of played) {
      await compareMails(one, email);
      await compareDeliveries(one);
      await compareReceipt(one, portal);
      await compareSale(one);
    }
    await compareShop(seller, email, played);
  });
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
});

async function compareMails({ id, cents, parts, told }: Played, recipient: string): Promise<void> {
  const mails = await sql`select kind, data from ${mailsWithTexts()}
    where sale_id = ${id} and kind in ('payment-news', 'refund') order by created_at`;
  const texts = [];
  for (const { kind, data } of mails) {
    const { mail } = await renderMail({ kind, saleId: id, recipient, data });
    texts.push(textOf(mail.html));
  }
  expect(texts).toHaveLength(parts.length);
  for (const [at, text] of texts.entries()) {
    // The first amount of a mail is the one that went back, in its preview.
    expect(amountsIn(text)[0], text).toBe(reais(parts[at]!));
    if (told[at]!.event === "sale.refunded") expect(amountsIn(text), text).toContain(reais(cents));
  }
}

async function compareDeliveries({ id, cents, fee, seller, parts, told }: Played): Promise<void> {
  const settings = { url: "https://exemplo.com.br", withDocument: false };
  const pixel = { pixelId: "G-AB12CD34EF", countsPixSince: null, testCode: "" };
  const utmify = { apiUrl: null, sourceId: "checkintelli", isEnabled: true };
  const secrets = { secret: null, previousSecret: null, token: "t" };
  const to = (own: object) => ({ id, sellerId: seller.id, name: "destino", settings: own, ...secrets });
  let back = 0;
  for (const [at, { event, aboutId }] of told.entries()) {
    back += parts[at]!;
    const asked = { sellerId: seller.id, saleId: id, aboutId, event, at: new Date(), email: null };
    const notification = asOfEvent((await readNotification(asked))!);
    const bodiesOf = (kind: "webhook" | "ga4" | "utmify", own: object) => {
      const rendered = DESTINATIONS[kind].render(notification, to(own));
      return "skipReason" in rendered ? [] : rendered.map((body) => JSON.parse(body));
    };
    const [ours] = bodiesOf("webhook", { ...settings, form: "standard" });
    expect(ours.data).toMatchObject({
      sale: { amount_cents: cents, refunded_cents: back },
      refund: { amount_cents: parts[at], amount: parts[at]! / 100 },
    });
    const [ga4] = bodiesOf("ga4", pixel);
    expect(ga4.events[0].params.value).toBe(parts[at]! / 100);
    const [order] = bodiesOf("utmify", utmify);
    const total = event === "sale.refunded" ? cents : cents - back;
    const kept = fee !== null && fee < total ? fee : 0;
    expect(order.commission).toMatchObject({
      ...{ totalPriceInCents: total, gatewayFeeInCents: kept, userCommissionInCents: total - kept },
    });
    for (const form of ["kiwify", "hotmart"])
      expect(bodiesOf("webhook", { ...settings, form })).toHaveLength(event === "sale.refunded" ? 1 : 0);
  }
}

async function compareReceipt({ id, cents, interest, back }: Played, headers: Record<string, string>) {
  const params = { saleId: id };
  const page = textOf(await (await call(receiptPage, `/minhas-compras/${id}`, { params, headers })).text());
  const file = await call(receiptFile, `/minhas-compras/${id}/recibo.pdf`, { params, headers });
  const printed = (await readPdf(new Uint8Array(await file.arrayBuffer()))).text.replace(/\s+/g, " ");
  for (const text of [page, printed]) {
    // The file has each amount before its label.
    const totals = interest
      ? [
          ["Total da compra", reais(cents)] as const,
          ["Total pago no cartão, com juros", reais(cents + interest)] as const,
        ]
      : [["Total pago", reais(cents)] as const];
    for (const [label, total] of totals)
      expect(text).toContain(text === page ? `${label} ${total}` : `${total} ${label}`);
    expect(/Valor devolvido (R\$ [\d.]+,\d\d)/.exec(text)?.[1]).toBe(back > 0 ? reais(back) : undefined);
    if (interest !== null) expect(text).toContain(`em 3x (total ${reais(cents + interest)})`);
  }
  // What can still be asked for.
  if (back < cents && back > 0) expect(page).toContain(reais(cents - back));
}

async function compareSale({ id, cents, fee, back, seller }: Played): Promise<void> {
  const view = await showSale(seller.id, id);
  const page = textOf(renderToStaticMarkup(createElement(SaleInfo, { view })));
  expect(page).toContain(`Valor ${reais(cents)}`);
  const { receivedCents, refundedCents, netCents } = view.sale;
  expect([receivedCents, refundedCents, netCents]).toEqual([cents, back, cents - back - (fee ?? 0)]);
  const { money } = view.paymentSummary;
  expect([money.receivedCents, money.refundedCents, money.netCents]).toEqual([
    ...[receivedCents, refundedCents, netCents],
  ]);
  expect(money.countedCents).toBe(cents - back);
}

async function compareShop(seller: Played["seller"], email: string, played: Played[]): Promise<void> {
  const headers = await signedIn(seller);
  const kept = played.filter(({ cents, back }) => back < cents);
  const revenue = sum(kept, ({ cents }) => cents);
  const net = sum(kept, ({ cents, back, fee }) => cents - back - (fee ?? 0));
  const stats = await (await call(statsApi, "/api/reports/stats?range=7d", { headers })).json();
  expect(stats).toMatchObject({
    ...{ total_sales: kept.length, total_revenue: revenue / 100, net_revenue: net / 100 },
  });
  const listed = await (await call(salesApi, "/api/reports/sales?range=7d&limit=100", { headers })).json();
  const file = await (await call(exported, "/reports/export?range=7d", { headers })).text();
  const [head, ...rows] = file
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((row) => row.split(";"));
  const names = ["Valor", "Recebido", "Devolvido", "Taxa", "Líquido"];
  const inFile = rows.map((row) => names.map((name) => row[head!.indexOf(name)]).join(" "));
  const [ofSeller, ofBuyer] = [await whole(exportSeller(seller.id)), await whole(exportBuyer(email))];
  expect(inFile.sort()).toEqual(
    played
      .map(({ cents, back, fee }) =>
        [cents, cents, back, fee, cents - back - (fee ?? 0)]
          .map((amount) => (amount === null ? "" : (amount / 100).toFixed(2).replace(".", ",")))
          .join(" "),
      )
      .sort(),
  );
  for (const { id, cents, back, fee, parts } of played) {
    expect(listed.find((sale: { id: string }) => sale.id === id)).toMatchObject({
      ...{ amount: cents / 100, received_amount: cents / 100, refunded_amount: back / 100 },
      net_amount: (cents - back - (fee ?? 0)) / 100,
    });
    const numbered = ({ numero }: { numero: string }) => numero === id;
    const devolucoes = parts.map((part) => ({ valor: part / 100, situacao: "done" }));
    expect(ofSeller.vendas.find(numbered)).toMatchObject({ devolvido: back / 100, devolucoes });
    expect(ofBuyer.pedidos.find(numbered)).toMatchObject({ valor_devolvido: back / 100, devolucoes });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each export has its own names.
async function whole(pieces: AsyncGenerator<string>): Promise<any> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
}

const sum = <T>(all: T[], of: (one: T) => number) => all.reduce((so, one) => so + of(one), 0);
