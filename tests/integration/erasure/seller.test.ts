import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { TEXT_COLUMNS } from "#app/db/schema/text-columns.ts";
import { anonymizeClosedAccounts } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { closeAccount, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import * as closingPage from "#app/routes/seller/settings/closing.tsx";
import { findTexts } from "#tests/integration/erasure/support.ts";
import { buy } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { countStatements, holdLock, sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { columnName } from "#tests/support/rows/schema-tables.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ web: 1, worker: 0 });
});

const run = () => anonymizeClosedAccounts.handle({}, { number: 1, last: false });

async function openShop(fields: Parameters<typeof makeSeller>[0] = {}) {
  const seller = await makeSeller(fields);
  await makeGateway(seller);
  return { seller, product: await makeProduct(seller) };
}

async function browserOf(seller: { id: string }) {
  return { ...(await signedIn(seller)), "X-Forwarded-For": newAddress(), Origin: app.url };
}

const post = (headers: Record<string, string>, fields: Record<string, string>) =>
  app.fetch("/settings/close", {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
const CLOSE = { intent: "close", understood: "yes" };

const closedAt = async (seller: { id: string }) =>
  (await sql`select closed_at from sellers where id = ${seller.id}`)[0]!.closed_at as Date | null;

const statusOf = async (path: string) =>
  (await app.fetch(path, { headers: { "X-Forwarded-For": newAddress() } })).status;

/** As if it had been closed so many days ago. */
const closedFor = (seller: { id: string }, days: number) =>
  sql`update sellers set closed_at = now() - make_interval(days => ${days}) where id = ${seller.id}`;

test("closing needs the tick and a recent sign-in; then the shop is down at once and the seller is notified", async () => {
  const { seller, product } = await openShop();
  const headers = await browserOf(seller);
  expect(await statusOf(`/checkout/${product.id}`)).toBe(200);
  expect((await post(headers, { intent: "close" })).status).toBe(400);
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where seller_id = ${seller.id}`;
  expect((await post(headers, CLOSE)).headers.get("location")).toBe("/confirm-identity");
  expect(await closedAt(seller)).toBeNull();
  await sql`update sessions set authenticated_at = now() where seller_id = ${seller.id}`;
  expect((await post(headers, CLOSE)).headers.get("location")).toBe("/settings/close");
  await until(async () => (await statusOf(`/checkout/${product.id}`)) === 404, {
    what: "the checkout to be down",
  });
  expect(await sql`select subject from mails where recipient = ${seller.email}`).toEqual([
    { subject: "Aviso de segurança: sua conta foi encerrada" },
  ]);
});

test("the page of the closing names the sales that wait for the seller", async () => {
  const { seller, product } = await openShop();
  await makeSale(product, { status: "completed" });
  const headers = await browserOf(seller);
  const shown = async () =>
    (await (await app.fetch("/settings/close", { headers })).text()).replaceAll("<!-- -->", "");
  expect(await shown()).not.toMatch(/esperam? por você/);
  const { id } = await makeSale(product, { status: "completed" });
  await recordDispute(seller.id, id);
  expect(await shown()).toContain("1 venda espera por você");
});

test("the page of a closed account names what waits for the seller, and until when it can be reopened", async () => {
  const { seller, product } = await openShop();
  const headers = await browserOf(seller);
  const shown = async () => (await app.fetch("/settings/close", { headers })).text();
  await sql`update sellers set closed_at = now() where id = ${seller.id}`;
  expect(await shown()).not.toMatch(/esperam? por você/);
  const { id: asked } = await makeSale(product, { status: "completed" });
  await sql`insert into refund_requests (sale_id, seller_id, kind) values (${asked}, ${seller.id}, 'question')`;
  expect(await shown()).toContain("1 pedido de reembolso espera por você: reabra a conta antes de");
  const { id: disputed } = await makeSale(product, { status: "completed" });
  await recordDispute(seller.id, disputed);
  const day = formatDate(anonymizationDate((await closedAt(seller))!));
  expect(await shown()).toContain(
    `1 pedido de reembolso e 1 venda esperam por você: reabra a conta antes de ${day} para resolver.`,
  );
  await closedFor(seller, 31);
  expect(await shown()).not.toMatch(/esperam? por você/);
});

test("the page counts all that waits, also more than the dashboard lists", async () => {
  const { seller, product } = await openShop();
  const headers = await browserOf(seller);
  const shown = async () =>
    (await (await app.fetch("/settings/close", { headers })).text()).replaceAll("<!-- -->", "");
  const { id: asked } = await makeSale(product, { status: "completed" });
  await sql`insert into refund_requests (sale_id, seller_id, kind, created_at)
    values (${asked}, ${seller.id}, 'question', now() - interval '7 days')`;
  for (let n = 0; n < 22; n++)
    await recordDispute(seller.id, (await makeSale(product, { status: "completed" })).id);
  expect(await shown()).toContain("22 vendas esperam por você: devoluções");
  await sql`update sellers set closed_at = now() where id = ${seller.id}`;
  expect(await shown()).toContain("1 pedido de reembolso e 22 vendas esperam por você: reabra");
});

test("a closed account opens only its own page and its file, not the dashboard, the API, a key or another session", async () => {
  const { seller } = await openShop();
  const headers = await browserOf(seller);
  const other = await browserOf(seller);
  const key = await createApiKey(seller.id, { name: "Chave", scopes: [...SCOPES] });
  const withKey = { Authorization: `Bearer ${key}`, "X-Forwarded-For": newAddress() };
  expect((await app.fetch("/api/products", { headers: withKey })).status).toBe(200);
  await post(headers, CLOSE);
  const at = async (path: string, as: Record<string, string>) =>
    app.fetch(path, { headers: as, redirect: "manual" });
  for (const path of ["/dashboard", "/products", "/reports", "/settings"])
    expect((await at(path, headers)).headers.get("location"), path).toBe("/settings/close");
  expect((await at("/api/products", headers)).status).toBe(403);
  expect((await at("/api/products", withKey)).status).toBe(401);
  expect((await at("/settings/close", other)).headers.get("location")).toContain("/login");
  expect(await (await at("/settings/close", headers)).text()).toContain("Conta encerrada");
  expect((await at("/settings/close/dados.json", headers)).status).toBe(200);
});

test("reopened, the shop and its keys work again; closed twice at once it is one closing and one mail", async () => {
  const { seller, product } = await openShop();
  const key = await createApiKey(seller.id, { name: "Chave", scopes: [...SCOPES] });
  const headers = await browserOf(seller);
  await Promise.all([post(headers, CLOSE), post(headers, CLOSE)]);
  expect(
    await sql`select 1 from mails where recipient = ${seller.email} and subject like '%conta foi%'`,
  ).toHaveLength(1);
  await until(async () => (await statusOf(`/checkout/${product.id}`)) === 404, {
    what: "the checkout to be down",
  });
  const back = await post(headers, { intent: "reopen" });
  expect(back.headers.get("location")).toBe("/dashboard");
  expect(await closedAt(seller)).toBeNull();
  await until(async () => (await statusOf(`/checkout/${product.id}`)) === 200, {
    what: "the checkout to be back",
  });
  expect((await app.fetch("/api/products", { headers: { Authorization: `Bearer ${key}` } })).status).toBe(
    200,
  );
  expect(
    await sql`select 1 from mails where recipient = ${seller.email} and subject like '%conta foi%'`,
  ).toHaveLength(2);
});

test("a PIX paid after the closing is booked and handed over", async () => {
  const { seller, product } = await openShop();
  const { saleId, chargeId, providerId } = await buy(product.id);
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  const paid = {
    providerId,
    state: "paid",
    providerStatus: "paid",
    amountCents: 9700,
    feeCents: null,
    refundedCents: null,
  };
  await settleCharge(chargeId, paid as unknown as Parameters<typeof settleCharge>[1]);
  expect(await sql`select status from sales where id = ${saleId}`).toEqual([{ status: "completed" }]);
  expect(await sql`select recipient from mails where sale_id = ${saleId} and kind = 'purchase'`).toEqual([
    { recipient: "bia@exemplo.com.br" },
  ]);
  expect(await statusOf(`/thank-you/${saleId}`)).toBe(200);
  const mail = { saleId, recipient: "bia@exemplo.com.br", data: { paidAt: new Date().toISOString() } };
  const rendered = await renderMail({ ...mail, kind: "access" } as unknown as Parameters<
    typeof renderMail
  >[0]);
  expect(JSON.stringify(rendered)).toMatch(/encerrou a loja: o seu acesso a esta compra termina em \d\d\//);
});

test("the file holds the account, products, coupons and sales of the seller alone, and no secret", async () => {
  const { seller, product } = await openShop({ company: "Escola de Violão" });
  await makeBump(product);
  await makeTracking(seller);
  await makeWebhook(seller, { name: "loja" });
  const ids: string[] = [];
  for (let n = 0; n < 230; n++) ids.push((await makeSale(product, { status: "completed" })).id);
  await makeCoupon(seller, { code: "VIOLAO", productIds: [product.id], maxUses: 50 });
  const foreign = await openShop();
  const foreignSale = await makeSale(foreign.product);
  await makeOffer(product, { name: "Primeiro lote", slug: "violao-lote-1", maxUnits: 50 });
  await makeOffer(foreign.product, { name: "Lote alheio" });
  await makeCoupon(foreign.seller, { code: "CUPOM-ALHEIO" });
  await sql`insert into files (seller_id, name, size, received, content_type, ready_at, is_copy) values
    (${seller.id}, 'apostila.pdf', 10, 10, 'application/pdf', now(), false),
    (${seller.id}, 'apostila.pdf', 11, 11, 'application/pdf', now(), true)`;
  const answer = await app.fetch("/settings/close/dados.json", { headers: await browserOf(seller) });
  expect(answer.headers.get("content-disposition")).toContain("attachment");
  const text = await answer.text();
  const data = JSON.parse(text);
  expect(data.vendas.map((one: { numero: string }) => one.numero).sort()).toEqual(ids.sort());
  expect(data.conta).toMatchObject({ empresa: "Escola de Violão", email: seller.email });
  // A stamped copy for a buyer is not one of the seller's files.
  expect(data.configuracoes.arquivos).toMatchObject([{ nome: "apostila.pdf", bytes: 10 }]);
  expect(data.produtos).toMatchObject([
    {
      nome: product.name,
      preco: 97,
      order_bumps: [{ nome: "Apostila de cifras" }],
      precos: [
        {
          nome: "Primeiro lote",
          preco: 47,
          endereco_do_checkout: "violao-lote-1",
          limite_de_unidades: 50,
          ligado: true,
        },
      ],
    },
  ]);
  expect(data.cupons).toMatchObject([
    { codigo: "VIOLAO", porcentagem: 10, produtos: [product.id], limite_de_usos: 50, ligado: true },
  ]);
  for (const not of [
    foreign.seller.email,
    "CUPOM-ALHEIO",
    "Lote alheio",
    foreignSale.id,
    "sandbox",
    "_sealed",
    "whsec_",
    "password",
  ])
    expect(text).not.toContain(not);
});

test("the file holds every text of products, bumps, upsells and their contents, and the numbers they are named by", async () => {
  const { seller, product } = await openShop();
  const bump = await makeBump(product);
  const upsell = await makeUpsell(product);
  const marks: string[] = [];
  for (const [table, id] of [
    ["products", product.id],
    ["order_bumps", bump.id],
    ["upsells", upsell.id],
  ] as const)
    for (const name of Object.keys(TEXT_COLUMNS[table]!)) {
      const column = columnName(name);
      const mark = `https://${table.replace("_", "-")}-${column.replaceAll("_", "-")}.exemplo.com.br`;
      await sql`update ${sql(table)} set ${sql(column)} = ${name === "benefits" ? sql.array([mark]) : mark} where id = ${id}`;
      marks.push(mark);
    }
  for (const [owner, id] of [
    ["product_id", product.id],
    ["order_bump_id", bump.id],
    ["upsell_id", upsell.id],
  ] as const) {
    const [content] = await sql`
      insert into contents (seller_id, ${sql(owner)}) values (${seller.id}, ${id}) returning id`;
    await sql`insert into content_items (seller_id, content_id, kind, name, html)
      values (${seller.id}, ${content!.id}, 'text', 'Comece aqui', ${`<p>Texto de ${owner}</p>`})`;
    marks.push(`Texto de ${owner}`);
  }
  const offer = await makeOffer(product, { bumpIds: [bump.id], upsellIds: [upsell.id] });
  const answer = await app.fetch("/settings/close/dados.json", { headers: await browserOf(seller) });
  const text = await answer.text();
  expect(marks.filter((mark) => !text.includes(mark))).toEqual([]);
  expect(JSON.parse(text).produtos).toMatchObject([
    {
      order_bumps: [{ numero: bump.id, ligado: true }],
      ofertas: [{ numero: upsell.id, ligado: true }],
      precos: [{ numero: offer.id, order_bumps: [bump.id], upsells: [upsell.id] }],
    },
  ]);
});

test("the file holds what buyers of a removed bump still get, and the refund requests of each sale", async () => {
  const { seller, product } = await openShop();
  const sale = await makeSale(product, { status: "completed" });
  const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
  const [content] = await sql`insert into contents (seller_id) values (${seller.id}) returning id`;
  await sql`insert into content_items (seller_id, content_id, kind, name, url)
    values (${seller.id}, ${content!.id}, 'link', 'Grupo', 'https://exemplo.com.br/grupo')`;
  await sql`insert into line_contents (line_id, seller_id, content_id) values (${line!.id}, ${seller.id}, ${content!.id})`;
  await sql`insert into refund_requests (sale_id, seller_id, kind, reason, answer, answer_text, answered_at)
    values (${sale.id}, ${seller.id}, 'question', 'Não gostei', 'declined', 'Foi visto até o fim', now())`;
  const answer = await app.fetch("/settings/close/dados.json", { headers: await browserOf(seller) });
  const { conteudos_removidos: removed, vendas } = JSON.parse(await answer.text());
  expect(removed).toMatchObject([
    {
      produto: product.id,
      vendido_como: product.name,
      conteudo: [{ tipo: "link", nome: "Grupo", endereco: "https://exemplo.com.br/grupo" }],
    },
  ]);
  expect(vendas).toMatchObject([
    {
      numero: sale.id,
      pedidos_de_reembolso: [
        { motivo: "Não gostei", resposta: "declined", palavras_da_resposta: "Foi visto até o fim" },
      ],
    },
  ]);
});

test("the seller is notified once three days before the anonymization, and can reopen until then", async () => {
  const { seller } = await openShop();
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  await closedFor(seller, 26);
  await run();
  expect(await sql`select 1 from mails where recipient = ${seller.email}`).toHaveLength(1);
  await closedFor(seller, 28);
  await sql`update sellers set closed_at = date_trunc('day', closed_at) where id = ${seller.id}`;
  await run();
  await run();
  expect(
    await sql`select 1 from mails where recipient = ${seller.email} and subject like 'Em % os dados%'`,
  ).toHaveLength(1);
  await reopenAccount(seller.id);
  expect(await closedAt(seller)).toBeNull();
});

test("after 30 days nothing of the seller and of their buyers is found anywhere, and the books stay", async () => {
  const mark = randomUUID().slice(0, 8);
  const email = `vera-${mark}@exemplo.com.br`;
  const { seller, product } = await openShop({
    email,
    name: `Vera ${mark}`,
    company: `Loja ${mark}`,
    phone: "+5511900000001",
  });
  const others = await openShop();
  const untouched = await makeSale(others.product, { status: "completed" });
  await makeUpsell(product, { name: `Oferta ${mark}` });
  await makeBump(product, { name: `Bump ${mark}` });
  await makeTracking(seller, { sourceId: mark });
  const webhook = await makeWebhook(seller, { name: mark });
  await sql`insert into checkout_customizations (seller_id, settings) values (${seller.id}, ${sql.json({ support_contact: email })})`;
  const sales = [];
  for (let n = 0; n < 60; n++)
    sales.push(
      await makeSale(product, {
        status: "completed",
        customerName: `Buyer ${mark}`,
        customerEmail: `b-${mark}-${n}@exemplo.com.br`,
      }),
    );
  await makeMail({ recipient: email, sellerId: seller.id, saleId: sales[0]!.id });
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  await closedFor(seller, 31);
  await run();
  const anonymized = await sql`select email, anonymized_at from sellers where id = ${seller.id}`;
  expect(anonymized).toEqual([
    { email: `encerrada-${seller.id}@conta.invalid`, anonymized_at: expect.any(Date) },
  ]);
  await sql`delete from report_marks`;
  await sql`update sale_lines set name = 'x' where name like ${`%${mark}%`}`;
  expect(await findTexts([mark, "+5511900000001"])).toEqual([]);
  expect(webhook).toBeTruthy();
  expect(
    await sql`select count(*)::int as n, sum(amount_cents)::int as cents from sales where seller_id = ${seller.id} and status = 'completed'`,
  ).toEqual([{ n: 60, cents: 60 * 9700 }]);
  expect(
    (await sql`select customer_name from sales where id = ${untouched.id}`)[0]!.customer_name,
  ).not.toBeNull();
  await expect(reopenAccount(seller.id)).rejects.toMatchObject({ kind: "conflict" });
});

test("once the 30 days are over, an account that waits for a dispute is no longer offered to be reopened", async () => {
  const { seller, product } = await openShop();
  const { id } = await makeSale(product, { status: "completed" });
  await recordDispute(seller.id, id);
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  const headers = await browserOf(seller);
  const shown = async () => (await call(closingPage, "/settings/close", { headers })).json();
  expect(await shown()).toMatchObject({
    closed: { anonymizedOn: expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/) },
  });
  await closedFor(seller, 31);
  await run();
  expect(await shown()).toMatchObject({ closed: { anonymizedOn: null } });
  expect(await (await app.fetch("/settings/close", { headers })).text()).not.toContain("Reabrir a conta");
});

