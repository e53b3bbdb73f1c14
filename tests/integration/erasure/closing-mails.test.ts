import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { closeAccount, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { mailReopening } from "#app/domain/erasure/mail-reopening.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { retryFailedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { eraseWholly, mailClosings } from "#tests/integration/erasure/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, mailsWithTexts, markSent, waitingJobs } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
const close = (seller: { id: string }) => closeAccount({ id: seller.id, sessionId: randomUUID() });
const mailsOf = (seller: { id: string }) =>
  sql<{ id: string; recipient: string; saleId: string; priority: number; data: { closedAt: string } }[]>`
    select id, recipient, sale_id as "saleId", priority, data from ${mailsWithTexts()}
    where seller_id = ${seller.id} and kind = 'shop-closed' order by recipient`;
/** Closes a shop with one buyer. @returns the id of their mail, which waits after 0 or 1 attempts */
async function closeWithMail(seller: { id: string }, attempts = 0): Promise<string> {
  await close(seller);
  await mailClosings(seller.id);
  const { id } = (await mailsOf(seller))[0]!;
  if (attempts > 0) {
    await app.sandbox.fault({ service: "resend", mode: "http-429" });
    expect(await attempt(id)).toBe("again");
  }
  return id;
}
const address = (name: string) => `${name}-${randomUUID()}@exemplo.com.br`;

test("a closing is mailed once to each buyer with access: until when, and where to download it", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [twice, refunded, unpaid] = [address("ana"), address("bia"), address("caio")];
  await makeSale(product, { status: "completed", customerEmail: twice, completedAt: new Date("2026-01-01") });
  const newest = await makeSale(product, { status: "completed", customerEmail: twice });
  await makeSale(product, { status: "refunded", customerEmail: refunded, refundedAt: new Date() });
  await makeSale(product, { status: "pending", customerEmail: unpaid });
  await makeSale(product, { status: "completed", customerEmail: null });
  const other = await makeSeller();
  await makeSale(await makeProduct(other), { status: "completed", customerEmail: twice });
  await close(seller);
  expect(await mailClosings(seller.id)).toBe(1);
  const [mail, ...others] = await mailsOf(seller);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ recipient: twice, saleId: newest.id, priority: 3 });
  expect(await mailsOf(other)).toEqual([]);
  const day = formatDate(anonymizationDate(new Date(mail!.data.closedAt)));
  const { mail: written } = await renderMail({
    kind: "shop-closed",
    saleId: newest.id,
    recipient: twice,
    data: mail!.data,
  });
  expect(written.subject).toBe(`Baixe o que você comprou até ${day}: ${product.name}`);
  expect(written.html).toContain(`termina em <strong>${day}</strong>`);
  expect(written.html).toContain(`/thank-you/${newest.id}`);
  expect(written.html).toContain("/minhas-compras");
});

test("many buyers are mailed in batches, none twice, also where a batch runs again", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const mark = randomUUID();
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, status, completed_at, customer_email)
    select ${seller.id}, ${product.id}, 9700, ${mark} || n, 'completed', now() - make_interval(mins => n / 7), ${mark} || n % 400 || '@exemplo.com.br'
    from generate_series(1, 450) n`;
  // As many orders as a batch has were not paid.
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key)
    select ${seller.id}, ${product.id}, 9700, 'unpaid-' || n from generate_series(1, 200) n`;
  await close(seller);
  const [first] = await sql`select j.payload from graphile_worker._private_jobs j
    where j.payload ->> 'sellerId' = ${seller.id}`;
  expect(await mailClosings(seller.id)).toBe(3);
  expect(await mailsOf(seller)).toHaveLength(400);
  await sql`select queue_job('mail-closing', ${first!.payload}::json, now(), 25, 0, null)`;
  expect(await mailClosings(seller.id)).toBe(3);
  expect(await mailsOf(seller)).toHaveLength(400);
});

test("an account that was reopened mails nobody, and one closed again mails for that closing alone", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: address("ana") });
  await close(seller);
  await reopenAccount(seller.id);
  expect(await mailClosings(seller.id)).toBe(1);
  expect(await mailsOf(seller)).toEqual([]);
  await close(seller);
  await reopenAccount(seller.id);
  await close(seller);
  expect(await mailClosings(seller.id)).toBe(2);
  const [{ closed_at: closedAt }] = (await sql`select closed_at from sellers where id = ${seller.id}`) as [
    { closed_at: Date },
  ];
  expect(await mailsOf(seller)).toMatchObject([{ data: { closedAt: closedAt.toISOString() } }]);
});

