import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import { findPortalBuyer, openPortal } from "#app/domain/buyer/open-portal.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { previewErasure } from "#app/domain/erasure/preview-erasure.server.ts";
import { writeCursor } from "#app/kit/paginate.ts";
import * as myData from "#app/routes/buyer/purchases/my-data.tsx";
import * as open from "#app/routes/buyer/purchases/open.tsx";
import * as place from "#app/routes/buyer/purchases/purchases.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import { fromElsewhere, inPortal, mailedToken } from "#tests/integration/buyer/support.ts";
import { countStatements, plansByIndex, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";

const buyer = () => `bia-${randomUUID()}@exemplo.com.br`;

async function bought(email: string, fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller({ company: `Loja ${randomUUID()}` });
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: email, ...fields });
  return { seller, product, sale };
}

const send = (email: string, headers = fromElsewhere()) =>
  call(place, "/minhas-compras", { method: "POST", headers, body: new URLSearchParams({ email }) });

const page = async (email: string, query = "") =>
  (await call(place, `/minhas-compras${query}`, { headers: await inPortal(email) })).text();

test("the answer is the same for every address, and only one that bought something gets a mail", async () => {
  const [known, unknown] = [buyer(), buyer()];
  await bought(known);
  const [yes, no] = [await send(known), await send(unknown)];
  expect([yes.status, no.status]).toEqual([200, 200]);
  const textOf = async (answer: Response) => (await answer.text()).replaceAll("<wbr/>", "");
  expect((await textOf(yes)).replaceAll(known, "x")).toBe((await textOf(no)).replaceAll(unknown, "x"));
  expect(await sql`select kind from mails where recipient = ${known}`).toEqual([{ kind: "buyer-link" }]);
  expect(await sql`select kind from mails where recipient = ${unknown}`).toEqual([]);
});

test("an address pasted with invisible characters matches the one that bought", async () => {
  const email = buyer();
  await bought(email);
  expect((await send(`\u200b"${email.toUpperCase()}"\u00a0`)).status).toBe(200);
  expect(await sql`select kind from mails where recipient = ${email}`).toEqual([{ kind: "buyer-link" }]);
});

test("an address whose orders were never paid gets no mail", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { customerEmail: email });
  await sendPortalLink(email);
  expect(await sql`select kind from mails where recipient = ${email}`).toEqual([]);
});

test("repeated requests for one address are rate-limited across clients", async () => {
  const email = buyer();
  for (let requested = 0; requested < 5; requested++) expect((await send(email)).status).toBe(200);
  const refused = await send(email);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("Muitas tentativas");
});

