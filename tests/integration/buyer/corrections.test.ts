import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { customerVersion, editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import {
  confirmEmailCorrection,
  findCorrectablePurchase,
  readEmailCorrection,
  requestEmailCorrection,
} from "#app/domain/buyer/request-email-correction.server.ts";
import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { DAY } from "#app/kit/duration.ts";
import type { Refusal } from "#app/kit/refusal.ts";
import * as apiCustomer from "#app/routes/api/sales/customer.ts";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import * as agree from "#app/routes/buyer/email/agree.tsx";
import * as correct from "#app/routes/buyer/email/correct.tsx";
import * as salePage from "#app/routes/seller/sale/sale.tsx";
import { ATTEMPTS } from "#app/server/limits/limits.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { fromElsewhere, inBrowserOf, mailedToken } from "#tests/integration/buyer/support.ts";
import { orderOf } from "#tests/integration/orders/order-of.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeCoupon,
  makeProduct,
  makeSale,
  makeSeller,
  markPaid,
  signedIn,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMail, markSent } from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

async function sold(fields: Parameters<typeof makeSale>[1] = {}) {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  return { product, sale };
}

const buyerOf = async ({ id }: { id: string }) =>
  (await sql`select customer_name as name, customer_email as email from sales where id = ${id}`)[0]!;

test("a seller's corrections do not count towards the three of the buyer", async () => {
  const { sale } = await sold();
  for (const email of [mailbox(), mailbox(), mailbox()])
    await editCustomer(sale.sellerId, sale.id, { name: "Bia", email });
  const email = mailbox();
  await correctEmail(sale.id, email);
  expect(await buyerOf(sale)).toEqual({ name: "Bia", email });
});

test("a seller gives a paid order its first e-mail: the access goes there, and an anonymized upsell stays so", async () => {
  const { product, sale } = await sold({ customerEmail: null });
  const upsell = await makeSale(product, {
    ...{ status: "completed" as const, completedAt: new Date(Date.now() - 60_000), parentSaleId: sale.id },
    ...{ customerName: null, customerEmail: null, anonymizedAt: new Date() },
  });
  const email = mailbox();
  await editCustomer(sale.sellerId, sale.id, { name: "Bia", email });
  expect(await buyerOf(sale)).toEqual({ name: "Bia", email });
  expect(await buyerOf(upsell)).toEqual({ name: null, email: null });
  const mails = await sql`select kind, recipient from mails where sale_id in (${sale.id}, ${upsell.id})`;
  expect(mails).toEqual([{ kind: "access", recipient: email }]);
});

test("a seller who types one e-mail after the other notifies only those that a mail was sent to", async () => {
  const { sale } = await sold();
  const [first, second, third] = [mailbox(), mailbox(), mailbox()];
  const mails = () => sql`select id, kind, recipient from mails where sale_id = ${sale.id} order by kind`;
  for (const email of [first, second]) await editCustomer(sale.sellerId, sale.id, { email });
  const [access, ...others] = await mails();
  expect([access, others]).toMatchObject([{ kind: "access", recipient: second }, []]);
  await markSent(access!.id);
  await editCustomer(sale.sellerId, sale.id, { email: third });
  expect(await mails()).toMatchObject([
    ...[second, third].map(() => ({ kind: "access" })),
    { kind: "email-corrected", recipient: second },
  ]);
});

test("a seller's correction does not notify an e-mail whose access mail and code were dropped unsent, one that a restore ended it does", async () => {
  for (const failure of ["dropped", null]) {
    const { sale } = await sold();
    const id = await makeMail({ kind: "purchase", saleId: sale.id });
    await sql`delete from queued_mails where id = ${id}`;
    await sql`update mails set status = 'failed', failure = ${failure}, failed_at = now(), error = 'x' where id = ${id}`;
    const pix = await makeMail({ kind: "pix", saleId: sale.id });
    await sql`delete from queued_mails where id = ${pix}`;
    await sql`update mails set status = 'failed', failure = 'dropped', failed_at = now(), error = 'x' where id = ${pix}`;
    const email = mailbox();
    await editCustomer(sale.sellerId, sale.id, { email });
    const mails = await sql`select kind, recipient from mails where sale_id = ${sale.id} order by kind`;
    const before = failure === null ? sale.customerEmail : email;
    expect(mails).toEqual([
      { kind: "access", recipient: email },
      ...(failure === null ? [{ kind: "email-corrected", recipient: before }] : []),
      // Where nobody was notified, no mail has the address but the code's, by which an erasure finds it.
      { kind: "pix", recipient: sale.customerEmail },
      { kind: "purchase", recipient: before },
    ]);
  }
});

