import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { itemUrl } from "#app/domain/access/open-item.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { sealMail } from "#app/domain/mail/queue/mail-body.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { acceptUpsell } from "#app/domain/order/accept-upsell.server.ts";
import { mayRemind } from "#app/domain/reminder/may-remind.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as download from "#app/routes/buyer/download.tsx";
import * as agree from "#app/routes/buyer/email/agree.tsx";
import * as correct from "#app/routes/buyer/email/correct.tsx";
import * as pix from "#app/routes/buyer/pix.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { fromElsewhere, inBrowserOf, inPortal, mailedToken } from "#tests/integration/buyer/support.ts";
import { ANY_TERMS } from "#tests/integration/orders/order-of.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, makeUpsell, markPaid } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import {
  mailRow,
  mailsWithTexts,
  makeMail,
  markSent,
  opened,
  renderMails,
} from "#tests/support/rows/make-mail.ts";

type Sale = Awaited<ReturnType<typeof makeSale>>;

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

async function sold(fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  return { seller, product, sale };
}

/** Posts a new address in the form. */
const type = (sale: Sale, email: string, headers: Record<string, string>) =>
  call(correct, `/purchase-email/${sale.id}`, {
    method: "POST",
    params: { saleId: sale.id },
    headers,
    body: new URLSearchParams({ email }),
  });

const open = (sale: Sale, headers = fromElsewhere(), query = "") =>
  call(thankYou, `/thank-you/${sale.id}${query}`, { params: { saleId: sale.id }, headers });

const emailOf = async ({ id }: Sale) =>
  (await sql`select customer_email from sales where id = ${id}`)[0]!.customer_email;

const mailsOf = (sale: Sale) => sql<{ kind: string; recipient: string; status: string }[]>`
  select kind, recipient, status from mails where sale_id = ${sale.id} order by kind`;

/** The key in the newest mail to an address. */
async function mailedKey(email: string): Promise<string> {
  await renderMails();
  return `?chave=${await mailedToken(email, "?chave=")}`;
}