test("opening the link uses nothing up; confirming works once, also at once, for half an hour", async () => {
  const email = buyer();
  await bought(email);
  await sendPortalLink(email);
  const token = await mailedToken(email);
  for (let visit = 0; visit < 3; visit++) {
    const opened = await call(open, `/minhas-compras/entrar/${token}`, { params: { token } });
    expect(opened.status).toBe(200);
    expect(opened.headers.getSetCookie()).toEqual([]);
  }
  const submit = () => call(open, `/minhas-compras/entrar/${token}`, { method: "POST", params: { token } });
  const submitted = await Promise.all([submit(), submit(), submit()]);
  expect(submitted.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
  const cookie = submitted.find(({ status }) => status === 303)!.headers.getSetCookie()[0]!;
  expect(cookie).toMatch(/^comprador=.+HttpOnly; SameSite=Lax/);
  expect((await submit()).status).toBe(403);
  const other = buyer();
  await bought(other);
  const elsewhere = await inPortal(other);
  // A link that can still be used opens for nobody who has another one.
  await sendPortalLink(other);
  // Tapped again in the browser that it opened, it leads there; in another one, also another buyer's, nowhere.
  for (const method of ["GET", "POST"]) {
    const again = (headers: Record<string, string>) =>
      call(open, `/minhas-compras/entrar/${token}`, { method, params: { token }, headers });
    const inside = await again({ cookie: cookie.split(";")[0]! });
    expect([inside.status < 400, inside.headers.get("location")]).toEqual([true, "/minhas-compras"]);
    expect(inside.headers.getSetCookie()).toEqual([]);
    const spent = await again(elsewhere);
    expect(spent.status).toBe(403);
    const html = await spent.text();
    expect(html).toContain("Peça outro em Minhas compras.");
    expect(html).toContain('href="/minhas-compras">Receber outro link');
  }
  await sendPortalLink(email);
  const late = await mailedToken(email);
  await sql`update buyer_sessions set expires_at = now() - interval '1 second' where email = ${email}`;
  await expect(openPortal(late)).rejects.toMatchObject({ kind: "forbidden" });
});

const ENDED = "/minhas-compras?fim=";

test("a form that arrives after its session ended is not received, and the page says so", async () => {
  const ended = await (await call(place, ENDED, { headers: fromElsewhere() })).text();
  expect(ended).toContain("o que você enviou não foi recebido");
  const arriving = await (await call(place, "/minhas-compras", { headers: fromElsewhere() })).text();
  expect(arriving).not.toContain("não foi recebido");
});

test("whoever presses the erasure twice is not told that it was not received: the first press ended the session", async () => {
  const email = buyer();
  await bought(email);
  const headers = { ...fromElsewhere(), Cookie: (await inPortal(email)).Cookie! };
  const press = () =>
    call(myData, "/minhas-compras/meus-dados", {
      method: "POST",
      headers,
      body: new URLSearchParams({ understood: "yes" }),
    });
  expect((await press()).status).toBe(200);
  const again = await press();
  expect(again.status).toBe(303);
  const shown = await (
    await call(place, again.headers.get("location")!, { headers: fromElsewhere() })
  ).text();
  expect(shown).toContain("o pedido já pode ter sido recebido");
  expect(shown).not.toContain("não foi recebido");
});

test("the token of a link opens no session by itself, and leaving ends the one it opened", async () => {
  const email = buyer();
  await bought(email);
  await sendPortalLink(email);
  const link = await mailedToken(email);
  expect(await findPortalBuyer(link)).toBeNull();
  const token = await openPortal(link);
  expect(await findPortalBuyer(link)).toBeNull();
  expect(await findPortalBuyer(token)).toEqual({ email });
  const left = await call(place, "/minhas-compras", {
    method: "POST",
    headers: { ...fromElsewhere(), Cookie: (await inPortal(email)).Cookie! },
    body: new URLSearchParams({ intent: "leave" }),
  });
  expect(left.status).toBe(303);
  expect(left.headers.getSetCookie()[0]).toMatch(/comprador=;.*Max-Age=0/);
  expect(await sql`select count(*)::int as n from buyer_sessions where email = ${email}`).toEqual([{ n: 1 }]);
});

test("everything bought with the address is there by seller, and nothing of another's", async () => {
  const email = buyer();
  const { seller, product, sale } = await bought(email);
  const second = await makeSale(product, { status: "completed", customerEmail: email });
  const refunded = await bought(email, { status: "refunded" });
  const unpaid = await bought(email, { status: "pending" });
  const others = await bought(buyer());
  const html = await page(email);
  for (const { id } of [sale, second, refunded.sale]) expect(html).toContain(`/minhas-compras/${id}`);
  for (const { id } of [unpaid.sale, others.sale]) expect(html).not.toContain(id);
  expect(html.split(seller.company!)).toHaveLength(2);
  expect(html).toContain(`/download/${sale.id}/`);
  expect(html).not.toContain(`/download/${refunded.sale.id}/`);
  expect(html).toContain("o acesso terminou com ele");
  expect(html).not.toContain("arquivos.exemplo.com.br");
});

test("a page shows the state of the mail with the access", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const id = await makeMail({ recipient: email, saleId: sale.id });
  const mailStates = async () => /E-mail da compra: <b[^>]*>([^<]+)<\/b>/.exec(await page(email))?.[1];
  expect(await mailStates()).toBe("sendo enviado");
  await sql`update mails set status = 'sent', sent_at = now() where id = ${id}`;
  expect(await mailStates()).toBe("enviado");
  await sql`update mails set delivered_at = now() where id = ${id}`;
  expect(await mailStates()).toBe("entregue");
  await sql`update mails set status = 'failed', bounced_at = now() where id = ${id}`;
  expect(await mailStates()).toBe("não entregue");
});

test("a long list is paginated, each purchase once, with as many statements as a short one", async () => {
  const email = buyer();
  const { product } = await bought(email);
  const short = await countStatements(() => listPurchases(email, null));
  for (let n = 0; n < 24; n++)
    await makeSale(n % 2 ? product : (await bought(buyer())).product, {
      status: "completed",
      customerEmail: email,
      // Several with the same time: the id is the tiebreaker.
      completedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3))),
    });
  const seen: string[] = [];
  let before: Parameters<typeof listPurchases>[1] = null;
  do {
    const { result, count } = await countStatements(() => listPurchases(email, before));
    expect(count).toBeLessThanOrEqual(short.count + 1);
    expect(count).toBeLessThanOrEqual(4);
    seen.push(...result.sellers.flatMap(({ purchases }) => purchases.map(({ saleId }) => saleId)));
    before = result.older;
  } while (before && seen.length < 100);
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
});

