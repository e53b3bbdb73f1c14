import { expect, test } from "vitest";
import { shortNumber } from "#app/kit/uuid.ts";
import { renderOnePagePdf } from "#app/platform/pdf/render-one-page.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import * as purchases from "#app/routes/buyer/purchases/purchases.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import * as file from "#app/routes/buyer/purchases/receipt-file.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { fromElsewhere, inBrowserOf, inPortal } from "#tests/integration/buyer/support.ts";
import { textOf } from "#tests/integration/scenarios/views.ts";
import { sql } from "#tests/support/database.ts";
import { readPdf } from "#tests/support/files/pdfs.ts";
import { makeCharge, makeCoupon, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeStore } from "#tests/support/rows/make-storefront.ts";

let count = 0;
const buyer = () => `compra-${++count}-${process.pid}@recibo.exemplo.com.br`;

async function bought(email: string, name = "Conceição Araújo") {
  const seller = await makeSeller();
  await makeStore(seller);
  return makeSale(await makeProduct(seller, { name: "Curso de Crochê", priceCents: 4700 }), {
    status: "completed",
    completedAt: new Date(),
    amountCents: 4700,
    customerEmail: email,
    customerName: name,
    customerDocumentSealed: seal("52998224725"),
  });
}

const open = (sale: { id: string }, headers: Record<string, string>) =>
  call(file, `/minhas-compras/${sale.id}/recibo.pdf`, { params: { saleId: sale.id }, headers });

test("a coupon is a row of page and file, with a minus", async () => {
  const email = buyer();
  const sale = await bought(email);
  const coupon = await makeCoupon({ id: sale.sellerId }, { code: "VOLTA20", percent: 20 });
  await sql`update sales set coupon_id = ${coupon.id}, coupon_code = 'VOLTA20' where id = ${sale.id}`;
  await sql`update sale_lines set discount_cents = 1175 where sale_id = ${sale.id}`;
  const headers = await inPortal(email);
  const page = await call(receipt, `/minhas-compras/${sale.id}`, { params: { saleId: sale.id }, headers });
  const { text } = await readPdf(new Uint8Array(await (await open(sale, headers)).arrayBuffer()));
  const lines = text.split("\n");
  for (const shown of [
    "Curso de Crochê",
    "R$ 58,75",
    "Cupom VOLTA20",
    "- R$ 11,75",
    "Total pago",
    "R$ 47,00",
  ])
    expect(lines).toContain(shown);
  expect(await page.text()).toContain("− R$ 11,75");
});

test("a card with interest has a total of the purchase and one of the card, the same wherever its buyer looks", async () => {
  const email = buyer();
  const sale = await bought(email);
  await sql`update sales set payment_method = 'card' where id = ${sale.id}`;
  const card = { method: "card", instalments: 12, buyerCents: 5340, pixCode: null } as const;
  await makeCharge(sale, { status: "paid", ...card });
  const headers = await inPortal(email);
  const shown = { params: { saleId: sale.id }, headers };
  const page = textOf(await (await call(receipt, `/minhas-compras/${sale.id}`, shown)).text());
  const file = (await readPdf(new Uint8Array(await (await open(sale, headers)).arrayBuffer()))).text;
  for (const [label, amount] of [
    ["Total da compra", "R$ 47,00"],
    ["Total pago no cartão, com juros", "R$ 53,40"],
  ]) {
    expect(page).toContain(`${label} ${amount}`);
    expect(file).toContain(`${amount}\n${label}`);
  }
  expect(page + file).not.toMatch(/Total pago\s+R|Total pago\n/);
  const list = textOf(await (await call(purchases, "/minhas-compras", { headers })).text());
  expect(list).toContain("Cartão em 12x (total R$ 53,40)");
  const thanks = textOf(await (await call(thankYou, `/thank-you/${sale.id}`, shown)).text());
  expect(thanks).toContain("Valor R$ 47,00 Cartão 12x (total R$ 53,40)");
});

