import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { batchDb } from "#app/db/client.server.ts";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { exportBuyer } from "#app/domain/erasure/export-buyer.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { readSalesFilter } from "#app/domain/reports/sales-filter.ts";
import { streamCsv } from "#app/domain/reports/stream-csv.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import * as buyersFile from "#app/routes/buyer/purchases/my-data-file.ts";
import * as salesFile from "#app/routes/seller/reports/export.ts";
import * as sellersFile from "#app/routes/seller/settings/closing-file.ts";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeOffer, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail, stopLinkTo } from "#tests/support/rows/make-mail.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

const DOCUMENT = "52998224725";

async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

test("a buyer's file is indented throughout, and lists mails and sessions of the address itself", async () => {
  const email = `zoe-${randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  for (let n = 0; n < 2; n++)
    await makeSale(product, { customerEmail: email, customerDocumentSealed: seal(DOCUMENT) });
  await makeMail({ kind: "buyer-link", recipient: email });
  // A seller has the same address.
  await makeMail({ kind: "security-notice", recipient: email, sellerId: seller.id });
  await sql`insert into buyer_sessions (email, link_hash, token_hash, created_at, expires_at) values
    (${email}, ${randomUUID()}, null, now() - interval '1 hour', now()),
    (${email}, ${randomUUID()}, ${randomUUID()}, now(), now())`;
  const text = await textOf(exportBuyer(email));
  const data = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify(data, null, 2)}\n`);
  expect(data.pedidos).toHaveLength(2);
  expect(data.outros_emails).toMatchObject([{ tipo: "buyer-link", situacao: "attempting" }]);
  expect(data.acessos_a_minhas_compras).toMatchObject([{ aberto: false }, { aberto: true }]);
});

test("a buyer's file says how each payment was made, and what a card cost with interest", async () => {
  const email = `rui-${randomUUID()}@exemplo.com.br`;
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed", customerEmail: email, paymentMethod: "card" });
  const card = { method: "card", instalments: 12, buyerCents: 11020, pixCode: null } as const;
  await makeCharge(sale, { status: "paid", ...card });
  const data = JSON.parse(await textOf(exportBuyer(email)));
  expect(data.pedidos[0].pagamentos).toMatchObject([
    { forma: "card", valor: 97, recebido: 97, parcelas: 12, total_com_juros: 110.2 },
  ]);
});

test("a buyer's file has offer and quantity, each payment's history, refused reminders and a request for erasure that waits", async () => {
  const email = `ida-${randomUUID()}@exemplo.com.br`;
  const seller = await makeSeller({ name: "Vera", company: null });
  const product = await makeProduct(seller);
  const { id: offerId } = await makeOffer(product);
  const sale = await makeSale(product, { customerEmail: email, quantity: 2, offerId, offerName: "Lote 1" });
  const charge = await makeCharge(sale);
  await sql`insert into charge_events (seller_id, charge_id, kind, data, cause)
    values (${seller.id}, ${charge.id}, 'made', '{"detail": "conta do vendedor"}', 'provider')`;
  await makeMail({ kind: "pix", recipient: "antes@exemplo.com.br", saleId: sale.id });
  await stopReminders(stopLinkTo(sale.id, email));
  const before = JSON.parse(await textOf(exportBuyer(email)));
  expect(before.pedido_para_apagar_os_dados).toBeNull();
  await requestErasure(email);
  const text = await textOf(exportBuyer(email));
  const data = JSON.parse(text);
  expect(text).toBe(`${JSON.stringify(data, null, 2)}\n`);
  expect(data.pedidos).toMatchObject([
    { oferta: "Lote 1", quantidade: 2, pagamentos: [{ historico: [{ o_que: "made", por: "provider" }] }] },
  ]);
  expect(data.lembretes_recusados).toMatchObject([{ vendido_por: "Vera" }]);
  expect(data.pedido_para_apagar_os_dados).toMatchObject({ pedido_em: expect.any(String) });
  // An address of before may be somebody else's, and a detail of the provider is its seller's.
  for (const left of ["Tudo o que", "antes@exemplo.com.br", "conta do vendedor"])
    expect(text).not.toContain(left);
});

test("a seller's file has the document of each buyer, and what is for sale", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { name: "À venda" });
  await makeProduct(seller, { name: "Desligado", deactivatedAt: new Date() });
  await makeProduct(seller, { name: "Excluído", archivedAt: new Date() });
  const documented = await makeSale(product, { customerDocumentSealed: seal(DOCUMENT) });
  const other = await makeSale(product);
  const text = await textOf(exportSeller(seller.id));
  expect(text).toMatch(/^\{\n {2}"gerado_em": "/);
  const { produtos, vendas } = JSON.parse(text) as {
    produtos: { nome: string; ligado: boolean }[];
    vendas: { numero: string; documento: string | null }[];
  };
  expect(produtos.map(({ nome, ligado }) => [nome, ligado])).toEqual([
    ["À venda", true],
    ["Desligado", false],
    ["Excluído", false],
  ]);
  const documents = Object.fromEntries(vendas.map(({ numero, documento }) => [numero, documento]));
  expect(documents).toEqual({ [documented.id]: DOCUMENT, [other.id]: null });
});