test("the browser that ordered corrects the address: the access goes to the new one, a notification to the old one", async () => {
  const { sale } = await sold();
  const to = mailbox();
  const answer = await type(sale, ` ${to.toUpperCase()} `, await inBrowserOf(sale));
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(`Estamos enviando o acesso para ${to}`);
  expect(await emailOf(sale)).toBe(to);
  expect(await mailsOf(sale)).toEqual([
    { kind: "access", recipient: to, status: "attempting" },
    { kind: "email-corrected", recipient: sale.customerEmail, status: "attempting" },
  ]);
  const [notice] = opened(
    await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${sale.id} and kind = 'email-corrected'`,
  );
  expect(notice!.payload.html).not.toContain(to);
  expect(notice!.payload.html).not.toContain("/thank-you/");
});

test("before payment a correction mails no address that got nothing, and the payment's mail goes to the new one", async () => {
  const { sale } = await sold({ status: "pending" });
  const to = mailbox();
  await type(sale, to, await inBrowserOf(sale));
  expect(await mailsOf(sale)).toEqual([]);
  await markPaid(sale.id);
  expect((await mailsOf(sale)).filter(({ kind }) => kind === "purchase")).toMatchObject([{ recipient: to }]);
});

test("a wrong address that had received the PIX is notified that the order is not theirs", async () => {
  const { sale } = await sold({ status: "pending" });
  const id = await makeMail({ kind: "pix", recipient: sale.customerEmail, saleId: sale.id });
  await markSent(id);
  await type(sale, mailbox(), await inBrowserOf(sale));
  expect((await mailsOf(sale)).map(({ kind }) => kind)).toEqual(["email-corrected", "pix"]);
});

test("a code that went to the wrong address goes to the right one while it can be paid", async () => {
  for (const [minutes, goes] of [
    [10, true],
    [-10, false],
  ] as const) {
    const { sale } = await sold({ status: "pending" });
    const facts = {
      pixCode: "00020126",
      expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
      notice: providers.pushinpay!.warning,
    };
    const { pixCode, expiresAt } = facts;
    await makeCharge(sale, { status: "open", pixCode, expiresAt: new Date(expiresAt) });
    await markSent(await makeMail({ kind: "pix", recipient: sale.customerEmail, saleId: sale.id }));
    const to = mailbox();
    await correctEmail(sale.id, to);
    const again = await sql`select data from ${mailsWithTexts()} where recipient = ${to} and kind = 'pix'`;
    expect(again).toEqual(goes ? [{ data: facts }] : []);
  }
});

test("from any other browser nothing changes until the owner of the old address confirms", async () => {
  const { sale } = await sold();
  const to = mailbox();
  const before = sale.customerEmail;
  const form = await call(correct, `/purchase-email/${sale.id}`, { params: { saleId: sale.id } });
  expect(await form.text()).not.toContain(before);
  const other = await sold();
  const answer = await type(sale, to, await inBrowserOf(other.sale));
  expect(await answer.text()).toContain("Falta confirmar");
  expect(await emailOf(sale)).toBe(before);
  expect(await sql`select kind from mails where recipient = ${to}`).toEqual([]);
  const token = await mailedToken(before, `/purchase-email/${sale.id}/`);
  const at = { params: { saleId: sale.id, token } };
  const looked = await call(agree, "/purchase-email/x/y", at);
  expect(await looked.text()).toContain(to);
  expect(await emailOf(sale)).toBe(before);
  const submitted = await Promise.all([
    call(agree, "/purchase-email/x/y", { ...at, method: "POST" }),
    call(agree, "/purchase-email/x/y", { ...at, method: "POST" }),
  ]);
  expect(submitted.map(({ status }) => status)).toEqual([200, 200]);
  expect(await emailOf(sale)).toBe(to);
  expect((await mailsOf(sale)).filter(({ kind }) => kind === "access")).toHaveLength(1);
});

test("the portal of the old address needs its owner's confirmation too", async () => {
  const { sale } = await sold();
  const answer = await type(sale, mailbox(), await inPortal(sale.customerEmail));
  expect(await answer.text()).toContain("Falta confirmar");
  expect(await emailOf(sale)).toBe(sale.customerEmail);
});

test("a link to agree is for one purchase, ends, and is worth nothing once the address changed", async () => {
  const { sale } = await sold();
  const other = await sold();
  const to = mailbox();
  await type(sale, to, fromElsewhere());
  const token = await mailedToken(sale.customerEmail, `/purchase-email/${sale.id}/`);
  const submit = (saleId: string, by = token) =>
    call(agree, "/purchase-email/x/y", { method: "POST", params: { saleId, token: by } });
  expect((await submit(other.sale.id)).status).toBe(403);
  expect((await submit(sale.id, `${token}x`)).status).toBe(403);
  await correctEmail(sale.id, mailbox());
  expect((await submit(sale.id)).status).toBe(409);
});

test("a link that was used is worth nothing after the address came back", async () => {
  const { sale } = await sold();
  await type(sale, mailbox(), fromElsewhere());
  const token = await mailedToken(sale.customerEmail, `/purchase-email/${sale.id}/`);
  const submit = () =>
    call(agree, "/purchase-email/x/y", { method: "POST", params: { saleId: sale.id, token } });
  expect((await submit()).status).toBe(200);
  await editCustomer(sale.sellerId, sale.id, { name: "Bia", email: sale.customerEmail });
  expect((await submit()).status).toBe(409);
  expect(await emailOf(sale)).toBe(sale.customerEmail);
});

test("after a correction the links of before open nothing, and those to the new address do", async () => {
  const { sale } = await sold();
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${sale.id}`;
  const file = new URL(downloadUrl(sale.id, line!.id), "http://localhost:3000");
  const take = (at: URL) =>
    call(download, at.pathname + at.search, { params: { saleId: sale.id, lineId: line!.id } });
  expect((await open(sale)).status).toBe(200);
  expect((await take(file)).status).toBe(302);
  const to = mailbox();
  await correctEmail(sale.id, to);
  const stranger = await open(sale);
  expect(stranger.status).toBe(403);
  expect(await stranger.text()).not.toContain("/download/");
  expect((await take(file)).status).toBe(404);
  expect((await open(sale, fromElsewhere(), "?chave=x")).status).toBe(403);
  const key = await mailedKey(to);
  const mine = await open(sale, fromElsewhere(), key);
  expect(mine.status).toBe(200);
  const href = /href="(\/download\/[^"]+)"/.exec(await mine.text())![1]!.replaceAll("&amp;", "&");
  expect((await take(new URL(href, "http://localhost:3000"))).status).toBe(302);
  expect((await open(sale, await inBrowserOf(sale))).status).toBe(200);
  expect((await open(sale, await inPortal(to))).status).toBe(200);
  // What was mailed to the first new address ends with the next correction.
  await correctEmail(sale.id, mailbox());
  expect((await open(sale, fromElsewhere(), key)).status).toBe(403);
});

