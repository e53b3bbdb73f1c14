import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { anonymizeClosedAccounts } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { closeAccount, previewClosing, reopenAccount } from "#app/domain/erasure/close-account.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { resendConfirmation, sendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, makeMail, opened } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const run = () => anonymizeClosedAccounts.handle({}, { number: 1, last: false });
const close = (seller: { id: string }) => closeAccount({ id: seller.id, sessionId: randomUUID() });
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

/** As if it had been closed then. */
const closedSince = (seller: { id: string }, moment: Date) =>
  sql`update sellers set closed_at = ${moment} where id = ${seller.id}`;

const isAnonymized = async (seller: { id: string }) =>
  (await sql`select anonymized_at from sellers where id = ${seller.id}`)[0]!.anonymized_at !== null;

test("before the closing its seller sees which PIX can be paid now, and which refund requests are open", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const foreign = await makeProduct(await makeSeller());
  const soon = { expiresAt: new Date(Date.now() + 10 * MINUTE) };
  await makeCharge(await makeSale(product), soon);
  await makeCharge(await makeSale(product, { status: "failed" }));
  await makeCharge(await makeSale(product), { expiresAt: ago(MINUTE) });
  await makeCharge(await makeSale(product, { createdAt: ago(8 * DAY) }), soon);
  await makeCharge(await makeSale(foreign), soon);
  for (const [sold, status, answer] of [
    [product, "completed", null],
    [product, "completed", "declined"],
    [product, "refunded", null],
    [foreign, "completed", null],
  ] as const) {
    const { id } = await makeSale(sold, { status });
    await sql`insert into refund_requests (sale_id, seller_id, kind, answer, answered_at)
      values (${id}, ${sold.sellerId}, 'question', ${answer}, ${answer && new Date()})`;
  }
  expect(await previewClosing(seller.id)).toEqual({ payable: 2, questions: 1 });
});

test("an account that is closed again stays closed since the first time, with its password and one mail", async () => {
  const seller = await makeSeller({ passwordHash: "hash" });
  const read = async () =>
    (await sql`select closed_at, password_hash from sellers where id = ${seller.id}`)[0]!;
  await close(seller);
  const first = await read();
  expect(first).toEqual({ closed_at: expect.any(Date), password_hash: "hash" });
  await close(seller);
  expect(await read()).toEqual(first);
  expect(await sql`select 1 from mails where recipient = ${seller.email}`).toHaveLength(1);
});

test("an account that nobody confirmed is anonymized after 30 days with its mails, and its address is free again", async () => {
  const unconfirmed = (fields: Parameters<typeof makeSeller>[0] = {}) =>
    makeSeller({ emailVerifiedAt: null, passwordHash: "hash", createdAt: ago(31 * DAY), ...fields });
  const [old, other] = [await unconfirmed(), await unconfirmed()];
  for (const seller of [old, other]) await sendConfirmation(db, seller);
  await sql`update email_tokens set expires_at = now() - interval '1 minute' where seller_id = ${old.id}`;
  const selling = await unconfirmed();
  await makeProduct(selling);
  const stay = [other, selling, await unconfirmed({ createdAt: ago(29 * DAY) })];
  stay.push(await unconfirmed({ oauthSubject: randomUUID() }));
  stay.push(await unconfirmed({ emailVerifiedAt: new Date() }));
  const info = vi.spyOn(log, "info").mockImplementation(() => {});
  await run();
  const logged = info.mock.calls.filter(([, text]) => (text as string).startsWith("unconfirmed account"));
  expect(logged).toEqual([[{ sellerId: old.id }, "unconfirmed account anonymized"]]);
  info.mockRestore();
  for (const seller of stay) expect(await isAnonymized(seller)).toBe(false);
  const [row] = await sql`select name, email, password_hash, closed_at is not null as closed
    from sellers where id = ${old.id}`;
  expect(row).toEqual({
    ...{ name: "Conta encerrada", email: expect.stringMatching(/@conta\.invalid$/) },
    ...{ password_hash: null, closed: true },
  });
  expect(await sql`select from mails where recipient = ${old.email}`).toHaveLength(0);
  expect(await sql`select from email_tokens where seller_id = ${old.id}`).toHaveLength(0);
  await makeSeller({ email: old.email });
});

test("an account that is confirmed at the moment of its anonymization stays as it is", async () => {
  const seller = await makeSeller({ emailVerifiedAt: null, passwordHash: "hash", createdAt: ago(31 * DAY) });
  const confirming = await holdLock(
    (tx) => tx`update sellers set email_verified_at = now() where id = ${seller.id}`,
  );
  const running = run();
  await untilLockedOut();
  await confirming.release();
  await running;
  expect(await isAnonymized(seller)).toBe(false);
  const [row] = await sql`select email, password_hash from sellers where id = ${seller.id}`;
  expect(row).toEqual({ email: seller.email, password_hash: "hash" });
});