test.each([0, 1])(
  "a mail that waits when the account is reopened is not sent, after %i attempts",
  async (attempts) => {
    const seller = await makeSeller();
    const email = address("ana");
    await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
    const id = await closeWithMail(seller, attempts);
    await reopenAccount(seller.id);
    expect(await attempt(id)).toBe("done");
    expect(await mailRow(id)).toMatchObject({
      ...{ status: "failed", failure: "dropped", error: "Não enviado: a loja foi reaberta." },
    });
    expect(await app.sandbox.emails(email)).toEqual([]);
  },
);

async function giveUp(id: string) {
  await sql`update queued_mails set scheduled_at = null where id = ${id}`;
  await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now() where id = ${id}`;
}

test("no command sends a mail of a closing again once the account was reopened", async () => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: address("ana") });
  const id = await closeWithMail(seller);
  const retry = () => retryFailedMails(new Date(Date.now() - MINUTE), new Date(Date.now() + MINUTE));
  await giveUp(id);
  expect(await retry()).toBe(1);
  await giveUp(id);
  await reopenAccount(seller.id);
  expect(await retry()).toBe(0);
});

/** The mails of reopenings, by recipient. */
const reopeningsOf = (seller: { id: string }) =>
  sql<{ id: string; recipient: string; saleId: string }[]>`
    select id, recipient, sale_id as "saleId" from mails where seller_id = ${seller.id} and kind = 'shop-reopened' order by recipient`;

test("who was mailed of a closing is mailed once, after an hour, that the shop was reopened", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [told, left, untold] = [address("ana"), address("bia"), address("caio")];
  const buy = (customerEmail: string, day: string) =>
    makeSale(product, { status: "completed", customerEmail, completedAt: new Date(day) });
  await buy(told, "2025-12-31");
  const kept = await buy(told, "2026-01-01");
  const returned = await buy(told, "2026-01-02");
  const gone = await buy(left, "2026-01-03");
  await buy(untold, "2026-01-04");
  await close(seller);
  await mailClosings(seller.id);
  for (const { id, recipient } of await mailsOf(seller)) if (recipient !== untold) await markSent(id);
  for (const { id } of [returned, gone])
    await sql`update sales set status = 'refunded', refunded_at = now() where id = ${id}`;
  await reopenAccount(seller.id);
  const job = (await waitingJobs(mailReopening.name)).find(({ ids }) => ids.sellerId === seller.id);
  expect(job!.runAt.getTime()).toBeGreaterThan(Date.now() + 59 * MINUTE);
  expect(await mailClosings(seller.id, mailReopening)).toBe(1);
  const [mail, ...others] = await reopeningsOf(seller);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ recipient: told, saleId: kept.id });
  await sql`select queue_job('mail-reopening', ${JSON.stringify(job!.ids)}::text::json, now(), 25, 0, null)`;
  await mailClosings(seller.id, mailReopening);
  expect(await reopeningsOf(seller)).toHaveLength(1);
  expect(await attempt(mail!.id)).toBe("done");
  const [received] = await app.sandbox.emails(told);
  expect(received!.body.subject).toBe(`O seu acesso continua: ${product.name}`);
  expect(received!.body.text).toContain(`/thank-you/${kept.id}`);
});

test("many are mailed of a reopening in batches; nobody is while the shop is closed again, and no mail that waits is sent", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const mark = randomUUID();
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, status, completed_at, customer_email)
    select ${seller.id}, ${product.id}, 9700, ${mark} || n, 'completed', now(), ${mark} || n || '@exemplo.com.br'
    from generate_series(1, 450) n`;
  await close(seller);
  await mailClosings(seller.id);
  await sql`delete from queued_mails where seller_id = ${seller.id}`;
  await sql`update mails set status = 'sent', sent_at = now() where seller_id = ${seller.id} and kind = 'shop-closed'`;
  await reopenAccount(seller.id);
  expect(await mailClosings(seller.id, mailReopening)).toBe(3);
  const mailed = await reopeningsOf(seller);
  expect(mailed).toHaveLength(450);
  await close(seller);
  expect(await attempt(mailed[0]!.id)).toBe("done");
  expect((await mailRow(mailed[0]!.id)).error).toBe("Não enviado: a loja foi encerrada de novo.");
  await mailClosings(seller.id);
  await sql`update mails set status = 'sent' where seller_id = ${seller.id} and kind = 'shop-closed'`;
  await reopenAccount(seller.id);
  await close(seller);
  await sql`update sellers set closed_at = closed_at - interval '1 hour' where id = ${seller.id}`;
  expect(await mailClosings(seller.id, mailReopening)).toBe(1);
  expect(await reopeningsOf(seller)).toHaveLength(450);
});

