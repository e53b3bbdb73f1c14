import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { downloadUrl, openDownload } from "#app/domain/access/open-download.server.ts";
import { openItem } from "#app/domain/access/open-item.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { listPurchases } from "#app/domain/buyer/list-purchases.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { erasureQueue } from "#app/domain/erasure/erase-buyer.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { stopReminders } from "#app/domain/reminder/stop-reminders.server.ts";
import { countCustomers } from "#app/domain/reports/figures/count-customers.server.ts";
import { periodOf } from "#app/domain/reports/figures/period.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { settleCharge } from "#app/domain/settlement/settle-charge.server.ts";
import { backlogReadings } from "#app/metrics/backlog-metrics.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import * as myData from "#app/routes/buyer/purchases/my-data.tsx";
import * as file from "#app/routes/buyer/purchases/my-data-file.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { fromElsewhere, inBrowserOf, inPortal } from "#tests/integration/buyer/support.ts";
import { sendQueued } from "#tests/integration/deliveries/support.ts";
import { eraseWholly, findTexts, runErasurePass } from "#tests/integration/erasure/support.ts";
import { openShop, order } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import {
  mailsWithTexts,
  makeMail,
  markSent,
  renderMails,
  stopLinkTo,
} from "#tests/support/rows/make-mail.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

await startApp({ web: 0, worker: 0 });

const buyer = () => `zoe-${randomUUID()}@exemplo.com.br`;
const run = () => refreshReports.handle({}, { number: 1, last: false });
const submit = (headers: Record<string, string>, fields: Record<string, string> = { understood: "yes" }) =>
  call(myData, "/minhas-compras/meus-dados", { method: "POST", headers, body: new URLSearchParams(fields) });

const paid = (charge: { providerId: string; cents: number }) => ({
  ...{ providerId: charge.providerId, state: "paid" as const, providerStatus: "paid" },
  ...{ amountCents: charge.cents, feeCents: null, refundedCents: null, endToEndId: null },
});

async function settle(chargeId: string): Promise<void> {
  const [row] = await sql`select provider_id, amount_cents from charges where id = ${chargeId}`;
  const news = paid({ providerId: row!.provider_id, cents: row!.amount_cents });
  await settleCharge(chargeId, news as unknown as Parameters<typeof settleCharge>[1]);
}

async function bought(email: string, fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: email, ...fields });
  return { seller, product, sale };
}

const saleRow = async (id: string) => (await sql`select * from sales where id = ${id}`)[0]!;

test("nothing of a buyer who requested erasure is found anywhere, and what was paid stays", async () => {
  const email = buyer();
  const name = `Zoraide ${randomUUID().slice(0, 8)}`;
  const before = `antes-${email}`;
  const { seller, product } = await openShop();
  await makeTracking(seller);
  const webhook = await makeWebhook(seller, { name: "forgotten", withDocument: true });
  const { saleId } = await placeSale(
    order(product.id, {
      customer: { name, email: before, phone: "+5511912345670", document: "52998224725" },
      ip: "198.51.100.77",
      campaign: {
        utm_source: "insta",
        utm_campaign: "natal",
        utm_content: `conteudo-${email}`,
        fbclid: `clique-${email}`,
      },
      adAnswer: { adConsent: true, adIds: { agent: `navegador-${email}`, fbp: "fb.1.1" } },
    }),
  );
  const { chargeId } = await startPix(saleId);
  await correctEmail(saleId, email);
  await stopReminders(stopLinkTo(saleId, email));
  await settle(chargeId);
  await renderMails();
  await sendQueued(webhook, saleId);
  await sql`insert into refund_requests (sale_id, seller_id, kind, reason, answer, answer_text, answered_at)
    values (${saleId}, ${seller.id}, 'question', ${`motivo de ${name}`}, 'declined', ${`cara ${name}`}, now())`;
  await sql`update charges set failure_detail = ${`unknown ${email}`} where id = ${chargeId}`;
  await sql`update mails set status = 'sent', error = ${`550 ${email}`} where sale_id = ${saleId}`;
  await run();
  const marks = [name, email, "912345670", "198.51.100.77", computeAddressHashes(email)[0]!];
  const stored = await saleRow(saleId);
  expect((await findTexts(marks)).length).toBeGreaterThan(8);

  expect((await submit(await inPortal(email))).status).toBe(200);
  await eraseWholly(email);
  await run();
  expect(await findTexts(marks)).toEqual([]);
  const bodies =
    await sql`select body_sealed from deliveries where sale_id = ${saleId} and body_sealed is not null`;
  expect(bodies.map((row) => unseal(row.body_sealed)).join()).not.toContain(name);
  const after = await saleRow(saleId);
  for (const column of [
    "status",
    "amount_cents",
    "completed_at",
    "utm_source",
    "utm_campaign",
    "product_id",
    "created_at",
  ])
    expect(after[column], column).toEqual(stored[column]);
  expect(after).toMatchObject({
    customer_name: null,
    customer_email: null,
    customer_document_sealed: null,
    campaign: {},
  });
  expect(
    await sql`select status, provider_id is not null as known from charges where sale_id = ${saleId}`,
  ).toEqual([{ status: "paid", known: true }]);
  expect(await sql`select 1 from erasures where email = ${email}`).toEqual([]);
  expect(await listPurchases(email, null)).toMatchObject({ sellers: [] });
});