/** A link to content that was bought, and how a browser opens it. */
async function withLink(seller: { id: string }, product: { id: number }, sale: Sale) {
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
  const [item] = await sql<
    { id: string }[]
  >`insert into content_items (content_id, seller_id, kind, name, url)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'link', 'Grupo', 'https://exemplo.com.br/grupo') returning id`;
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${sale.id}`;
  const take = (address: string, headers = fromElsewhere()) =>
    call(download, address, { params: { saleId: sale.id, lineId: line!.id }, headers });
  return { line: line!.id, item: item!.id, take };
}

test("after a correction the permanent address of content opens only for a proven owner", async () => {
  const { seller, product, sale } = await sold();
  const { line, item, take } = await withLink(seller, product, sale);
  const permanent = paths.boughtItem(sale.id, line, item);
  const signed = (await take(permanent)).headers.get("location")!;
  expect((await take(signed)).headers.get("location")).toBe("https://exemplo.com.br/grupo");
  const to = mailbox();
  await correctEmail(sale.id, to);
  const refused = await take(permanent);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("/minhas-compras");
  expect((await take(signed)).status).toBe(404);
  const again = await take(permanent, await inPortal(to));
  expect((await take(again.headers.get("location")!)).headers.get("location")).toBe(
    "https://exemplo.com.br/grupo",
  );
});

test("the seller's own correction ends the links of before, too", async () => {
  const { seller, sale } = await sold();
  await editCustomer(seller.id, sale.id, { name: "Bia", email: sale.customerEmail });
  expect((await open(sale)).status).toBe(200);
  await editCustomer(seller.id, sale.id, { name: "Bia", email: mailbox() });
  expect((await open(sale)).status).toBe(403);
});

test("the seller's correction sends the access to the new address and notifies the old one, once", async () => {
  const { seller, product, sale } = await sold();
  const child = await makeSale(product, {
    ...{ status: "completed" as const, completedAt: new Date() },
    ...{ customerEmail: sale.customerEmail, parentSaleId: sale.id },
  });
  await sql`delete from mails`;
  await markSent(await makeMail({ recipient: sale.customerEmail, saleId: sale.id }));
  const to = mailbox();
  const other = await makeSeller();
  await expect(editCustomer(other.id, sale.id, { name: "Bia", email: to })).rejects.toThrow("não encontrada");
  const correct = () => editCustomer(seller.id, sale.id, { name: "Bia", email: to });
  await Promise.all([correct(), correct(), correct()]);
  await correct();
  const queued = opened(
    await sql`select kind, recipient, sale_id, body_sealed from ${mailsWithTexts()} where kind <> 'purchase'
      order by kind, sale_id`,
  );
  expect(queued.map(({ kind, recipient, sale_id }) => [kind, recipient, sale_id])).toEqual([
    ...[sale.id, child.id].sort().map((id) => ["access", to, id]),
    ["email-corrected", sale.customerEmail, sale.id],
  ]);
  expect(queued[2]!.payload.text).toContain("foi corrigido por quem vendeu");
  expect(queued[2]!.payload.text).not.toContain(to);
});

test("the seller's correction is of the whole order, from either of the two, and of no other", async () => {
  const { seller, product, sale } = await sold();
  const customer = { status: "completed" as const, customerEmail: sale.customerEmail };
  const child = await makeSale(product, { ...customer, parentSaleId: sale.id });
  const own = await makeSale(product, { ...customer, parentSaleId: sale.id, customerEmail: mailbox() });
  const other = await makeSale(product, customer);
  for (const from of [sale, child]) {
    const to = mailbox();
    await editCustomer(seller.id, from.id, { name: "Bia Lima", email: to });
    expect([await emailOf(sale), await emailOf(child)]).toEqual([to, to]);
    expect((await open(child)).status).toBe(403);
  }
  expect([await emailOf(own), await emailOf(other)]).toEqual([own.customerEmail, other.customerEmail]);
  const [noted] = await sql`select count(*)::int as n from sale_events where sale_id = ${child.id}
    and kind = 'customer_edited' and cause = 'seller'`;
  expect(noted!.n).toBe(2);
});

test("an expired link leads to a new one in another browser, with the key it was requested with", async () => {
  const { seller, product, sale } = await sold();
  const { line, item, take } = await withLink(seller, product, sale);
  const to = mailbox();
  await correctEmail(sale.id, to);
  const key = (await mailedKey(to)).slice("?chave=".length);
  const signed = (await take(paths.boughtItem(sale.id, line, item, key))).headers.get("location")!;
  expect(signed).toContain(`chave=${key}`);
  const [{ at } = { at: null }] = await sql`select email_corrected_at as at from sales where id = ${sale.id}`;
  const expired = await take(itemUrl(sale.id, line, item, Date.now() - 7 * 3_600_000, at, key));
  expect(expired.status).toBe(403);
  const again = /href="([^"]*item=[^"]*)"/.exec(await expired.text())![1]!.replaceAll("&amp;", "&");
  expect((await take(again)).headers.get("location")).toContain("assinatura=");
  const bare = await take(itemUrl(sale.id, line, item, Date.now() - 7 * 3_600_000, at));
  const without = /href="([^"]*item=[^"]*)"/.exec(await bare.text())![1]!.replaceAll("&amp;", "&");
  expect((await take(without)).status).toBe(403);
});

test("a buyer corrects three times, and the same address again is none of them, also at once", async () => {
  const { product, sale } = await sold();
  // Nor is anything else that happened to the order, what its seller corrected, or another order's.
  const other = await makeSale(product, { status: "completed" });
  for (const [kind, cause, of] of [
    ["viewed", "buyer", sale],
    ["customer_edited", "seller", sale],
    ["customer_edited", "buyer", other],
  ] as const)
    await sql`insert into sale_events (seller_id, sale_id, kind, cause)
      select ${product.sellerId}, ${of.id}, ${kind}, ${cause} from generate_series(1, 3)`;
  const first = mailbox();
  await Promise.all([correctEmail(sale.id, first), correctEmail(sale.id, first)]);
  expect((await mailsOf(sale)).filter(({ kind }) => kind === "access")).toHaveLength(1);
  const others = [mailbox(), mailbox(), mailbox(), mailbox()];
  const done = await Promise.allSettled(others.map((email) => correctEmail(sale.id, email)));
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const [events] = await sql`select count(*)::int as n from sale_events
    where sale_id = ${sale.id} and kind = 'customer_edited' and cause = 'buyer'`;
  expect(events!.n).toBe(3);
  for (const headers of [await inBrowserOf(sale), await inPortal((await emailOf(sale))!)]) {
    const refused = await type(sale, mailbox(), headers);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("Fale com quem vendeu");
  }
});

test("an upsell accepted after the purchase is corrected with it, from either of the two", async () => {
  const { product, sale } = await sold();
  const child = await makeSale(product, {
    status: "completed",
    parentSaleId: sale.id,
    customerEmail: sale.customerEmail,
  });
  const to = mailbox();
  await type(child, to, await inBrowserOf(sale));
  expect([await emailOf(sale), await emailOf(child)]).toEqual([to, to]);
  for (const one of [sale, child])
    expect((await mailsOf(one)).filter(({ kind }) => kind === "access")).toHaveLength(1);
});

test("a mailed link opens the purchase's upsells, too, and the way back, where they have the same e-mail", async () => {
  const { product, sale } = await sold();
  const accepted = { parentSaleId: sale.id, customerEmail: sale.customerEmail };
  const paid = await makeSale(product, { ...accepted, status: "completed" });
  const unpaid = await makeSale(product, { ...accepted, status: "pending" });
  const code = await makeCharge(unpaid, {
    pixCode: "00020126",
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const foreign = await makeSale(product, { ...accepted, status: "completed", customerEmail: mailbox() });

  /** A page, and where its links to these sales lead, each opened in another browser. */
  const follow = async (address: string) => {
    const { pathname } = new URL(address, "http://localhost:3000");
    const saleId = pathname.split("/").at(-1)!;
    const route = pathname.startsWith("/checkout/pix/") ? pix : thankYou;
    const answer = await call(route, address, { params: { saleId }, headers: fromElsewhere() });
    const html = await answer.text();
    const linkTo = ({ id }: { id: string }) =>
      new RegExp(`(?:href|data-paid)="(/(?:thank-you|checkout/pix)/${id}[^"]*)"`).exec(html)?.[1];
    return { status: answer.status, location: answer.headers.get("location"), linkTo };
  };
  // Until it is corrected the address opens the purchase by itself, and gives nobody keys.
  for (const query of ["", `?chave=${createPurchaseKey(paid.id, sale.customerEmail!)}`])
    expect((await follow(`/thank-you/${sale.id}${query}`)).linkTo(paid)).toBe(`/thank-you/${paid.id}`);
  const to = mailbox();
  await correctEmail(sale.id, to);
  await sql`update sales set email_corrected_at = now() where id = ${foreign.id}`;
  const key = createPurchaseKey(sale.id, to);
  const purchase = await follow(`/thank-you/${sale.id}?chave=${key}`);
  const [ofPaid, ofUnpaid] = [purchase.linkTo(paid)!, purchase.linkTo(unpaid)!];
  const upsell = await follow(ofPaid);
  expect(upsell.status).toBe(200);
  expect((await follow(upsell.linkTo(sale)!)).status).toBe(200);
  const order = await follow(ofUnpaid);
  expect((await follow(order.linkTo(sale)!)).status).toBe(200);
  // The page that was open, and the one that is reloaded, once it is paid.
  await markPaid(unpaid.id);
  await sql`update charges set status = 'paid', paid_at = now(), paid_cents = amount_cents where id = ${code.id}`;
  expect((await follow(order.linkTo(unpaid)!)).status).toBe(200);
  expect((await follow((await follow(ofUnpaid)).location!)).status).toBe(200);
  // Another buyer's, and without the key.
  expect((await follow(purchase.linkTo(foreign)!)).status).toBe(403);
  expect((await follow(`/checkout/pix/${unpaid.id}`)).location).not.toContain("chave");
});