test("one account is closed and reopened, of which every process is notified, and no other is", async () => {
  const [seller, open, closed] = [await makeSeller(), await makeSeller(), await makeSeller()];
  await close(closed);
  const notified: string[] = [];
  const { unlisten } = await sql.listen("storefront", (payload) => void notified.push(payload));
  const ofShop = () => notified.filter((payload) => payload === `seller:${seller.id}`);
  const areClosed = async () => {
    const rows = await sql`select id from sellers where id in ${sql([seller.id, open.id, closed.id])}
      and closed_at is not null`;
    return rows.map(({ id }) => id).sort();
  };
  await close(seller);
  await until(() => ofShop().length === 1, { what: "the closing to be notified" });
  expect(await areClosed()).toEqual([seller.id, closed.id].sort());
  await reopenAccount(seller.id);
  await until(() => ofShop().length === 2, { what: "the reopening to be notified" });
  expect(await areClosed()).toEqual([closed.id]);
  await unlisten();
});

test("the warning comes three days before the anonymization, with a link to the account", async () => {
  const seller = await makeSeller();
  await close(seller);
  const warnings = async () => {
    const rows = await sql`select body_sealed from ${mailsWithTexts()}
      where recipient = ${seller.email} and subject like 'Em % os dados%'`;
    return opened(rows);
  };
  await closedSince(seller, ago(27 * DAY - 10 * MINUTE));
  await run();
  expect(await warnings()).toEqual([]);
  await closedSince(seller, ago(27 * DAY + 10 * MINUTE));
  await run();
  const [warning] = await warnings();
  expect(warning!.payload.html).toContain(`${env.APP_URL}/settings/close`);
});

test("an account that is reopened is not warned any more of an anonymization", async () => {
  const seller = await makeSeller();
  await close(seller);
  await closedSince(seller, ago(28 * DAY));
  await run();
  const warnings = () => sql`select status, error from mails
    where idempotency_key like ${`account-emptying/${seller.id}/%`}`;
  expect(await warnings()).toEqual([{ status: "attempting", error: null }]);
  await reopenAccount(seller.id);
  expect(await warnings()).toEqual([{ status: "failed", error: "Não enviado: a conta foi reaberta." }]);
  await run();
  expect(await warnings()).toHaveLength(1);
});

test.each([
  { days: 30, status: "completed", why: "where nothing is pending" },
  { days: 90, status: "disputed", why: "even where a payment is disputed" },
] as const)("$days days after the closing an account is anonymized, $why", async ({ days, status }) => {
  const seller = await makeSeller();
  await makeSale(await makeProduct(seller), { status });
  await close(seller);
  await closedSince(seller, ago(days * DAY - MINUTE));
  await run();
  expect(await isAnonymized(seller)).toBe(false);
  await closedSince(seller, ago(days * DAY));
  await run();
  expect(await isAnonymized(seller)).toBe(true);
});

test("of what was sold, name and price stay in the books, but not the address of the file", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await makeSale(product, { status: "completed" });
  await close(seller);
  await closedSince(seller, ago(31 * DAY));
  const info = vi.spyOn(log, "info").mockImplementation(() => {});
  await run();
  expect(info).toHaveBeenCalledWith({ sellerId: seller.id }, "closed account anonymized");
  info.mockRestore();
  const lines = await sql`select name, price_cents, file_url from sale_lines where seller_id = ${seller.id}`;
  expect(lines).toEqual([{ name: product.name, price_cents: product.priceCents, file_url: null }]);
});

test("a mail to the seller that is queued while the account is being anonymized keeps no address", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: "https://exemplo.com.br/curso.pdf" });
  const sale = await makeSale(product, { status: "completed" });
  await close(seller);
  await closedSince(seller, ago(31 * DAY));
  // The addresses of files are cleared after the mails.
  const held = await holdLock((tx) => tx`select 1 from sale_lines where sale_id = ${sale.id} for update`);
  const running = run();
  await untilLockedOut();
  await queueSecurityMail(db, seller.id, { change: "payment-keys" });
  expect(await sql`select 1 from mails where recipient = ${seller.email}`).toHaveLength(1);
  await held.release();
  await running;
  expect(await isAnonymized(seller)).toBe(true);
  expect(await sql`select 1 from mails where seller_id = ${seller.id} and recipient <> ''`).toEqual([]);
});

test("a mail to the seller whose transaction had read the address before loses it within the day, a buyer's mail does not", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await close(seller);
  await closedSince(seller, ago(31 * DAY));
  await run();
  const late = { sellerId: seller.id, recipient: seller.email };
  const ids = [
    await makeMail({ ...late, kind: "security-notice" }),
    await makeMail({ ...late, kind: "failed-payment", saleId: sale.id }),
    await makeMail({ ...late, kind: "access", saleId: sale.id, recipient: "paga-depois@exemplo.com.br" }),
  ];
  await run();
  const left = await sql`select recipient from mails where id in ${sql(ids)} and recipient <> ''`;
  expect(left).toEqual([{ recipient: "paga-depois@exemplo.com.br" }]);
  expect(await sql`select id from queued_mails where id in ${sql(ids)}`).toEqual([{ id: ids[2] }]);
});