test("mails about a purchase that was corrected to another address lose the erased one, and its buyer stays", async () => {
  const [email, current] = [buyer(), buyer()];
  const { sale } = await bought(email);
  const purchaseMail = await makeMail({ saleId: sale.id });
  await markSent(purchaseMail);
  await correctEmail(sale.id, current);
  await bought(email);
  await requestErasure(email);
  await runErasurePass(email);
  // The notification of the correction still waits, and is what finds the other mails.
  expect(await sql`select recipient from mails where id = ${purchaseMail}`).toEqual([{ recipient: email }]);
  await eraseWholly(email);
  await run();
  expect(await findTexts([email])).toEqual([]);
  expect(await saleRow(sale.id)).toMatchObject({ customer_email: current });
  expect(await sql`select kind, recipient from mails where sale_id = ${sale.id} and recipient <> ''`).toEqual(
    [{ kind: "access", recipient: current }],
  );
});

test("a request is confirmed by mail, ends every access, and the address finds no purchases afterwards", async () => {
  const email = buyer();
  await bought(email);
  const other = await inPortal(email);
  const submitted = await submit(await inPortal(email));
  expect(await submitted.text()).toContain("Pedido recebido");
  expect(submitted.headers.getSetCookie()[0]).toMatch(/comprador=;.*Max-Age=0/);
  expect((await submit(other)).headers.get("location")).toBe("/minhas-compras?fim=apagar");
  expect(
    await sql`select kind from mails where recipient = ${email} and kind = 'erasure-asked'`,
  ).toHaveLength(1);
  await runErasurePass(email);
  await sendPortalLink(email);
  expect(await sql`select 1 from mails where recipient = ${email} and kind = 'buyer-link'`).toHaveLength(2);
  expect(await sql`select 1 from buyer_sessions where email = ${email}`).toEqual([]);
});

test("without the tick nothing is anonymized, and the page states why", async () => {
  const email = buyer();
  await bought(email);
  const refused = await submit(await inPortal(email), {});
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Marque que você entendeu");
  expect(await sql`select 1 from erasures where email = ${email}`).toEqual([]);
});

test("two clicks at once are one request and one mail", async () => {
  const email = buyer();
  await bought(email);
  const [one, two] = [await inPortal(email), await inPortal(email)];
  await Promise.all([submit(one), submit(two), requestErasure(email)]);
  expect(await sql`select 1 from erasures where email = ${email}`).toHaveLength(1);
  expect(await sql`select 1 from mails where recipient = ${email} and kind = 'erasure-asked'`).toHaveLength(
    1,
  );
  await eraseWholly(email);
});

test("another e-mail's purchases, and the same one's orders of later, stay as they are", async () => {
  const [email, other] = [buyer(), buyer()];
  const mine = await bought(email);
  const theirs = await makeSale(mine.product, { status: "completed", customerEmail: other });
  await requestErasure(email);
  const later = await makeSale(mine.product, {
    status: "completed",
    customerEmail: email,
    createdAt: new Date(Date.now() + 1000),
  });
  await eraseWholly(email);
  expect((await saleRow(mine.sale.id)).customer_email).toBeNull();
  expect((await saleRow(theirs.id)).customer_email).toBe(other);
  expect((await saleRow(later.id)).customer_email).toBe(email);
});