test("an upsell is corrected even if the purchase already has the right address", async () => {
  const { product, sale } = await sold();
  const child = await makeSale(product, {
    status: "completed",
    parentSaleId: sale.id,
    customerEmail: sale.customerEmail,
  });
  const to = mailbox();
  await sql`update sales set customer_email = ${to}, email_corrected_at = now() where id = ${sale.id}`;
  const answer = await type(child, to, await inBrowserOf(sale));
  expect(await answer.text()).toContain(`Estamos enviando o acesso para ${to}`);
  expect(await emailOf(child)).toBe(to);
  expect((await mailsOf(child)).filter(({ kind }) => kind === "access")).toMatchObject([{ recipient: to }]);
});

test("a payment booked while the address is corrected mails the access to the new one, whichever comes first", async () => {
  const pay = (sale: Sale) => markPaid(sale.id);
  for (let round = 0; round < 6; round++) {
    const { sale } = await sold({ status: "pending" });
    const to = mailbox();
    const lock = await holdLock((tx) => tx`select id from sales where id = ${sale.id} for update`);
    const works = round % 2 ? [pay(sale), correctEmail(sale.id, to)] : [correctEmail(sale.id, to), pay(sale)];
    await untilLockedOut(2);
    await lock.release();
    await Promise.all(works);
    const brought = (await mailsOf(sale)).filter(
      ({ kind, status }) => (kind === "purchase" || kind === "access") && status === "attempting",
    );
    expect(brought).toEqual([{ kind: "purchase", recipient: to, status: "attempting" }]);
  }
});