test.each([
  ["a new password", requestPasswordReset, { passwordHash: "hash" }],
  ["a confirmation", resendConfirmation, { passwordHash: "hash", emailVerifiedAt: null }],
] as const)(
  "who asks for %s while the account is being anonymized gets no link",
  async (_, request, fields) => {
    const seller = await makeSeller(fields);
    const held = await holdLock(async (tx) => {
      await tx`update sellers set email = ${`encerrada-${seller.id}@conta.invalid`}, anonymized_at = now() where id = ${seller.id}`;
    });
    const requested = request(seller.email);
    await untilLockedOut();
    await held.release();
    await requested;
    expect(await sql`select from email_tokens where seller_id = ${seller.id}`).toEqual([]);
    expect(await sql`select from mails where seller_id = ${seller.id}`).toEqual([]);
  },
);

test("signing in to an account that is being anonymized waits for that, and opens no session", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await close(seller);
  await closedSince(seller, ago(30 * DAY + HOUR));
  const held = await holdLock((tx) => tx`select 1 from products where id = ${product.id} for update`);
  const running = Promise.allSettled([run()]);
  await untilLockedOut();
  const opening = openSession(seller.id, { ip: "203.0.113.7", userAgent: "Navegador" });
  const refused = expect(opening).rejects.toMatchObject({ kind: "unauthorized" });
  await untilLockedOut(2);
  await held.release();
  await Promise.all([running, refused]);
  await run();
  expect(await sql`select 1 from sessions where seller_id = ${seller.id}`).toEqual([]);
  expect(await isAnonymized(seller)).toBe(true);
});

test("with an account each of its buyers is anonymized, also one who gave an e-mail again after a late payment", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), {
    ...{ status: "completed", customerEmail: `zoe-${randomUUID()}@exemplo.com.br` },
    ...{ createdAt: ago(200 * DAY), anonymizedAt: ago(190 * DAY), completedAt: ago(180 * DAY) },
  });
  await close(seller);
  await closedSince(seller, ago(120 * DAY));
  await run();
  const [row] = await sql`select customer_email from sales where id = ${sale.id}`;
  expect([row!.customer_email, await isAnonymized(seller)]).toEqual([null, true]);
});

test("a worker whose clock is days ahead anonymizes no account early", async () => {
  const seller = await makeSeller();
  await close(seller);
  await closedSince(seller, ago(29 * DAY));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * DAY });
  await run().finally(() => vi.useRealTimers());
  expect(await isAnonymized(seller)).toBe(false);
});

test("an account that was reopened after a run listed it keeps its buyers and its shop", async () => {
  const [blocked, reopened] = [await makeSeller(), await makeSeller()];
  const sale = await makeSale(await makeProduct(reopened), { status: "completed" });
  await makeSale(await makeProduct(blocked), { status: "completed" });
  for (const seller of [blocked, reopened]) await close(seller);
  await closedSince(blocked, ago(32 * DAY));
  await closedSince(reopened, ago(31 * DAY));
  const lock = await holdLock((tx) => tx`select 1 from sellers where id = ${blocked.id} for update`);
  const running = run();
  await untilLockedOut(1);
  // As one does that was in time: both were listed at once.
  await sql`update sellers set closed_at = null where id = ${reopened.id}`;
  await lock.release();
  await running;
  expect([await isAnonymized(blocked), await isAnonymized(reopened)]).toEqual([true, false]);
  const [kept] = await sql`select customer_email from sales where id = ${sale.id}`;
  expect(kept!.customer_email).toBe(sale.customerEmail);
});

test.each(["a sale", "no sale"])(
  "a run waits for a reopening of a shop with %s that is not committed, and then leaves the account",
  async (sold) => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const sale = sold === "a sale" ? await makeSale(product, { status: "completed" }) : undefined;
    await close(seller);
    await closedSince(seller, ago(31 * DAY));
    const lock = await holdLock((tx) => tx`update sellers set closed_at = null where id = ${seller.id}`);
    const info = vi.spyOn(log, "info").mockImplementation(() => {});
    const running = run();
    await untilLockedOut(1);
    await lock.release();
    await running;
    expect(info).not.toHaveBeenCalledWith({ sellerId: seller.id }, "closed account anonymized");
    info.mockRestore();
    const kept = await sql`select customer_email from sales where seller_id = ${seller.id}`;
    expect(kept).toEqual(sale ? [{ customer_email: sale.customerEmail }] : []);
    expect(await isAnonymized(seller)).toBe(false);
  },
);