type Customer = { name: string; email: string };

/** The answer to a seller's correction. */
async function correctAsSeller(
  sale: Awaited<ReturnType<typeof makeSale>>,
  by: "api" | "page",
  { name, email }: Customer,
): Promise<Response> {
  const at = { headers: await signedIn({ id: sale.sellerId }), params: { saleId: sale.id } };
  const fields = { customer_name: name, customer_email: email };
  if (by === "api") return call(apiCustomer, "/", { ...at, method: "PUT", body: fields });
  const { name: customerName, email: customerEmail } = await buyerOf(sale);
  const version = customerVersion({ customerName, customerEmail });
  return call(salePage, "/", { ...at, method: "POST", body: new URLSearchParams({ ...fields, version }) });
}

test("sellers' corrections to one e-mail are counted, by the API and on the page; a name alone is not", async () => {
  const { product, sale } = await sold();
  const email = mailbox();
  const [allowed] = ATTEMPTS["edit-customer-to"].target;
  for (let n = 0; n < allowed; n++) {
    const one = await makeSale(product, { status: "completed" });
    const [by, status] = n % 2 ? (["page", 302] as const) : (["api", 200] as const);
    expect((await correctAsSeller(one, by, { name: "Bia", email })).status).toBe(status);
    expect((await correctAsSeller(one, "api", { name: "Ana", email })).status).toBe(200);
  }
  for (const by of ["api", "page"] as const) {
    const refused = await correctAsSeller(sale, by, { name: "Bia", email });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await refused.text()).toContain("Muitas tentativas. Tente de novo em");
  }
  expect(await buyerOf(sale)).toMatchObject({ email: sale.customerEmail });
});

test("a seller's corrections are counted, whatever the e-mails; other sellers correct theirs", async () => {
  const { sale } = await sold();
  const [allowed] = ATTEMPTS["edit-customer"].target;
  for (let n = 1; n < allowed; n++)
    await throttle(
      "edit-customer",
      new Request("http://localhost", { headers: fromElsewhere() }),
      sale.sellerId,
    );
  const correct = (one: typeof sale) => correctAsSeller(one, "api", { name: "Bia", email: mailbox() });
  // Of no sale, so of no e-mail.
  expect((await correct({ ...sale, id: "x" })).status).toBe(404);
  expect([(await correct(sale)).status, (await correct(sale)).status]).toEqual([200, 429]);
  expect((await correct((await sold()).sale)).status).toBe(200);
});

/** Corrects the e-mail in the browser that ordered, and returns what the form's page and the answer say, and the mails. */
async function correctIn(sale: Awaited<ReturnType<typeof makeSale>>, email: string) {
  const address = [`/purchase-email/${sale.id}`, { params: { saleId: sale.id } }] as const;
  const headers = await inBrowserOf(sale);
  const form = await call(correct, address[0], { ...address[1], headers });
  const body = new URLSearchParams({ email });
  const answer = await call(correct, address[0], { ...address[1], headers, method: "POST", body });
  const mails = await sql<
    { kind: string }[]
  >`select kind from mails where sale_id = ${sale.id} and recipient = ${email}`;
  return { form: await form.text(), answer: await answer.text(), kinds: mails.map(({ kind }) => kind) };
}