test("a mail that a worker has claimed does not reach the old address any more", async () => {
  const { sale } = await sold({ status: "pending" });
  await sql`update queued_mails set scheduled_at = date_trunc('milliseconds', now()) + interval '1 day'`;
  await markPaid(sale.id);
  const claimed = (await claimMails(10)).find(
    ({ saleId, kind }) => saleId === sale.id && kind === "purchase",
  )!;
  const to = mailbox();
  await correctEmail(sale.id, to);
  expect(await sendMail(claimed, renderMail)).toBeNull();
  expect(await mailRow(claimed.id)).toMatchObject({ recipient: to, status: "attempting", attempts: 0 });
});

test("a rendered mail that waits for a retry is cancelled, and the access is sent anew", async () => {
  const { sale } = await sold();
  const id = await makeMail({ recipient: sale.customerEmail, saleId: sale.id });
  await sql`update queued_mails set attempts = 1 where id = ${id}`;
  await correctEmail(sale.id, mailbox());
  expect(await mailRow(id)).toMatchObject({ status: "failed", recipient: sale.customerEmail });
  expect((await mailsOf(sale)).filter(({ kind }) => kind === "access")).toHaveLength(1);
});

test("a code's mail that waits for a retry is cancelled, and sent to the new address as its own mail", async () => {
  const { sale } = await sold({ status: "pending" });
  const facts = { pixCode: "00020126", expiresAt: null, notice: providers.pushinpay!.warning };
  await makeCharge(sale, { status: "open", pixCode: facts.pixCode });
  const attempted = await makeMail({ kind: "pix", recipient: sale.customerEmail, saleId: sale.id });
  await sql`update queued_mails set attempts = 1, data = ${sql.json(facts)} where id = ${attempted}`;
  const to = mailbox();
  await correctEmail(sale.id, to);
  // The provider may know the first one's idempotency key with another recipient.
  expect(await mailRow(attempted)).toMatchObject({ status: "failed", recipient: sale.customerEmail });
  const again =
    await sql`select kind, data, attempts, status from ${mailsWithTexts()} where recipient = ${to}`;
  expect(again).toEqual([{ kind: "pix", data: facts, attempts: 0, status: "attempting" }]);
});