test("an open PIX is waited for: it may still be paid, and its buyer gets what they paid for", async () => {
  const email = buyer();
  const { product } = await openShop();
  const { saleId } = await placeSale(
    order(product.id, { customer: { name: "Zoe", email, phone: null, document: null } }),
  );
  const { chargeId } = await startPix(saleId);
  await requestErasure(email);
  await runErasurePass(email);
  expect((await saleRow(saleId)).customer_email).toBe(email);
  await settle(chargeId);
  expect(await sql`select recipient from mails where sale_id = ${saleId} and kind = 'purchase'`).toEqual([
    { recipient: email },
  ]);
  await runErasurePass(email);
  // They paid after the request: the mail with the access is sent, and the access is open for a day.
  expect(await saleRow(saleId)).toMatchObject({ status: "completed", customer_email: email });
  expect(await sql`select status from mails where sale_id = ${saleId} and kind = 'purchase'`).toEqual([
    { status: "attempting" },
  ]);
  await eraseWholly(email);
  expect(await saleRow(saleId)).toMatchObject({ status: "completed", customer_email: null });
  // The seller's notification, still queued, would arrive empty.
  expect(
    await sql`select distinct status, body_sealed, error like 'Os dados do comprador%' as why from ${mailsWithTexts()}
      where sale_id = ${saleId} and kind = 'new-sale'`,
  ).toEqual([{ status: "failed", body_sealed: null, why: true }]);
});

test("a PIX paid after its order was anonymized is booked, and opens in the browser that ordered", async () => {
  const email = buyer();
  const { product } = await openShop();
  const { saleId } = await placeSale(
    order(product.id, { customer: { name: "Zoe", email, phone: null, document: null } }),
  );
  const { chargeId } = await startPix(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await requestErasure(email);
  await runErasurePass(email);
  expect((await saleRow(saleId)).anonymized_at).not.toBeNull();
  await expect(startPix(saleId)).rejects.toThrow("Faça um novo pedido");
  await settle(chargeId);
  expect(await saleRow(saleId)).toMatchObject({ status: "completed", customer_email: null });
  expect(await sql`select kind from mails where sale_id = ${saleId} and status = 'attempting'`).toEqual([
    { kind: "new-sale" },
  ]);
  const at = { params: { saleId } };
  const here = await call(thankYou, `/thank-you/${saleId}`, {
    ...at,
    headers: await inBrowserOf({ id: saleId }),
  });
  expect(here.status).toBe(200);
  const elsewhere = await call(thankYou, `/thank-you/${saleId}`, { ...at, headers: fromElsewhere() });
  expect(elsewhere.status).toBe(403);
  expect(await elsewhere.text()).toContain("só no navegador em que foi feita");
});

test("anonymized while it is being paid, a sale is paid with its buyer and anonymized afterwards", async () => {
  const email = buyer();
  const { product } = await openShop();
  const { saleId } = await placeSale(
    order(product.id, { customer: { name: "Zoe", email, phone: null, document: null } }),
  );
  const { chargeId } = await startPix(saleId);
  await sql`update charges set expires_at = now() - interval '1 minute' where id = ${chargeId}`;
  await requestErasure(email);
  await Promise.all([settle(chargeId), runErasurePass(email), runErasurePass(email)]);
  const [row] =
    await sql`select status, anonymized_at is not null as emptied from sales where id = ${saleId}`;
  expect(row!.status).toBe("completed");
  await eraseWholly(email);
  expect(await saleRow(saleId)).toMatchObject({ status: "completed", customer_email: null });
  // The seller's notification, still queued, would arrive empty.
  expect(
    await sql`select distinct status, body_sealed, error like 'Os dados do comprador%' as why from ${mailsWithTexts()}
      where sale_id = ${saleId} and kind = 'new-sale'`,
  ).toEqual([{ status: "failed", body_sealed: null, why: true }]);
  expect(
    await sql`select count(*)::int as n from sale_events where sale_id = ${saleId} and kind = 'completed'`,
  ).toEqual([{ n: 1 }]);
});

test("a locked charge is not waited for: its sale is anonymized the next time", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const charge = await makeCharge(sale, { status: "paid" });
  await requestErasure(email);
  const held = await holdLock((tx) => tx`select 1 from charges where id = ${charge.id} for no key update`);
  await runErasurePass(email);
  expect((await saleRow(sale.id)).customer_email).toBe(email);
  await held.release();
  await runErasurePass(email);
  expect((await saleRow(sale.id)).customer_email).toBeNull();
});