test("who was mailed of a closing is mailed of the reopening, too, where a second closing was undone at once", async () => {
  const seller = await makeSeller();
  const email = address("ana");
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  await markSent(await closeWithMail(seller));
  await reopenAccount(seller.id);
  await close(seller);
  const reopeningJob = async () =>
    (await waitingJobs(mailReopening.name)).find(({ ids }) => ids.sellerId === seller.id)!;
  const { ids } = await reopeningJob();
  await sql`delete from graphile_worker._private_jobs where payload ->> 'sellerId' = ${seller.id}`;
  await mailReopening.handle(ids as never, { number: 1, last: false });
  expect(await reopeningsOf(seller)).toEqual([]);
  const [{ at }] =
    (await sql`select closed_at + interval '1 hour' as at from sellers where id = ${seller.id}`) as [
      { at: Date },
    ];
  expect((await reopeningJob()).runAt).toEqual(at);
  await reopenAccount(seller.id);
  await mailClosings(seller.id);
  expect(await mailClosings(seller.id, mailReopening)).toBe(2);
  expect(await reopeningsOf(seller)).toMatchObject([{ recipient: email }]);
});

/** A closed shop, whose mail to a buyer of two purchases waits: it names the second one. */
async function closingOfTwo(attempts: number) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const email = address("ana");
  const buy = (day: string) =>
    makeSale(product, { status: "completed", customerEmail: email, completedAt: new Date(day) });
  const [first, second] = [await buy("2026-01-01"), await buy("2026-01-02")];
  const id = await closeWithMail(seller, attempts);
  return { seller, email, first, second, id };
}

test.each([
  [0, "waits"],
  [1, "waits"],
  [1, "was given up"],
])(
  "an address whose newest purchase was corrected is told of the closing all the same, after %i attempts: its mail %s",
  async (attempts, state) => {
    const { seller, email, first, second, id: original } = await closingOfTwo(attempts);
    if (state === "was given up") await giveUp(original);
    const corrected = address("bia");
    await correctEmail(second.id, corrected);
    for (const {
      id,
    } of await sql`select id from mails where seller_id = ${seller.id} and kind = 'shop-closed' and status = 'attempting'`)
      expect(await attempt(id)).toBe("done");
    const told = async (to: string) =>
      (await app.sandbox.emails(to))
        .map(({ body }) => body.text!)
        .filter((text) => text.includes("encerrou a loja"));
    expect(await told(email)).toEqual([expect.stringContaining(`/thank-you/${first.id}`)]);
    expect(await told(corrected)).toEqual([expect.stringContaining(`/thank-you/${second.id}`)]);
  },
);

test("nobody is told of the end of an access that a refund ended, unless they have another one", async () => {
  const refund = (sale: { id: string }) =>
    sql`update sales set status = 'refunded', refunded_at = now() where id = ${sale.id}`;
  for (const attempts of [0, 1]) {
    const one = await closingOfTwo(attempts);
    await refund(one.second);
    expect(await attempt(one.id)).toBe("done");
    const [other] = (await mailsOf(one.seller)).filter(({ id }) => id !== one.id);
    expect(await attempt(other!.id)).toBe("done");
    const texts = (await app.sandbox.emails(one.email)).map(({ body }) => body.text!);
    expect(texts).toEqual([expect.stringContaining(`/thank-you/${one.first.id}`)]);
  }
  const both = await closingOfTwo(1);
  await refund(both.first);
  await refund(both.second);
  expect(await attempt(both.id)).toBe("done");
  expect(await mailRow(both.id)).toMatchObject({ error: "Não enviado: o valor da compra já foi devolvido." });
});

test("no hash of an address stays in the keys of a closing's and a reopening's mails once its buyer was anonymized", async () => {
  const seller = await makeSeller();
  const email = address("ana");
  await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
  const closing = await closeWithMail(seller);
  await markSent(closing);
  await reopenAccount(seller.id);
  await mailClosings(seller.id, mailReopening);
  const [reopening] = await reopeningsOf(seller);
  await requestErasure(email);
  await eraseWholly(email);
  const keys =
    await sql`select idempotency_key as key from mails where id in (${closing}, ${reopening!.id}) order by key`;
  expect(keys).toEqual([{ key: `shop-closed/${closing}` }, { key: `shop-reopened/${reopening!.id}` }]);
});

test("the mails wait an hour, so that a mistaken closing reaches no buyer", async () => {
  const seller = await makeSeller();
  await close(seller);
  const [job] = await sql`select j.run_at - s.closed_at = interval '1 hour' as "isLater"
    from graphile_worker._private_jobs j, sellers s where s.id = ${seller.id} and j.payload ->> 'sellerId' = s.id::text`;
  expect(job).toEqual({ isLater: true });
});
