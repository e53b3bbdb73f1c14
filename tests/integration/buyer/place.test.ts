import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { askForPlace } from "#app/domain/buyer/ask-for-place.server.ts";
import { listPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import { findBuyer, openPlace } from "#app/domain/buyer/open-place.server.ts";
import * as open from "#app/routes/buyer/purchases/open.tsx";
import * as place from "#app/routes/buyer/purchases/purchases.tsx";
import * as receipt from "#app/routes/buyer/purchases/receipt.tsx";
import { anywhere, inPlace, mailedToken } from "#tests/integration/buyer/support.ts";
import { call } from "#tests/support/call.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMail } from "#tests/support/make-mail.ts";

const buyer = () => `bia-${randomUUID()}@exemplo.com.br`;

async function bought(email: string, fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller({ company: `Loja ${randomUUID()}` });
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: email, ...fields });
  return { seller, product, sale };
}

const ask = (email: string, headers = anywhere()) =>
  call(place, "/minhas-compras", { method: "POST", headers, body: new URLSearchParams({ email }) });

const page = async (email: string, query = "") =>
  (await call(place, `/minhas-compras${query}`, { headers: await inPlace(email) })).text();

test("the answer is the same whether the address bought anything, and only the one that did gets a mail", async () => {
  const [known, unknown] = [buyer(), buyer()];
  await bought(known);
  const [yes, no] = [await ask(known), await ask(unknown)];
  expect([yes.status, no.status]).toEqual([200, 200]);
  expect((await yes.text()).replaceAll(known, "x")).toBe((await no.text()).replaceAll(unknown, "x"));
  expect(await sql`select kind from mails where recipient = ${known}`).toEqual([{ kind: "buyer-link" }]);
  expect(await sql`select kind from mails where recipient = ${unknown}`).toEqual([]);
});

test("an address pasted with what copying brings along is the one that bought, here as in the order", async () => {
  const email = buyer();
  await bought(email);
  expect((await ask(`\u200b"${email.toUpperCase()}"\u00a0`)).status).toBe(200);
  expect(await sql`select kind from mails where recipient = ${email}`).toEqual([{ kind: "buyer-link" }]);
});

test("an address whose orders were never paid gets no mail either", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { customerEmail: email });
  await askForPlace(email);
  expect(await sql`select kind from mails where recipient = ${email}`).toEqual([]);
});

test("who asks for one address again and again is told to wait, from wherever they come", async () => {
  const email = buyer();
  for (let asked = 0; asked < 5; asked++) expect((await ask(email)).status).toBe(200);
  const refused = await ask(email);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("Muitas tentativas");
});