test("a reminder that went to the wrong address is no reason to mail a code to the right one", async () => {
  const { sale } = await sold({ status: "pending" });
  await makeCharge(sale, { status: "open", pixCode: "00020126" });
  await markSent(await makeMail({ kind: "reminder", recipient: sale.customerEmail, saleId: sale.id }));
  const to = mailbox();
  await correctEmail(sale.id, to);
  expect(await sql`select kind from mails where recipient = ${to}`).toEqual([]);
});

test("an upsell accepted during a correction gets the new address, whichever comes first", async () => {
  for (let round = 0; round < 4; round++) {
    const { product, sale } = await sold();
    const upsell = await makeUpsell(product);
    await startNextUpsell({ sellerId: sale.sellerId, saleId: sale.id, productId: product.id });
    const take = () =>
      acceptUpsell({
        ...ANY_TERMS,
        saleId: sale.id,
        upsellId: upsell.id,
        buyerContext: { client: randomUUID() },
      });
    const to = mailbox();
    const lock = await holdLock((tx) => tx`select id from sales where id = ${sale.id} for update`);
    const correcting = () => correctEmail(sale.id, to);
    const works: Promise<unknown>[] = [];
    for (const start of round % 2 ? [correcting, take] : [take, correcting]) {
      works.push(start());
      await untilLockedOut(works.length);
    }
    await lock.release();
    await Promise.all(works);
    const family =
      await sql`select customer_email from sales where id = ${sale.id} or parent_sale_id = ${sale.id}`;
    expect(family).toEqual([{ customer_email: to }, { customer_email: to }]);
  }
});

test("a code or reminder rendered but never attempted goes to the new address, rendered anew", async () => {
  for (const kind of ["pix", "reminder"] as const) {
    const { sale } = await sold({ status: "pending" });
    const facts = { pixCode: "00020126", expiresAt: null, notice: null, number: 1 };
    const rendered = { from: "a@exemplo.com.br", to: sale.customerEmail, subject: "PIX", html: "", text: "" };
    const id = await makeMail({ kind, recipient: sale.customerEmail, saleId: sale.id });
    await sql`update queued_mails set data = ${sql.json(facts)}, body_sealed = ${sealMail(rendered).bodySealed},
      slot_at = now() + interval '1 minute' where id = ${id}`;
    const to = mailbox();
    await correctEmail(sale.id, to);
    expect(await mailsOf(sale)).toEqual([{ kind, recipient: to, status: "attempting" }]);
    await renderMails();
    const [mail] = opened(await sql`select body_sealed from ${mailsWithTexts()} where sale_id = ${sale.id}`);
    expect(mail!.payload.to).toBe(to);
  }
});