test("a seller's file has the destinations that were not removed", async () => {
  const seller = await makeSeller();
  await makeTracking(seller, { sourceId: "loja" });
  await makeWebhook(seller, { name: "CRM" });
  await makeWebhook(seller, { name: "Antigo", deletedAt: new Date() });
  const { configuracoes } = JSON.parse(await textOf(exportSeller(seller.id)));
  expect(configuracoes.utmify).toEqual({ origem: "loja", ligado: true });
  expect(configuracoes.destinos).toMatchObject([{ tipo: "webhook", nome: "CRM" }]);
});

test("a seller's file has what was removed and paid for, with the name and the link that it was sold with last", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sell = async (contentId: string, sold: { name: string; fileUrl: string; fields: object }) => {
    const sale = await makeSale(product, sold.fields);
    const [line] = await sql`update sale_lines set name = ${sold.name}, file_url = ${sold.fileUrl}
      where sale_id = ${sale.id} returning id`;
    await sql`insert into line_contents (line_id, seller_id, content_id)
      values (${line!.id}, ${seller.id}, ${contentId})`;
  };
  const [paid, ordered] = (await sql`insert into contents (seller_id)
    values (${seller.id}), (${seller.id}) returning id`) as unknown as { id: string }[];
  const link = (name: string) => `https://exemplo.com.br/${name}`;
  const completed = (createdAt: Date) => ({ status: "completed", createdAt, completedAt: createdAt });
  const [older, newer] = [new Date("2026-03-05T12:00:00Z"), new Date("2026-03-06T12:00:00Z")];
  await sell(paid!.id, { name: "Apostila", fileUrl: link("nova"), fields: completed(newer) });
  await sell(paid!.id, { name: "Caderno", fileUrl: link("velha"), fields: completed(older) });
  await sell(paid!.id, { name: "Não pago", fileUrl: link("outra"), fields: {} });
  await sell(ordered!.id, { name: "Não pago", fileUrl: link("outra"), fields: {} });
  const { conteudos_removidos } = JSON.parse(await textOf(exportSeller(seller.id)));
  expect(conteudos_removidos).toEqual([
    { produto: product.id, vendido_como: "Apostila", arquivo: link("nova"), conteudo: [] },
  ]);
});

test("a seller's export says what was received, and what went back, as the table of sales does", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const { id: offerId } = await makeOffer(product);
  const sale = await makeSale(product, { quantity: 2, offerId, offerName: "Lote 1" });
  const charge = await makeCharge(sale, {
    status: "mispaid",
    paidAt: new Date(),
    paidCents: 5000,
    feeCents: 35,
  });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    values (${charge.id}, ${seller.id}, 2000, 'done', 'requested', now())`;
  const filter = readSalesFilter(new URLSearchParams(), new Date());
  const [names, values] = (await textOf(streamCsv(seller.id, filter))).split("\r\n");
  const csv = Object.fromEntries(names!.split(";").map((name, at) => [name, values!.split(";")[at]]));
  expect(csv).toMatchObject({ Recebido: "50,00", Devolvido: "20,00", Taxa: "0,35", Líquido: "29,65" });
  const [sold] = JSON.parse(await textOf(exportSeller(seller.id))).vendas;
  expect(sold).toMatchObject({
    ...{ quantidade: 2, oferta: "Lote 1" },
    ...{ recebido: 50, devolvido: 20, taxa: 0.35, liquido: 29.65 },
    pagamentos: [{ situacao: "mispaid", valor: 97, recebido: 50, taxa: 0.35 }],
    devolucoes: [{ situacao: "done", valor: 20, numero_no_provedor: charge.providerId }],
  });
});

test.each([
  { path: "/settings/close/dados.json", route: sellersFile, database: reportsDb, reads: "execute" },
  { path: "/reports/export", route: salesFile, database: reportsDb, reads: "select" },
  { path: "/minhas-compras/meus-dados.json", route: buyersFile, database: batchDb, reads: "execute" },
] as const)("$path says so where its first rows cannot be read, and the next one is made", async (file) => {
  const { path, route, database, reads } = file;
  const seller = await makeSeller();
  const email = `zoe-${randomUUID()}@exemplo.com.br`;
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  const browser = route === buyersFile ? await inPortal(email) : await signedIn(seller);
  const headers = { ...browser, Accept: "text/html" };
  const reading = vi.spyOn(database as typeof batchDb, reads).mockImplementation(() => {
    throw new Error("no rows");
  });
  const failed = await call(route, path, { headers });
  reading.mockRestore();
  expect([failed.status, failed.headers.get("content-disposition")]).toEqual([500, null]);
  expect(await failed.text()).toContain("Erro interno. Tente novamente.");
  const made = await call(route, path, { headers });
  expect([made.status, made.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringContaining("attachment"),
  ]);
  expect(await made.text()).toContain(email);
});