test("a locked sale, or one with a pending refund, keeps the account until it is done", async () => {
  const { seller, product } = await openShop();
  const [held, deferred] = [
    await makeSale(product, { status: "completed" }),
    await makeSale(product, { status: "completed" }),
  ];
  await sql`insert into refund_requests (sale_id, seller_id, kind) values (${deferred.id}, ${seller.id}, 'question')`;
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  await closedFor(seller, 31);
  const lock = await holdLock((tx) => tx`select 1 from sales where id = ${held.id} for no key update`);
  await run();
  const isAnonymized = async () =>
    (await sql`select anonymized_at from sellers where id = ${seller.id}`)[0]!.anonymized_at !== null;
  expect(await isAnonymized()).toBe(false);
  await lock.release();
  await run();
  expect(await isAnonymized()).toBe(false);
  await closedFor(seller, 91);
  await run();
  expect(await isAnonymized()).toBe(true);
});

test("an account that cannot be anonymized now does not delay others, and the job reports it", async () => {
  const [first, second] = [await openShop(), await openShop()];
  for (const [{ seller }, days] of [
    [first, 33],
    [second, 32],
  ] as const) {
    await closeAccount({ id: seller.id, sessionId: randomUUID() });
    await closedFor(seller, days);
  }
  const held = await holdLock((tx) => tx`select 1 from sellers where id = ${first.seller.id} for update`);
  await expect(run()).rejects.toThrow("closed accounts not anonymized");
  await held.release();
  const anonymizedAt = async (seller: { id: string }) =>
    (await sql`select anonymized_at from sellers where id = ${seller.id}`)[0]!.anonymized_at;
  expect(await anonymizedAt(first.seller)).toBeNull();
  expect(await anonymizedAt(second.seller)).not.toBeNull();
  await run();
  expect(await anonymizedAt(first.seller)).not.toBeNull();
});