test("an open refund request and a pending refund keep their buyer until they end, or for 30 days", async () => {
  const email = buyer();
  const [refundRequested, waiting] = [await bought(email), await bought(email)];
  await sql`update sales set completed_at = now() - interval '60 days', created_at = now() - interval '60 days'
    where id = ${refundRequested.sale.id}`;
  await requestRefund(email, refundRequested.sale.id, "Não serviu");
  const charge = await makeCharge(waiting.sale, { status: "paid" });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin) values (${charge.id}, (select seller_id from charges where id = ${charge.id}), 9700, 'pending', 'requested')`;
  await requestErasure(email);
  await runErasurePass(email);
  for (const { sale } of [refundRequested, waiting])
    expect((await saleRow(sale.id)).customer_email).toBe(email);
  await sql`update refund_requests set answer = 'declined', answer_text = 'Não', answered_at = now() where sale_id = ${refundRequested.sale.id}`;
  await runErasurePass(email);
  expect((await saleRow(refundRequested.sale.id)).customer_email).toBeNull();
  expect((await saleRow(waiting.sale.id)).customer_email).toBe(email);
  await sql`update erasures set requested_at = now() - interval '31 days' where email = ${email}`;
  await sql`update sales set created_at = now() - interval '32 days', completed_at = now() - interval '32 days' where id = ${waiting.sale.id}`;
  await runErasurePass(email);
  expect(await saleRow(waiting.sale.id)).toMatchObject({ customer_email: null, amount_cents: 9700 });
  expect(await sql`select status from refunds where charge_id = ${charge.id}`).toEqual([
    { status: "pending" },
  ]);
});

test("a worker killed in the middle leaves each sale whole or anonymized, and the next pass completes it", async () => {
  const email = buyer();
  const { product, sale } = await bought(email);
  for (let n = 0; n < 70; n++) await makeSale(product, { status: "completed", customerEmail: email });
  const [last] = await sql`select id from sales where customer_email = ${email} order by id desc limit 1`;
  const mailId = await makeMail({ recipient: email, saleId: last!.id });
  await requestErasure(email);
  const held = await holdLock((tx) => tx`select 1 from mails where id = ${mailId} for update`);
  const dying = runErasurePass(email).catch(() => "killed");
  await untilLockedOut();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  expect(await dying).toBe("killed");
  await held.release();
  const states = await sql<{ emptied: boolean; named: boolean; n: number }[]>`
    select anonymized_at is not null as emptied, customer_name is not null as named, count(*)::int as n
    from sales where seller_id = ${sale.sellerId} group by 1, 2 order by 1`;
  expect(states).toEqual([
    { emptied: false, named: true, n: 21 },
    { emptied: true, named: false, n: 50 },
  ]);
  await eraseWholly(email);
  await run();
  expect(await findTexts([email])).toEqual([]);
});

test("a second worker with the same request changes nothing more", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  await requestErasure(email);
  const erasure = (await erasureQueue.claim(50)).find((one) => one.email === email)!;
  await Promise.all([erasureQueue.handle(erasure), erasureQueue.handle(erasure)]);
  const first = await saleRow(sale.id);
  await erasureQueue.handle(erasure);
  expect(await saleRow(sale.id)).toEqual(first);
});

test("links that were mailed end with the data, and downloads of the browser that ordered too", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
  const old = new URL(`http://x${downloadUrl(sale.id, line!.id)}`).searchParams;
  await requestErasure(email);
  await runErasurePass(email);
  const opened = await call(thankYou, `/thank-you/${sale.id}`, {
    params: { saleId: sale.id },
    headers: await inBrowserOf(sale),
  });
  expect(opened.status).toBe(403);
  expect(await opened.text()).toContain("o acesso terminou com eles");
  // Nobody corrected anything.
  expect(await saleRow(sale.id)).toMatchObject({ email_corrected_at: null, anonymized_at: expect.any(Date) });
  const proof = { placedSaleIds: [sale.id], key: "", findPortalEmail: async () => email };
  await expect(openDownload(sale.id, line!.id, old, proof)).rejects.toMatchObject({ kind: "not-found" });
  const lasting = openDownload(sale.id, line!.id, new URLSearchParams(), proof);
  await expect(lasting).rejects.toMatchObject({ kind: "forbidden", code: "emptied" });
  await expect(
    openItem({
      saleId: sale.id,
      lineId: line!.id,
      query: new URLSearchParams({ item: randomUUID() }),
      proof,
    }),
  ).rejects.toMatchObject({ kind: "not-found" });
});

