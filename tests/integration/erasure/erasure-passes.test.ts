import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { editCustomer } from "#app/domain/access/correction/edit-customer.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { erasureQueue } from "#app/domain/erasure/erase-buyer.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { DAY, HOUR, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { ERASURES } from "#app/queue/names.ts";
import { giveBack, openSchool } from "#tests/integration/deliveries/open-school.ts";
import { eraseWholly, runErasurePass } from "#tests/integration/erasure/support.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMail, markSent } from "#tests/support/rows/make-mail.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { until } from "#tests/support/until.ts";

const buyer = () => `zoe-${randomUUID()}@exemplo.com.br`;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

async function bought(email: string, fields: Parameters<typeof makeSale>[1] = {}) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed", customerEmail: email, ...fields });
  return { seller, sale };
}

const emailOf = async (sale: { id: string }) =>
  (await sql`select customer_email from sales where id = ${sale.id}`)[0]!.customer_email as string | null;

/** In how many seconds a worker may claim the request; undefined where it is completed. */
async function dueIn(email: string): Promise<number | undefined> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from scheduled_at - now())::float8 as seconds from erasures where email = ${email}`;
  return row?.seconds;
}

async function confirmationOf(email: string): Promise<string> {
  const [mail] = await sql`select id from mails where recipient = ${email} and kind = 'erasure-asked'`;
  return mail!.id as string;
}

/** What is logged of erasures meanwhile. */
async function linesOf(work: () => Promise<unknown>): Promise<[object, string][]> {
  const lines: [object, string][] = [];
  const spy = vi
    .spyOn(log, "info")
    .mockImplementation((...line: unknown[]) => void lines.push(line as [object, string]));
  await work();
  spy.mockRestore();
  return lines.filter(([, text]) => /buyer|persons/.test(text));
}

test("workers are notified of a request at once", async () => {
  const notified: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void notified.push(payload));
  await requestErasure(buyer());
  await until(() => notified.includes(ERASURES), { what: "the workers to be notified" });
  await unlisten();
});

test("one worker owns a request for two minutes; one that cannot be completed is due again an hour later", async () => {
  const email = buyer();
  await bought(email, { status: "disputed" });
  await requestErasure(email);
  await runErasurePass(email);
  expect(await dueIn(email)).toBeGreaterThan(50 * 60);
  expect(await dueIn(email)).toBeLessThan(61 * 60);
  await sql`update erasures set scheduled_at = date_trunc('milliseconds', now()) where email = ${email}`;
  const claim = async () => (await erasureQueue.claim(50)).some((erasure) => erasure.email === email);
  expect([await claim(), await claim()]).toEqual([true, false]);
  expect(await dueIn(email)).toBeGreaterThan(60);
  expect(await dueIn(email)).toBeLessThan(121);
});

test("the second pass comes half an hour after the first at the earliest, and completes the request", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  await requestErasure(email);
  await markSent(await confirmationOf(email));
  await runErasurePass(email);
  expect(await emailOf(sale)).toBeNull();
  const runAfter = async (minutes: number) => {
    await sql`update sales set anonymized_at = now() - make_interval(mins => ${minutes}) where id = ${sale.id}`;
    await runErasurePass(email);
    return dueIn(email);
  };
  expect(await runAfter(0)).toBeGreaterThan(50 * 60);
  expect(await runAfter(25)).toBeGreaterThan(50 * 60);
  expect(await runAfter(40)).toBeUndefined();
});

test("a repeated request is due at once, also where a worker had claimed the first one", async () => {
  const email = buyer();
  await requestErasure(email);
  await markSent(await confirmationOf(email));
  const claimed = (await erasureQueue.claim(50)).find((erasure) => erasure.email === email)!;
  await requestErasure(email);
  expect(await linesOf(() => erasureQueue.handle(claimed))).toEqual([]);
  expect(await dueIn(email)).toBeLessThan(1);
});

test("a request waits for its confirmation to be sent, for two days at most", async () => {
  const email = buyer();
  await requestErasure(email);
  const confirmation = await confirmationOf(email);
  // A seller has the same address.
  const other = await makeMail({ recipient: email, sellerId: (await makeSeller()).id });
  const runAfter = async (hours: number) => {
    await sql`update mails set created_at = now() - make_interval(hours => ${hours}) where id = ${confirmation}`;
    await runErasurePass(email);
    const [mail] = await sql`select recipient, status from mails where id = ${confirmation}`;
    return { ...mail, isCompleted: (await dueIn(email)) === undefined };
  };
  const waits = { recipient: email, status: "attempting", isCompleted: false };
  expect(await runAfter(0)).toEqual(waits);
  expect(await runAfter(47)).toEqual(waits);
  expect(await runAfter(49)).toEqual({ recipient: "", status: "failed", isCompleted: true });
  expect(await sql`select recipient from mails where id = ${other}`).toEqual([{ recipient: email }]);
});

test("an access that was opening while the request came is ended by the pass, and one of later stays", async () => {
  const email = buyer();
  await requestErasure(email);
  const openedAt = (seconds: number) => sql`
    insert into buyer_sessions (email, link_hash, created_at, expires_at)
    select email, gen_random_uuid(), requested_at + make_interval(secs => ${seconds}), now() + interval '1 hour'
    from erasures where email = ${email} returning id`;
  await openedAt(-1);
  const later = await openedAt(1);
  await runErasurePass(email);
  expect([...(await sql`select id from buyer_sessions where email = ${email}`)]).toEqual([...later]);
});

test("a purchase that was paid after the request stays with its buyer for a day", async () => {
  const email = buyer();
  const createdAt = ago(4 * DAY);
  const recent = await bought(email, { createdAt, completedAt: ago(23 * HOUR) });
  const earlier = await bought(email, { createdAt, completedAt: ago(25 * HOUR) });
  await requestErasure(email);
  await sql`update erasures set requested_at = now() - interval '3 days' where email = ${email}`;
  await runErasurePass(email);
  expect(await emailOf(recent.sale)).toBe(email);
  expect(await emailOf(earlier.sale)).toBeNull();
});

test("an unfinished purchase is waited for until 30 days after the request, to the millisecond", async () => {
  const email = buyer();
  const { sale } = await bought(email, {
    status: "disputed",
    createdAt: ago(40 * DAY),
    completedAt: ago(40 * DAY),
  });
  await requestErasure(email);
  const requestedAt = ago(30 * DAY + SECOND);
  await sql`update erasures set requested_at = ${requestedAt} where email = ${email}`;
  const runAt = async (now: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now });
    try {
      await runErasurePass(email);
    } finally {
      vi.useRealTimers();
    }
    return emailOf(sale);
  };
  expect(await runAt(requestedAt.getTime() + 30 * DAY - 1)).toBe(email);
  expect(await runAt(requestedAt.getTime() + 30 * DAY)).toBeNull();
});

test.each([
  ["has reached", (id: string) => sql`update deliveries set status = 'sent' where destination_id = ${id}`],
  ["can no longer reach", (id: string) => sql`update destinations set deleted_at = now() where id = ${id}`],
])("the end of an access is waited for until it %s its member area", async (_, end) => {
  const email = buyer();
  const { product, area } = await openSchool("cademi");
  const sale = await makeSale(product, { status: "completed", customerEmail: email });
  // What it gives stays open, which a closing finds out by its e-mail.
  const kept = await makeSale(product, { status: "completed", customerEmail: email });
  await giveBack(sale.id);
  const queued = await sql`select event from deliveries where destination_id = ${area} and status = 'queued'`;
  expect(queued).toEqual([{ event: "access.revoked" }]);
  await requestErasure(email);
  await runErasurePass(email);
  for (const one of [sale, kept]) expect(await emailOf(one)).toBe(email);
  await end(area);
  await runErasurePass(email);
  for (const one of [sale, kept]) expect(await emailOf(one)).toBeNull();
});

const REFUSED = { status: "refused", reason: "token" };
const PAUSED = { status: "dropped", reason: "stopped" };
const grewOld = (id: string) =>
  sql`update deliveries set created_at = now() - interval '30 days' where destination_id = ${id}`;
const hadAccepted = (id: string) =>
  sql`update deliveries set attempt_log = '[{"result": "taken"}, {"result": "token"}]' where destination_id = ${id}`;

test.each([
  ["refused it", "as long as it can be sent again", REFUSED, grewOld],
  ["was paused", "as long as it can be sent again", PAUSED, grewOld],
  ["refused it", "unless it accepted it before", REFUSED, hadAccepted],
])("the end of an access whose area %s is waited for %s", async (_, __, ended, end) => {
  const email = buyer();
  const { product, area } = await openSchool("cademi");
  const sale = await makeSale(product, { status: "completed", customerEmail: email });
  await giveBack(sale.id);
  await sql`update deliveries set ${sql(ended)} where destination_id = ${area}`;
  await requestErasure(email);
  await runErasurePass(email);
  expect(await emailOf(sale)).toBe(email);
  await end(area);
  await runErasurePass(email);
  expect(await emailOf(sale)).toBeNull();
});

test("what is being sent to the seller and to a webhook is cleared in the second pass, all else in the first", async () => {
  const email = buyer();
  const { seller, sale } = await bought(email);
  const toSeller = { kind: "new-sale", recipient: seller.email, saleId: sale.id } as const;
  const [waiting, sent] = [await makeMail(toSeller), await makeMail(toSeller)];
  await markSent(sent);
  const webhook = await makeWebhook(seller, { name: "in-flight" });
  const delivery = { saleId: sale.id, bodySealed: seal("{}"), reason: null };
  const queued = await makeDelivery(seller, webhook, { ...delivery, status: "queued" });
  await makeDelivery(seller, webhook, { ...delivery, status: "sent" });
  const mailOf = (id: string) => sql`select status, subject from mails where id = ${id}`;
  const bodies = () => sql`select id from deliveries where sale_id = ${sale.id} and body_sealed is not null`;

  await requestErasure(email);
  await runErasurePass(email);
  expect(await mailOf(waiting)).toEqual([{ status: "attempting", subject: "Sua compra" }]);
  expect(await mailOf(sent)).toEqual([{ status: "sent", subject: null }]);
  expect(await bodies()).toEqual([{ id: queued }]);

  await eraseWholly(email);
  expect(await mailOf(waiting)).toEqual([{ status: "failed", subject: null }]);
  expect(await sql`select 1 from queued_mails where id = ${waiting}`).toEqual([]);
  expect(await bodies()).toEqual([]);
});

test("a mail that waits is locked in the queue before it is locked in the log, as where it is sent", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const mail = await makeMail({ recipient: email, saleId: sale.id });
  await requestErasure(email);
  const held = await holdLock((tx) => tx`select 1 from mails where id = ${mail} for update`);
  const pass = Promise.allSettled([runErasurePass(email)]);
  await untilLockedOut();
  expect(await sql`select 1 from queued_mails where id = ${mail} for update skip locked`).toEqual([]);
  await held.release();
  await pass;
});

test("the log lists each sale whose buyer was anonymized, for a restored backup, and nothing where none was", async () => {
  const email = buyer();
  const { sale } = await bought(email);
  const requested = await linesOf(() => requestErasure(email));
  const erasureId = (await sql`select id from erasures where email = ${email}`)[0]!.id as string;
  expect(requested).toEqual([[{ erasureId }, "erasure requested by the buyer"]]);
  await markSent(await confirmationOf(email));
  const held = await holdLock((tx) => tx`select 1 from sales where id = ${sale.id} for no key update`);
  expect(await linesOf(() => runErasurePass(email))).toEqual([]);
  await held.release();
  expect(await linesOf(() => runErasurePass(email))).toEqual([
    [{ sales: [sale.id] }, "persons taken out of sales"],
    [{ erasureId, sales: 1, isDone: false }, "buyer's data anonymized"],
  ]);
  await sql`update sales set anonymized_at = now() - interval '1 hour' where id = ${sale.id}`;
  expect(await linesOf(() => runErasurePass(email))).toEqual([
    [{ erasureId, sales: 0, isDone: true }, "buyer's data anonymized"],
  ]);
});

test("a purchase that was anonymized unpaid, paid late and given an e-mail again is anonymized once its buyer asks", async () => {
  const email = buyer();
  const { sale } = await bought(email, { anonymizedAt: ago(5 * DAY), completedAt: ago(4 * DAY) });
  await requestErasure(email);
  await eraseWholly(email);
  expect(await emailOf(sale)).toBe(null);
});

test("a purchase without an e-mail that its seller gave the address after the request stays theirs until they ask again", async () => {
  const email = buyer();
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const times = { createdAt: ago(DAY), completedAt: ago(DAY) };
  const of = (customerEmail: string | null) =>
    makeSale(product, { status: "completed", customerEmail, ...times });
  const [sale, covered] = [await of(null), await of(email)];
  await requestErasure(email);
  // In another millisecond than what its seller does, which is all that the two times say.
  await sql`update erasures set requested_at = requested_at - interval '1 second' where email = ${email}`;
  await editCustomer(seller.id, sale.id, { email });
  await editCustomer(seller.id, covered.id, { name: "Zoe Compradora", email });
  await runErasurePass(email);
  expect([await emailOf(sale), await emailOf(covered)]).toEqual([email, null]);
  await requestErasure(email);
  await runErasurePass(email);
  expect(await emailOf(sale)).toBe(null);
});

test("a purchase that its buyer corrected to the address after the request stays theirs until they ask again", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  const of = (customerEmail: string) => makeSale(product, { status: "completed", customerEmail });
  const [sale, covered] = [await of(buyer()), await of(email)];
  await requestErasure(email);
  await correctEmail(sale.id, email);
  await runErasurePass(email);
  expect([await emailOf(sale), await emailOf(covered)]).toEqual([email, null]);
  await requestErasure(email);
  await runErasurePass(email);
  expect(await emailOf(sale)).toBe(null);
});