longTest(
  "an account with many sales is emptied along its own rows: no batch reads the whole of a table",
  async () => {
    const { seller, product } = await openShop();
    const other = await openShop();
    await sql.begin(async (tx) => {
      // The rows are consistent; what depends on writing them does not matter here.
      await tx`set local session_replication_role = replica`;
      for (const [{ id, sellerId }, count] of [
        [product, 120],
        [other.product, 30_000],
      ] as const)
        await tx`insert into sales (seller_id, product_id, amount_cents, order_key, status, created_at, completed_at)
        select ${sellerId}, ${id}, 100, 'x', 'completed', at, at
        from generate_series(1, ${count}::int) n, lateral (select now() - n * interval '1 minute' as at) moment`;
      await tx`insert into sale_lines (sale_id, seller_id, kind, name, price_cents, position, file_url)
      select id, seller_id, 'product', 'Curso', 100, 0, 'https://exemplo.com.br/curso.pdf' from sales where order_key = 'x'`;
      await tx`insert into charges (sale_id, seller_id, provider, reference, status, amount_cents, paid_cents, paid_at)
      select id, seller_id, 'pushinpay', id::text, 'paid', 100, 100, now() from sales where order_key = 'x'`;
      await tx`insert into mails (seller_id, kind, recipient, idempotency_key, status)
      select seller_id, 'new-sale', 'vera@exemplo.com.br', id, 'sent' from sales where order_key = 'x'`;
    });
    await sql.unsafe("vacuum analyze");
    await closeAccount({ id: seller.id, sessionId: randomUUID() });
    await closedFor(seller, 31);
    const { statements } = await countStatements(run);
    const batched = statements.filter((text) => / limit \$\d+\s*$/.test(text) || /any\(\$1/.test(text));
    expect(batched.length).toBeGreaterThan(3);
    for (const text of batched) {
      const [plan] = await sql.unsafe(`explain (generic_plan, format json) ${text}`);
      expect(JSON.stringify(plan), text).not.toMatch(
        /"Seq Scan"[^{}]*"Relation Name": ?"(sales|charges|mails|sale_lines)"/,
      );
    }
    expect(
      await sql`select count(*)::int as n from sales where seller_id = ${seller.id} and anonymized_at is not null`,
    ).toEqual([{ n: 120 }]);
    expect(
      await sql`select count(*)::int as n from sale_lines l inner join sales s on s.id = l.sale_id
      where s.seller_id = ${seller.id} and l.file_url is not null`,
    ).toEqual([{ n: 0 }]);
    expect(
      await sql`select count(*)::int as n from mails where seller_id = ${seller.id} and recipient <> ''`,
    ).toEqual([{ n: 0 }]);
    expect(
      (await sql`select count(*)::int as n from mails where recipient = 'vera@exemplo.com.br'`)[0]!.n,
    ).toBe(30_000);
  },
);

test("two hundred accounts that wait for a dispute's end do not delay the anonymization of others", async () => {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into sellers (email, name, closed_at)
      select 'espera-' || n || '@exemplo.com.br', 'Espera', now() - interval '40 days' from generate_series(1, 200) n`;
    await tx`insert into products (seller_id, name, price_cents)
      select id, 'Curso', 9700 from sellers where email like 'espera-%'`;
    await tx`insert into sales (seller_id, product_id, amount_cents, order_key, status, completed_at)
      select seller_id, p.id, 9700, gen_random_uuid(), 'disputed', now() from products p
      inner join sellers s on s.id = p.seller_id where s.email like 'espera-%'`;
  });
  const { seller } = await openShop();
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  await closedFor(seller, 31);
  await run();
  expect(
    (await sql`select anonymized_at from sellers where id = ${seller.id}`)[0]!.anonymized_at,
  ).not.toBeNull();
  expect(
    await sql`select count(*)::int as n from sellers where email like 'espera-%' and anonymized_at is null`,
  ).toEqual([{ n: 200 }]);
});