test("a kept address of a later page says that nothing older is left, not that nothing was bought", async () => {
  const email = buyer();
  await bought(email);
  const cursor = writeCursor({ createdAt: new Date(0), id: randomUUID() });
  const later = await page(email, `?before=${cursor}`);
  expect(later).toContain("Não há compras mais antigas com este e-mail.");
  expect(later).not.toContain("Não há compras aprovadas");
});

test("a purchase's receipt and its button are its buyer's alone", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const at = { params: { saleId: sale.id } };
  const mine = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, headers: await inPortal(email) });
  expect(mine.headers.get("cache-control")).toBe("private, no-store");
  const html = await mine.text();
  for (const expected of [sale.id, "R$ 97,00", email, "Este recibo não é uma nota fiscal"])
    expect(html).toContain(expected);
  const other = buyer();
  await bought(other);
  const headers = await inPortal(other);
  for (const method of ["GET", "POST"]) {
    const body = method === "POST" ? new URLSearchParams({ intent: "resend" }) : undefined;
    const theirs = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, method, headers, body });
    expect(theirs.status).toBe(404);
    const nobodys = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, method, body });
    expect(nobodys.headers.get("location")).toBe(method === "POST" ? ENDED : "/minhas-compras");
  }
  expect(await sql`select kind from mails where sale_id = ${sale.id}`).toEqual([]);
});

test("the access is sent once more, twice at once is one mail, and only so often", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const headers = await inPortal(email);
  const submit = () =>
    call(receipt, `/minhas-compras/${sale.id}`, {
      method: "POST",
      params: { saleId: sale.id },
      headers: { ...headers, ...fromElsewhere() },
      body: new URLSearchParams({ intent: "resend" }),
    });
  const messages = await Promise.all(
    (await Promise.all([submit(), submit()])).map((answer) => answer.text()),
  );
  // Either may come first: the other one is answered that it is already being sent.
  expect(messages.join()).toContain(`Estamos enviando o acesso para ${email}`);
  expect(await sql`select kind, recipient from mails where sale_id = ${sale.id}`).toEqual([
    { kind: "access", recipient: email },
  ]);
  expect(await (await submit()).text()).toContain(`ainda está a caminho de ${email}`);
  await sql`update mails set status = 'sent' where sale_id = ${sale.id}`;
  expect(await (await submit()).text()).toContain(`O acesso saiu para ${email} há menos de um minuto`);
  expect((await submit()).status).toBe(200);
  expect((await submit()).status).toBe(429);
});

test("a purchase links to its refund where its receipt has one: not where it was free", async () => {
  const email = buyer();
  const [paid, free] = [await bought(email), await bought(email, { amountCents: 0, paymentMethod: "free" })];
  const html = await page(email);
  for (const { sale } of [paid, free]) {
    const path = `/minhas-compras/${sale.id}`;
    const shown = await call(receipt, path, { params: { saleId: sale.id }, headers: await inPortal(email) });
    const hasRefund = (await shown.text()).includes('id="devolucao"');
    expect(html.includes(`href="${path}#devolucao"`)).toBe(hasRefund);
    expect(hasRefund).toBe(sale === paid.sale);
  }
  expect((await previewErasure(email)).returnable.map(({ saleId }) => saleId)).toEqual([paid.sale.id]);
});

test("a refunded purchase has no access to send", async () => {
  const email = buyer();
  const { sale } = await bought(email, { status: "refunded" });
  const answer = await call(receipt, `/minhas-compras/${sale.id}`, {
    method: "POST",
    params: { saleId: sale.id },
    headers: await inPortal(email),
    body: new URLSearchParams({ intent: "resend" }),
  });
  expect(answer.status).toBe(409);
  expect(await answer.text()).not.toContain("Enviar o acesso de novo");
});

test("the buyer's purchases are found by an index, however many sales there are", async () => {
  // In a table of three rows any index would do.
  const { sale } = await bought(buyer());
  await sql`insert into sales select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
      'order_key', gen_random_uuid(), 'submission_key', null, 'customer_email', n || '@exemplo.com.br'))).*
    from sales s, generate_series(1, 2000) n where s.id = ${sale.id}`;
  await sql`analyze sales`;
  const [plan] = await plansByIndex([
    `select id from sales where customer_email = 'x' and completed_at is not null
      order by completed_at desc, id desc limit 11`,
  ]);
  expect(plan).toContain("sales_buyer_portal_idx");
});