test("looking at the link spends nothing, pressing it opens once, also at once, and it ends after half an hour", async () => {
  const email = buyer();
  await bought(email);
  await askForPlace(email);
  const token = await mailedToken(email);
  for (let look = 0; look < 3; look++) {
    const looked = await call(open, `/minhas-compras/entrar/${token}`, { params: { token } });
    expect(looked.status).toBe(200);
    expect(looked.headers.getSetCookie()).toEqual([]);
  }
  const press = () => call(open, `/minhas-compras/entrar/${token}`, { method: "POST", params: { token } });
  const pressed = await Promise.all([press(), press(), press()]);
  expect(pressed.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
  const cookie = pressed.find(({ status }) => status === 303)!.headers.getSetCookie()[0]!;
  expect(cookie).toMatch(/^comprador=.+HttpOnly; SameSite=Lax/);
  expect((await press()).status).toBe(403);
  const other = buyer();
  await bought(other);
  const elsewhere = await inPlace(other);
  // Tapped again in the browser that it opened, it leads there; in another one, also another buyer's, nowhere.
  for (const method of ["GET", "POST"]) {
    const again = (headers: Record<string, string>) =>
      call(open, `/minhas-compras/entrar/${token}`, { method, params: { token }, headers });
    const inside = await again({ cookie: cookie.split(";")[0]! });
    expect([inside.status < 400, inside.headers.get("location")]).toEqual([true, "/minhas-compras"]);
    expect(inside.headers.getSetCookie()).toEqual([]);
    expect((await again(elsewhere)).status).toBe(403);
  }
  await askForPlace(email);
  const late = await mailedToken(email);
  await sql`update buyer_sessions set expires_at = now() - interval '1 second' where email = ${email}`;
  await expect(openPlace(late)).rejects.toMatchObject({ kind: "forbidden" });
});

test("the token of a link opens no session by itself, and leaving ends the one it opened", async () => {
  const email = buyer();
  await bought(email);
  await askForPlace(email);
  const link = await mailedToken(email);
  expect(await findBuyer(link)).toBeNull();
  const token = await openPlace(link);
  expect(await findBuyer(link)).toBeNull();
  expect(await findBuyer(token)).toEqual({ email });
  const left = await call(place, "/minhas-compras", {
    method: "POST",
    headers: { ...anywhere(), Cookie: (await inPlace(email)).Cookie! },
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

test("a page says how the mail with the access is doing", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const id = await makeMail({ recipient: email, saleId: sale.id });
  const told = async () => /E-mail da compra: <b[^>]*>([^<]+)<\/b>/.exec(await page(email))?.[1];
  expect(await told()).toBe("sendo enviado");
  await sql`update mails set status = 'sent', sent_at = now() where id = ${id}`;
  expect(await told()).toBe("enviado");
  await sql`update mails set delivered_at = now() where id = ${id}`;
  expect(await told()).toBe("entregue");
  await sql`update mails set status = 'failed', bounced_at = now() where id = ${id}`;
  expect(await told()).toBe("não entregue");
});

test("a long list goes page by page, each purchase once, in as many statements as a short one", async () => {
  const email = buyer();
  const { product } = await bought(email);
  const short = await countStatements(() => listPurchases(email, null));
  for (let n = 0; n < 24; n++)
    await makeSale(n % 2 ? product : (await bought(buyer())).product, {
      status: "completed",
      customerEmail: email,
      // Several at one moment: the id tells them apart.
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
  } while (before);
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
});

test("a purchase's receipt and its button are its buyer's alone", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const at = { params: { saleId: sale.id } };
  const mine = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, headers: await inPlace(email) });
  expect(mine.headers.get("cache-control")).toBe("private, no-store");
  const html = await mine.text();
  for (const shown of [sale.id, "R$ 97,00", email, "Este recibo não é uma nota fiscal"])
    expect(html).toContain(shown);
  const other = buyer();
  await bought(other);
  const headers = await inPlace(other);
  for (const method of ["GET", "POST"]) {
    const body = method === "POST" ? new URLSearchParams({ intent: "resend" }) : undefined;
    const theirs = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, method, headers, body });
    expect(theirs.status).toBe(404);
    const nobodys = await call(receipt, `/minhas-compras/${sale.id}`, { ...at, method, body });
    expect(nobodys.headers.get("location")).toBe("/minhas-compras");
  }
  expect(await sql`select kind from mails where sale_id = ${sale.id}`).toEqual([]);
});

test("the access is sent once more, twice at once is one mail, and only so often", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const headers = await inPlace(email);
  const press = () =>
    call(receipt, `/minhas-compras/${sale.id}`, {
      method: "POST",
      params: { saleId: sale.id },
      headers: { ...headers, ...anywhere() },
      body: new URLSearchParams({ intent: "resend" }),
    });
  const said = await Promise.all((await Promise.all([press(), press()])).map((answer) => answer.text()));
  // Either may come first: the other one hears that it is on its way.
  expect(said.join()).toContain(`Estamos enviando o acesso para ${email}`);
  expect(await sql`select kind, recipient from mails where sale_id = ${sale.id}`).toEqual([
    { kind: "access", recipient: email },
  ]);
  expect(await (await press()).text()).toContain(`ainda está a caminho de ${email}`);
  await sql`update mails set status = 'sent' where sale_id = ${sale.id}`;
  expect(await (await press()).text()).toContain(`O acesso saiu para ${email} há menos de um minuto`);
  expect((await press()).status).toBe(200);
  expect((await press()).status).toBe(429);
});

test("a purchase that was given back has no access to send", async () => {
  const email = buyer();
  const { sale } = await bought(email, { status: "refunded" });
  const answer = await call(receipt, `/minhas-compras/${sale.id}`, {
    method: "POST",
    params: { saleId: sale.id },
    headers: await inPlace(email),
    body: new URLSearchParams({ intent: "resend" }),
  });
  expect(answer.status).toBe(409);
  expect(await answer.text()).not.toContain("Enviar o acesso de novo");
});

test("the buyer's purchases are found by an index, however many sales there are", async () => {
  await sql`set enable_seqscan = off`;
  const plan = await sql`explain select id from sales where customer_email = 'x' and completed_at is not null
    order by completed_at desc, id desc limit 11`;
  expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("sales_buyer_place_idx");
  await sql`reset enable_seqscan`;
});