test("a correction promises the access only where it is sent: not while a dispute suspends it", async () => {
  for (const accessSuspendedAt of [new Date(), null]) {
    const { sale } = await sold({ status: "disputed", accessSuspendedAt });
    const email = mailbox();
    const { form, answer, kinds } = await correctIn(sale, email);
    expect(kinds).toEqual(accessSuspendedAt ? [] : ["access"]);
    expect(form.includes("enviamos o acesso para lá")).toBe(!accessSuspendedAt);
    expect(answer).toContain(
      accessSuspendedAt
        ? `Agora os e-mails desta compra vão para ${email}. Os links de antes deixaram de valer.`
        : `Estamos enviando o acesso para ${email}.`,
    );
  }
});

test("a confirmed change of e-mail promises what the one of the ordering browser does", async () => {
  const answers = [
    [{ status: "completed" }, "Estamos enviando o acesso para"],
    [{ status: "disputed", accessSuspendedAt: new Date() }, "Agora os e-mails desta compra vão para"],
    [{ status: "pending" }, "assim que o pagamento for confirmado."],
  ] as const;
  for (const [fields, text] of answers) {
    const { sale } = await sold(fields);
    const [from, to] = [sale.customerEmail, mailbox()];
    await requestEmailCorrection(await findCorrectablePurchase(sale.id), to);
    const token = await mailedToken(from, `/purchase-email/${sale.id}/`);
    const at = { params: { saleId: sale.id, token } };
    const question = await (await call(agree, "/purchase-email/x/y", at)).text();
    expect(question).toContain(`O e-mail desta compra passa de ${from} para ${to}.`);
    const page = await (await call(agree, "/purchase-email/x/y", { ...at, method: "POST" })).text();
    expect(page).toContain(text);
    expect(page).toContain(to);
  }
});

test("what cannot be corrected is refused at once from elsewhere, too, instead of mailed for a confirmation", async () => {
  const askFor = async (sale: { id: string }, email: string) =>
    requestEmailCorrection(await findCorrectablePurchase(sale.id), email);
  for (const status of ["refunded", "chargedback"] as const) {
    const { sale } = await sold({ status });
    // The same where the address is guessed right.
    for (const email of [mailbox(), sale.customerEmail])
      await expect(askFor(sale, email)).rejects.toThrow("Esta compra foi devolvida");
    expect(await sql`select from mails where recipient = ${sale.customerEmail}`).toHaveLength(0);
  }
  const { product, sale } = await sold();
  const upsell = await makeSale(product, { parentSaleId: sale.id, customerEmail: sale.customerEmail });
  const last = [mailbox(), mailbox(), mailbox()];
  for (const email of last) await correctEmail(upsell.id, email);
  for (const one of [sale, upsell])
    await expect(askFor(one, mailbox())).rejects.toThrow("já foi corrigido 3 vezes");
  expect(await sql`select from mails where recipient = ${last[2]!} and kind = 'correct-email'`).toHaveLength(
    0,
  );
});

test("the correction of an unpaid order names no PIX: its card may be in review", async () => {
  const { sale } = await sold({ status: "pending" });
  await makeCharge(sale, { method: "card", provider: "mercadopago", status: "in_review", instalments: 1 });
  const email = mailbox();
  const { answer } = await correctIn(sale, email);
  expect(answer).toContain(`Agora o acesso vai para ${email} assim que o pagamento for confirmado.`);
  expect(answer).toContain("Voltar ao pagamento");
  expect(answer).not.toContain("PIX");
});

test("a purchase that was anonymized in the moment of its payment gets no e-mail again", async () => {
  const { sale } = await sold();
  await sql`update sales set customer_name = null, customer_email = null, anonymized_at = completed_at
    where id = ${sale.id}`;
  await expect(correctEmail(sale.id, mailbox())).rejects.toThrow("foram apagados");
});

test("the link that confirms a correction is of one purchase, not of the buyer's others", async () => {
  const { sale } = await sold();
  const { sale: other } = await sold({ customerEmail: sale.customerEmail });
  await requestEmailCorrection(await findCorrectablePurchase(sale.id), mailbox());
  const token = await mailedToken(sale.customerEmail, `/purchase-email/${sale.id}/`);
  await expect(confirmEmailCorrection(other.id, token)).rejects.toThrow("Este link não vale mais");
  const [row] = await sql`select customer_email from sales where id = ${other.id}`;
  expect(row!.customer_email).toBe(sale.customerEmail);
});