test("only an order paid after it was anonymized can get another e-mail", async () => {
  const email = buyer();
  const { product, sale } = await bought(email);
  const late = await makeSale(product, { status: "cancelled", customerEmail: email });
  await requestErasure(email);
  await runErasurePass(email);
  await expect(correctEmail(sale.id, buyer())).rejects.toThrow("foram apagados");
  await settle((await makeCharge(late, { status: "expired" })).id);
  const given = buyer();
  await correctEmail(late.id, given);
  expect(await sql`select recipient from mails where sale_id = ${late.id} and kind = 'access'`).toEqual([
    { recipient: given },
  ]);
});

test.each(["another address", "the same address"])(
  "a buyer who pays after the anonymization and gives it %s keeps what is sent there",
  async (which) => {
    const email = buyer();
    const { product } = await bought(buyer());
    const late = await makeSale(product, { status: "cancelled", customerEmail: email });
    await requestErasure(email);
    await runErasurePass(email);
    await settle((await makeCharge(late, { status: "expired" })).id);
    const given = which === "the same address" ? email : buyer();
    await correctEmail(late.id, given);
    // Requested three days ago, and paid one day later.
    await sql`update sales set created_at = created_at - interval '4 days', anonymized_at = anonymized_at - interval '3 days',
      completed_at = completed_at - interval '2 days' where id = ${late.id}`;
    await sql`update erasures set requested_at = requested_at - interval '3 days' where email = ${email}`;
    await sql`update mails set status = 'sent' where recipient = ${email} and sale_id is null`;
    for (let passes = 0; passes < 3; passes++) await runErasurePass(email);
    expect(await saleRow(late.id)).toMatchObject({ customer_email: given });
    expect(
      await sql`select recipient, status from mails where sale_id = ${late.id} and kind = 'access'`,
    ).toEqual([{ recipient: given, status: "attempting" }]);
    expect(await sql`select 1 from erasures where email = ${email}`).toEqual([]);
  },
);

test("an upsell that is paid after the anonymization gets an e-mail, and restores nothing of the purchase or of an unpaid one", async () => {
  const email = buyer();
  const { product, sale } = await bought(email);
  const accepted = { status: "cancelled", customerEmail: email, parentSaleId: sale.id } as const;
  const [upsell, unpaid] = [await makeSale(product, accepted), await makeSale(product, accepted)];
  await requestErasure(email);
  await runErasurePass(email);
  const given = buyer();
  for (const { id } of [upsell, unpaid])
    await expect(correctEmail(id, given)).rejects.toThrow(
      "Os dados deste pedido foram apagados. Faça um novo",
    );
  await settle((await makeCharge(upsell, { status: "expired" })).id);
  await correctEmail(upsell.id, given);
  expect((await saleRow(upsell.id)).customer_email).toBe(given);
  for (const { id } of [sale, unpaid]) expect((await saleRow(id)).customer_email).toBeNull();
  expect(await sql`select 1 from mails where recipient = ${given} and sale_id = ${sale.id}`).toEqual([]);
});

test("a wish that waits for a worker is counted, with its age", async () => {
  const email = buyer();
  await requestErasure(email);
  await sql`update erasures set scheduled_at = date_trunc('milliseconds', now()) - interval '10 minutes' where email = ${email}`;
  const [erasure, overdue] = (await backlogReadings.pendingErasures!()).map(({ values }) => values[0]![1]);
  expect(erasure).toBeGreaterThanOrEqual(1);
  expect(overdue).toBeGreaterThanOrEqual(600);
  await eraseWholly(email);
});