test("page and file show seller, buyer and a masked document, and agree", async () => {
  const email = buyer();
  const sale = await bought(email);
  const headers = await inPortal(email);
  const page = await call(receipt, `/minhas-compras/${sale.id}`, { params: { saleId: sale.id }, headers });
  const answer = await open(sale, headers);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/pdf",
    "cache-control": "no-store",
    "content-disposition": expect.stringMatching(/^attachment; filename="recibo-[0-9a-f]{8}\.pdf"/),
  });
  const { text, pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  expect(pages).toBe(1);
  const html = (await page.text())
    .replaceAll("\u00a0", " ")
    .replace(/<span class="nowrap">(CEP [\d-]+)<\/span>/, "$1");
  for (const said of [
    "Curso de Crochê",
    "R$ 47,00",
    "Ateliê da Vera Cursos Ltda., CNPJ 11.222.333/0001-81",
    "Rua das Flores, 10, Sala 2, Centro, Campinas/SP, CEP 13010-000",
    "Conceição Araújo",
    "***.982.247-**",
    email,
    shortNumber(sale.id),
    "Este recibo não é uma nota fiscal.",
  ]) {
    expect(text.replaceAll("\n", " "), said).toContain(said);
    expect(html, said).toContain(said);
  }
  expect(text + html).not.toContain("529.982");
  // The whole number is in addresses alone.
  expect(text).not.toContain(sale.id);
  expect(html.replaceAll(/="[^"]*"/g, "")).not.toContain(sale.id);
});

test("a receipt is only its buyer's, and its rendering is rate-limited", async () => {
  const email = buyer();
  const sale = await bought(email);
  const nobody = await open(sale, fromElsewhere());
  expect([nobody.status, nobody.headers.get("location")]).toEqual([302, "/minhas-compras"]);
  const other = buyer();
  await bought(other);
  expect((await open(sale, await inPortal(other))).status).toBe(404);
  const headers = await inPortal(email);
  for (let rendered = 0; rendered < 30; rendered++) expect((await open(sale, headers)).status).toBe(200);
  expect((await open(sale, headers)).status).toBe(429);
});

test("the file has one page, whatever was typed", async () => {
  const odd = [
    "a".repeat(100_000),
    "Ana ".repeat(5000),
    "\ud800 \u0000 \u202e",
    "日本語 عربى 👩‍👩‍👧‍👧",
    "Łukasz Őry\nduas linhas",
    "",
  ];
  const parts = odd.flatMap((text) => [
    { kind: "amount" as const, label: text, value: text },
    { kind: "fact" as const, label: text, value: text },
    { kind: "note" as const, text },
    { kind: "heading" as const, text },
  ]);
  for (const times of [1, 10]) {
    const { pages } = await readPdf(await renderOnePagePdf(odd[2]!, Array(times).fill(parts).flat()));
    expect(pages).toBe(1);
  }
  const { text } = await readPdf(await renderOnePagePdf("Recibo", [{ kind: "note", text: odd[4]! }]));
  expect(text).toContain("Lukasz Ory duas linhas");
});

test("a purchase without an e-mail asks the buyer to save its link, and links nowhere else", async () => {
  const sale = await makeSale(await makeProduct(await makeSeller()), {
    status: "completed",
    completedAt: new Date(),
    customerEmail: null,
  });
  const show = async (headers: Record<string, string>) =>
    (await call(thankYou, `/thank-you/${sale.id}`, { params: { saleId: sale.id }, headers })).text();
  const own = await show(await inBrowserOf(sale));
  for (const words of ["Guarde este link", `/thank-you/${sale.id}</textarea>`, "Adicionar um e-mail"])
    expect(own).toContain(words);
  expect(own).not.toContain("Ver todas as minhas compras");
  const elsewhere = await show(fromElsewhere());
  expect(elsewhere).toContain("Guarde este link");
  expect(elsewhere).not.toContain("Adicionar um e-mail");
});