test("the link that confirms a correction is valid for a day", async () => {
  const { sale } = await sold();
  const purchase = await findCorrectablePurchase(sale.id);
  const to = mailbox();
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  try {
    await requestEmailCorrection(purchase, to);
    const token = await mailedToken(sale.customerEmail, `/purchase-email/${sale.id}/`);
    vi.setSystemTime(now + DAY - 1);
    expect(readEmailCorrection(sale.id, token)).toMatchObject({ from: sale.customerEmail, to });
    vi.setSystemTime(now + DAY);
    expect(() => readEmailCorrection(sale.id, token)).toThrow("Este link não vale mais");
  } finally {
    vi.useRealTimers();
  }
});

test("who corrected the e-mail of a purchase, and orders for the address before, is told so, and may buy again", async () => {
  const shop = await openShop();
  const [ana, bia] = [mailbox(), mailbox()];
  const send = async (placedSaleIds: string[], again = false) => {
    const order = orderOf(shop, ana);
    const buyerContext = { ...order.buyerContext, placedSaleIds };
    return placeOrder({ ...order, isRepurchase: again, buyerContext }).then(
      ({ saleId, next }) => ({ saleId, next }),
      ({ code, message }: Refusal) => ({ code, message }),
    );
  };
  const { saleId } = (await send([])) as { saleId: string };
  await markPaid(saleId);
  expect(await send([saleId])).toMatchObject({ code: "already-bought" });
  await correctEmail(saleId, bia);
  const told = "Você já comprou este produto, e o e-mail daquela compra foi corrigido depois.";
  const refused = { code: "already-bought", message: expect.stringContaining(told) };
  for (const browser of [[saleId], []]) expect(await send(browser)).toEqual(refused);
  const more = await send([saleId], true);
  expect(more).toEqual({ saleId: expect.any(String), next: "pix" });
  expect(more).not.toMatchObject({ saleId });
  await correctEmail(saleId, ana);
  expect(await send([saleId])).toMatchObject({
    code: "already-bought",
    message: "Você já comprou este produto.",
  });
});

test("the same with a coupon that is used up by now, or in a browser that bought something else", async () => {
  const shop = await openShop();
  const coupon = await makeCoupon(shop.seller, { maxUses: 1 });
  const [ana, bia] = [mailbox(), mailbox()];
  const send = (placedSaleIds: string[], again = false) => {
    const order = orderOf(shop, ana);
    const buyerContext = { ...order.buyerContext, placedSaleIds };
    const coupons = { typed: again ? null : coupon.code, linked: null };
    return placeOrder({ ...order, coupons, isRepurchase: again, buyerContext });
  };
  const { saleId } = await send([]);
  await markPaid(saleId);
  await correctEmail(saleId, bia);
  await expect(send([saleId])).rejects.toMatchObject({ code: "already-bought" });
  const other = await makeSale(shop.product, { status: "completed" });
  const more = await send([other.id], true);
  expect(more.saleId).not.toBe(saleId);
});

test("the form says that the purchase's e-mail was corrected, promises no link to the address before, and can be sent again", async () => {
  const { product } = await openShop();
  const ana = mailbox();
  const params = { productId: String(product.id) };
  const post = async (sale: { id: string } | null, fields = {}) =>
    call(checkout, `/checkout/${product.id}`, {
      ...{ method: "POST", params, headers: sale ? await inBrowserOf(sale) : {} },
      body: new URLSearchParams({ ...typedBuyer(ana), ...fields }),
    });
  const id = /pix\/([0-9a-f-]{36})/.exec((await post(null)).headers.get("location")!)![1]!;
  await markPaid(id);
  await correctEmail(id, mailbox());
  const refused = await post({ id });
  const html = await refused.text();
  expect([refused.status, html.includes('name="again" value="1"')]).toEqual([409, true]);
  expect(html).toContain("o e-mail daquela compra foi corrigido depois");
  expect(html).not.toContain("enviamos o link");
  const again = await post({ id }, { again: "1" });
  expect(again.headers.get("location")).toMatch(/\/checkout\/pix\//);
});