test("a code still addressed to the old address reveals nothing that the new one bought", async () => {
  const { product, sale: owned } = await sold();
  const order = await makeSale(product, { status: "pending", customerEmail: owned.customerEmail });
  const facts = { pixCode: "00020126", expiresAt: null, notice: null };
  const textTo = async (recipient: string) =>
    (await renderMail({ kind: "pix", saleId: order.id, recipient, data: facts })).mail.html;
  expect(await textTo(owned.customerEmail)).toContain(owned.id);
  expect(await textTo(mailbox())).not.toContain(owned.id);
});

test("a stranger's complaint about a mail not meant for them does not stop the buyer's reminders", async () => {
  const { sale } = await sold({ status: "pending" });
  const id = await makeMail({ kind: "pix", recipient: sale.customerEmail, saleId: sale.id });
  await markSent(id);
  await sql`update mails set complained_at = now() where id = ${id}`;
  expect(await mayRemind(sale.id)).toBe("no");
  await correctEmail(sale.id, mailbox());
  expect(await mayRemind(sale.id)).toBe("yes");
});

test("an erasure request that an address made before an order was corrected to it ends no reminders of the order", async () => {
  const { sale } = await sold({ status: "pending" });
  const before = mailbox();
  // In another millisecond than the correction, which is all that the two times say.
  await sql`insert into erasures (email, requested_at) values (${before}, now() - interval '1 second')`;
  await correctEmail(sale.id, before);
  expect(await mayRemind(sale.id)).toBe("yes");
  await sql`update erasures set requested_at = now() + interval '1 minute' where email = ${before}`;
  expect(await mayRemind(sale.id)).toBe("no");
});

test("a refunded or unknown purchase cannot be corrected", async () => {
  const { sale } = await sold({ status: "refunded" });
  const params = { saleId: sale.id };
  for (const headers of [await inBrowserOf(sale), fromElsewhere()])
    for (const answer of [
      await call(correct, `/purchase-email/${sale.id}`, { params, headers }),
      await type(sale, mailbox(), headers),
    ]) {
      expect(answer.status).toBe(409);
      const html = await answer.text();
      expect(html).toContain("Esta compra foi devolvida: não há mais acesso a enviar.");
      expect(html).not.toContain("assim que o pagamento for confirmado");
    }
  expect(await mailsOf(sale)).toEqual([]);
  // Of a free purchase that its seller ended nothing went back.
  const free = (await sold({ status: "refunded", amountCents: 0 })).sale;
  const page = await call(correct, `/purchase-email/${free.id}`, { params: { saleId: free.id } });
  expect(await page.text()).toContain("O acesso a esta compra terminou: não há mais acesso a enviar.");
  await expect(correctEmail(free.id, mailbox())).rejects.toThrow("O acesso a esta compra terminou");
  await expect(correctEmail(randomUUID(), mailbox())).rejects.toMatchObject({ kind: "not-found" });
  await expect(correctEmail("1", mailbox())).rejects.toMatchObject({ kind: "not-found" });
});

test("from elsewhere a purchase without an e-mail has no owner to confirm, and a right guess gets the usual answer", async () => {
  const { sale } = await sold({ customerEmail: null });
  expect((await type(sale, mailbox(), fromElsewhere())).status).toBe(409);
  const known = (await sold()).sale;
  const [right, wrong] = [
    await type(known, known.customerEmail, fromElsewhere()),
    await type(known, mailbox(), fromElsewhere()),
  ];
  expect([right.status, wrong.status]).toEqual([200, 200]);
  expect((await right.text()).length).toBe((await wrong.text()).length);
  expect(await sql`select kind from mails where recipient = ${known.customerEmail}`).toHaveLength(1);
});