test("a wish that is put off is late where something of it can be done, and only then", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  await requestErasure(email);
  const long = sql`now() - interval '5 hours'`;
  await sql`update sales set created_at = ${long}, completed_at = ${long} where customer_email = ${email}`;
  await sql`update erasures set requested_at = now() - interval '4 hours', scheduled_at = now() + interval '1 hour' where email = ${email}`;
  const hoursLate = async () =>
    (await backlogReadings.pendingErasures!()).map(({ values }) => Math.round(values[0]![1] / 3600))[1];
  expect(await hoursLate()).toBe(4);
  // The bank decides first.
  await sql`update sales set status = 'disputed' where id = ${sale.id}`;
  expect(await hoursLate()).toBe(0);
  await sql`update erasures set requested_at = now() - interval '31 days' where email = ${email}`;
  await sql`update sales set created_at = now() - interval '32 days', completed_at = now() - interval '32 days' where id = ${sale.id}`;
  expect(await hoursLate()).toBe(31 * 24);
  await eraseWholly(email);
});

test("a seller cannot write another buyer into an anonymized sale", async () => {
  const email = buyer();
  const { seller, sale } = await bought(email);
  await requestErasure(email);
  await runErasurePass(email);
  await expect(editCustomer(seller.id, sale.id, { name: "Zoe", email })).rejects.toThrow("foram apagados");
});

test("buyers are still counted after anonymization, before and after the reports are refreshed", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [email, other] = [buyer(), buyer()];
  for (const one of [email, email, other])
    await makeSale(product, { status: "completed", customerEmail: one });
  const count = () => countCustomers(seller.id, periodOf("7d", new Date()));
  await run();
  expect(await count()).toBe(2);
  await requestErasure(email);
  await runErasurePass(email);
  expect(await count()).toBe(2);
  await run();
  expect(await count()).toBe(2);
  expect(await sql`select 1 from report_buyers where email = ${email}`).toEqual([]);
});

test("the file holds all that was bought with the address, of all sellers, and nothing of another's", async () => {
  const email = buyer();
  const { product } = await openShop();
  const placed = await placeSale(
    order(product.id, { customer: { name: "Zoe Compradora", email, phone: null, document: "52998224725" } }),
  );
  await startPix(placed.saleId);
  const there = new Set([placed.saleId]);
  const shop = await bought(email);
  for (let n = 0; n < 45; n++)
    there.add((await makeSale(shop.product, { status: "completed", customerEmail: email })).id);
  there.add(shop.sale.id);
  const foreign = await bought(buyer());
  const answer = await call(file, "/minhas-compras/meus-dados.json", { headers: await inPortal(email) });
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.headers.get("content-disposition")).toContain("attachment");
  const text = await answer.text();
  const data = JSON.parse(text);
  expect(new Set(data.pedidos.map((one: { numero: string }) => one.numero))).toEqual(there);
  expect(text).not.toContain(foreign.sale.id);
  const own = data.pedidos.find((one: { numero: string }) => one.numero === placed.saleId);
  expect(own).toMatchObject({
    valor: 97,
    comprador: {
      nome: "Zoe Compradora",
      email,
      documento: "***.982.247-**",
      endereco_do_aparelho: "203.0.113.7",
    },
    pagamentos: [{ provedor: "pushinpay", situacao: "open" }],
  });
  expect(data.outros_emails[0].tipo).toBe("buyer-link");
  const nobody = await call(file, "/minhas-compras/meus-dados.json", { headers: fromElsewhere() });
  expect(nobody.headers.get("location")).toBe("/minhas-compras");
});

test("a buyer's file is made once at a time", async () => {
  const email = buyer();
  await bought(email);
  const headers = await inPortal(email);
  const [first, second] = [
    await call(file, "/minhas-compras/meus-dados.json", { headers }),
    await call(file, "/minhas-compras/meus-dados.json", { headers }),
  ];
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(JSON.parse(await first.text()).pedidos).toHaveLength(1);
  const third = await call(file, "/minhas-compras/meus-dados.json", { headers });
  expect(JSON.parse(await third.text()).pedidos).toHaveLength(1);
});

test("erasure and export are rate-limited", async () => {
  const email = buyer();
  await bought(email);
  const headers = await inPortal(email);
  for (let n = 0; n < 20; n++) {
    const answer = await call(file, "/minhas-compras/meus-dados.json", { headers });
    expect([answer.status, JSON.parse(await answer.text()).pedidos.length]).toEqual([200, 1]);
  }
  expect((await call(file, "/minhas-compras/meus-dados.json", { headers })).status).toBe(429);
});