test("repeated requests for one purchase are rate-limited", async () => {
  const { sale } = await sold();
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await type(sale, mailbox(), fromElsewhere())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("requests for several orders of one address are limited together", async () => {
  const { product, sale } = await sold();
  const { customerEmail } = sale;
  const others = [];
  for (let n = 0; n < 2; n++) others.push(await makeSale(product, { status: "completed", customerEmail }));
  const statuses = [];
  for (const one of [sale, ...others, sale, ...others])
    statuses.push((await type(one, mailbox(), fromElsewhere())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await sql`select from mails where recipient = ${customerEmail}`).toHaveLength(5);
  expect((await type(sale, mailbox(), await inBrowserOf(sale))).status).toBe(200);
});

test("a stranger's repeated requests do not block the browser that ordered", async () => {
  const { sale } = await sold();
  for (let n = 0; n < 6; n++) await type(sale, mailbox(), fromElsewhere());
  const to = mailbox();
  expect((await type(sale, to, await inBrowserOf(sale))).status).toBe(200);
  expect(await emailOf(sale)).toBe(to);
});

test("an address that is none, or the one there is, comes back with the reason", async () => {
  const { sale } = await sold();
  const headers = await inBrowserOf(sale);
  for (const [email, reason] of [
    ["", "E-mail é obrigatório"],
    ["bia@", "E-mail inválido"],
    [sale.customerEmail, "Este já é o e-mail da compra"],
  ] as const) {
    const answer = await type(sale, email, headers);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(reason);
  }
});

test("the sale's history shows the seller that the buyer corrected the address, and the old one", async () => {
  const { sale } = await sold({ customerEmail: "bia.errada@exemplo.com.br" });
  await correctEmail(sale.id, mailbox());
  const words = (await readTimeline(sale.sellerId, sale.id)).map(describeTimelineEntry);
  expect(words).toContain("O comprador corrigiu o e-mail (antes: b•••@exemplo.com.br)");
});

test("the address is written out in the browser that ordered alone, on the PIX page and after paying", async () => {
  const { sale } = await sold();
  const waiting = (await sold({ status: "pending" })).sale;
  await makeCharge(waiting, { pixCode: "00020126", expiresAt: new Date(Date.now() + 600_000) });
  const pages = (of: Sale, headers: Record<string, string>) =>
    Promise.all(
      [pix, thankYou].map(async (route) => {
        const answer = await call(route, `/x/${of.id}`, { params: { saleId: of.id }, headers });
        // An address may break before its @.
        return answer.status === 200 ? (await answer.text()).replaceAll("<wbr/>", "") : "";
      }),
    );
  const [unpaid] = await pages(waiting, await inBrowserOf(waiting));
  expect(unpaid).toContain(waiting.customerEmail);
  expect(unpaid).toContain(`/purchase-email/${waiting.id}`);
  const [, paid] = await pages(sale, await inBrowserOf(sale));
  expect(paid).toContain(sale.customerEmail);
  const elsewhere = [
    ...(await pages(waiting, fromElsewhere())),
    ...(await pages(sale, fromElsewhere())),
  ].join("");
  expect(elsewhere).not.toContain(waiting.customerEmail);
  expect(elsewhere).not.toContain(sale.customerEmail);
  expect(elsewhere).toContain(`b•••@exemplo.com.br`);
});

test("the thank-you page shows the state of the mail, and what to do if it bounced", async () => {
  const { sale } = await sold();
  const html = async () => (await open(sale)).text();
  const id = await makeMail({ recipient: sale.customerEmail, saleId: sale.id });
  expect(await html()).toContain("também chega por e-mail");
  await sql`update mails set status = 'sent', sent_at = now() where id = ${id}`;
  expect(await html()).toContain("Enviamos o link de acesso");
  await sql`update mails set delivered_at = now() where id = ${id}`;
  expect(await html()).toContain("foi entregue");
  await sql`update mails set status = 'failed', bounced_at = now() where id = ${id}`;
  expect(await html()).toContain("O e-mail com o acesso voltou");
});

test("mails that wait are locked in the order of their ids, as where they are sent", async () => {
  const { sale } = await sold({ status: "pending", completedAt: null });
  let news = await makeMail({ kind: "refund-news", saleId: sale.id });
  await markPaid(sale.id);
  const [purchase] = await sql`select id from mails where sale_id = ${sale.id} and kind = 'purchase'`;
  while (news > purchase!.id) news = await makeMail({ kind: "refund-news", saleId: sale.id });
  const to = mailbox();
  const corrected: Promise<unknown>[] = [];
  const sending = await holdLock(async (tx) => {
    await tx`select from queued_mails where id = ${news} for update`;
    corrected.push(correctEmail(sale.id, to));
    await untilLockedOut();
    await tx`select from queued_mails where id = ${purchase!.id} for update`;
  });
  await sending.release();
  await Promise.all(corrected);
  expect(await mailRow(news)).toMatchObject({ recipient: to });
  expect(await mailRow(purchase!.id)).toMatchObject({ recipient: to });
});
