import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { MailKind } from "#app/db/schema/mail-data.ts";
import { findSaleMails } from "#app/domain/access/find-buyer-mails.server.ts";
import { mailByPlatform } from "#app/domain/access/mail-by-platform.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { saveHookSecret } from "#app/domain/mail/resend/save-hook-secret.server.ts";
import { removeResendKey, saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";
import { receiveMailWebhook } from "#app/domain/mail/sending/receive-mail-webhook.server.ts";
import { recordSent } from "#app/domain/mail/sending/record-sent.server.ts";
import { readEvidence } from "#app/domain/refund/evidence/read-evidence.server.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { DAY, HOUR } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { hashToken, seal, unseal } from "#app/platform/secrets.server.ts";
import { svixSignature } from "#sandbox/svix.ts";
import { eraseWholly } from "#tests/integration/erasure/support.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import {
  attempt,
  mailRow,
  mailsWithTexts,
  makeMail,
  makeOwnSender,
  markSent,
  renderMails,
  waitingJobs,
} from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const app = await startApp({ worker: 0 });
let platform: string;

beforeAll(async () => {
  await connectResend.handle({ sellerId: "" }, { number: 1, last: false });
  platform = (await ensureHook(null)).token;
});

/** A delivery to an address, signed with a secret unless stated otherwise. */
function deliver(
  hookToken: string,
  body: object,
  { id = `msg_${randomUUID()}`, secret = SECRET, at = Math.floor(Date.now() / 1000), signature = "" } = {},
) {
  const text = JSON.stringify(body);
  const headers: Record<string, string> = {
    "svix-id": id,
    "svix-timestamp": String(at),
    "svix-signature": signature || svixSignature(secret, id, at, text),
  };
  return receiveMailWebhook({ hookToken, body: text, header: (name) => headers[name] ?? null });
}

/** The same to the platform's address, signed as Resend does. */
async function deliverToPlatform(body: object) {
  const { secretSealed } = await ensureHook(null);
  expect(await deliver(platform, body, { secret: unseal(secretSealed!) })).toBe("taken");
}

async function ownHook() {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  await saveHookSecret(seller.id, SECRET);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await sql`update mails set status = 'sent', provider_id = ${randomUUID()} where id = ${id}`;
  return { seller, id, token: (await ensureHook(seller.id)).token };
}

const webhook = (type: string, id: string, more: object = {}) => ({
  type,
  data: { tags: { mail: id }, ...more },
});

test("end to end: registered automatically, delivered, bounced and complained are received", async () => {
  const delivered = await makeMail();
  const bounced = await makeMail({ recipient: "bounced+1@resend.dev" });
  const complained = await makeMail({ recipient: "complained+1@resend.dev" });
  for (const id of [delivered, bounced, complained]) await attempt(id);
  await until(async () => (await mailRow(delivered)).delivered_at);
  await until(async () => (await mailRow(bounced)).bounced_at);
  await until(async () => (await mailRow(complained)).complained_at);
  expect(await mailRow(delivered)).toMatchObject({ status: "sent", error: null });
  const lost = await mailRow(bounced);
  expect(lost.status).toBe("failed");
  expect(lost.error).toContain("devolvido");
  expect((await mailRow(complained)).status).toBe("sent");
});

test("registering twice keeps one address at Resend", async () => {
  await sql`update mail_hooks set key_hash = null, secret_sealed = null where seller_id is null`;
  await connectResend.handle({ sellerId: "" }, { number: 1, last: false });
  expect((await ensureHook(null)).hasSecret).toBe(true);
  const listed = await fetch(`${app.sandbox.url}/resend/webhooks`, {
    headers: { authorization: "Bearer re_sandbox-platform", "user-agent": "test" },
  });
  expect((await listed.json()).data).toHaveLength(1);
});

describe("a registered webhook is looked at once a day", () => {
  const run = (sellerId: string) => connectResend.handle({ sellerId }, { number: 1, last: false });
  const dayLater = (sellerId: string) =>
    sql`update mail_hooks set checked_at = checked_at - interval '1 day' where seller_id = ${sellerId}`;
  const callResend = (key: string, path: string, method = "GET", body?: object) =>
    fetch(`${app.sandbox.url}/resend/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "user-agent": "test", "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  async function connected() {
    const seller = await makeSeller();
    const key = `re_connected-${seller.id}`;
    await saveResendKey(seller.id, key);
    await run(seller.id);
    return { sellerId: seller.id, key, hook: await ensureHook(seller.id) };
  }

  test("one that was deleted at Resend is registered again", async () => {
    const { sellerId, key, hook } = await connected();
    const [job] = (await waitingJobs(connectResend.name)).filter(({ ids }) => ids.sellerId === sellerId);
    expect(job!.runAt.getTime() - hook.checkedAt!.getTime()).toBeGreaterThanOrEqual(23 * 3_600_000);
    await callResend(key, `/${hook.providerId}`, "DELETE");
    await run(sellerId);
    expect(await ensureHook(sellerId)).toEqual(hook);
    await dayLater(sellerId);
    await run(sellerId);
    const anew = await ensureHook(sellerId);
    expect(anew.token).toBe(hook.token);
    expect([anew.providerId, anew.secretSealed && unseal(anew.secretSealed)]).not.toEqual([
      hook.providerId,
      unseal(hook.secretSealed!),
    ]);
    expect((await (await callResend(key, "")).json()).data).toHaveLength(1);
  });

  test("one that was disabled there is not called connected, until it is enabled", async () => {
    const { sellerId, key, hook } = await connected();
    for (const [status, failure] of [
      ["disabled", "webhook disabled"],
      ["enabled", null],
    ] as const) {
      await callResend(key, `/${hook.providerId}`, "PATCH", { status });
      await dayLater(sellerId);
      await run(sellerId);
      expect(await ensureHook(sellerId), status).toMatchObject({ hasSecret: true, failure });
    }
  });

  test("one whose secret was entered by hand is left as it is", async () => {
    const { sellerId } = await connected();
    await saveHookSecret(sellerId, SECRET);
    await dayLater(sellerId);
    const byHand = await ensureHook(sellerId);
    await run(sellerId);
    expect(await ensureHook(sellerId)).toEqual(byHand);
  });

  test("a secret entered by hand stays where its key is removed and saved again", async () => {
    const seller = await makeSeller();
    const key = `re_restricted-${seller.id}`;
    await saveResendKey(seller.id, key);
    await run(seller.id);
    await saveHookSecret(seller.id, SECRET);
    const byHand = await ensureHook(seller.id);
    await removeResendKey(seller.id);
    await saveResendKey(seller.id, key);
    await run(seller.id);
    expect(await ensureHook(seller.id)).toEqual(byHand);
  });
});

test("a webhook that arrives before our own note of the sending wins over it", async () => {
  const { id, token } = await ownHook();
  await sql`update mails set status = 'attempting', provider_id = null where id = ${id}`;
  const bounce = webhook("email.bounced", id, { bounce: { message: "user unknown" } });
  expect(await deliver(token, bounce)).toBe("taken");
  expect(await sql`select from queued_mails where id = ${id}`).toEqual([]);
  expect(await recordSent({ id, subject: "Sua compra", providerId: "1", note: null })).toBe(true);
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    ...{ provider_id: "1", failure: "refused", failed_at: expect.any(Date) },
    error: "devolvido pelo servidor de quem recebe: user unknown",
  });
});

describe.each(["Transient", "Undetermined"])("a mail that bounced as %s", (type) => {
  const bounced = (id: string) => webhook("email.bounced", id, { bounce: { type, message: "mailbox full" } });

  test("has bounced until it is delivered", async () => {
    const { id, token } = await ownHook();
    await deliver(token, bounced(id));
    expect(await mailRow(id)).toMatchObject({
      status: "failed",
      failure: "refused",
      bounced_at: expect.any(Date),
    });
    await deliver(token, webhook("email.delivered", id));
    expect(await mailRow(id)).toMatchObject({
      ...{ status: "sent", error: null, failure: null, failed_at: null, bounced_at: null },
      delivered_at: expect.any(Date),
    });
  });

  test("stays delivered where it was before", async () => {
    const { id, token } = await ownHook();
    await deliver(token, webhook("email.delivered", id));
    await deliver(token, bounced(id));
    expect(await mailRow(id)).toMatchObject({ status: "sent", error: null, bounced_at: null });
  });

  test("stays bounced where it also bounced for good", async () => {
    const { id, token } = await ownHook();
    await deliver(token, webhook("email.bounced", id, { bounce: { type: "Permanent" } }));
    await deliver(token, bounced(id));
    await deliver(token, webhook("email.delivered", id));
    expect(await mailRow(id)).toMatchObject({ status: "failed", bounced_at: expect.any(Date) });
  });
});

test("a mail that bounced for good stays bounced, also where its webhook is not stored any more", async () => {
  const { id, token } = await ownHook();
  await deliver(token, webhook("email.bounced", id, { bounce: { type: "Permanent" } }));
  await sql`delete from mail_events where mail_id = ${id}`;
  await deliver(token, webhook("email.delivered", id));
  expect(await mailRow(id)).toMatchObject({ status: "failed", bounced_at: expect.any(Date) });
});

test("a mail that is delivered before our own note of the sending is sent, and the note completes it", async () => {
  const { id, token } = await ownHook();
  await sql`update mails set status = 'attempting', provider_id = null, subject = null, via = 'platform' where id = ${id}`;
  await sql`update queued_mails set attempts = 3 where id = ${id}`;
  await deliver(token, webhook("email.delivered", id, { subject: "Sua compra chegou".padEnd(201, "!") }));
  // An automatic answer of its recipient's.
  await deliver(token, webhook("email.bounced", id, { bounce: { type: "Transient" } }));
  expect(await sql`select from queued_mails where id = ${id}`).toEqual([]);
  const sent = {
    status: "sent",
    via: "seller",
    attempts: 3,
    subject: "Sua compra chegou".padEnd(200, "!"),
    failure: null,
  };
  expect(await mailRow(id)).toMatchObject({ ...sent, provider_id: null, sent_at: expect.any(Date) });
  expect(await recordSent({ id, subject: "Sua compra", providerId: "1", note: "nota" })).toBe(true);
  expect(await mailRow(id)).toMatchObject({ ...sent, provider_id: "1", error: "nota" });
  expect(await recordSent({ id, subject: "Sua compra", providerId: "2", note: null })).toBe(false);
});

describe("a mail that its account accepted and could not send did not come back", () => {
  const QUOTA = { failed: { reason: "reached_daily_quota" } };
  const UNSENT = { status: "failed", failure: "refused", bounced_at: null, sent_at: expect.any(Date) };
  const ERROR = "o Resend não conseguiu enviar: reached_daily_quota";

  test("by the seller's account, also where that is reported before our own note of the sending", async () => {
    const { id, token } = await ownHook();
    await sql`update mails set status = 'attempting', provider_id = null where id = ${id}`;
    await deliver(token, webhook("email.failed", id, QUOTA));
    expect(await mailRow(id)).toMatchObject({ ...UNSENT, error: ERROR });
    expect(await recordSent({ id, subject: "Sua compra", providerId: "1", note: null })).toBe(true);
    expect(await mailRow(id)).toMatchObject({ ...UNSENT, error: ERROR, provider_id: "1" });
    expect(explainMailError(ERROR)).toContain("O Resend não conseguiu enviar.");
  });

  test("by the platform's account, whose reason its sellers do not read", async () => {
    const id = await makeMail();
    await markSent(id);
    await deliverToPlatform(webhook("email.failed", id, QUOTA));
    const mail = await mailRow(id);
    expect(mail).toMatchObject(UNSENT);
    expect(explainMailError(mail.error!)).toBe("A plataforma não está conseguindo enviar e-mails.");
    const other = await makeMail();
    await markSent(other);
    await deliverToPlatform(webhook("email.failed", other, { failed: { reason: "invalid recipient" } }));
    expect((await mailRow(other)).error).toBe("o Resend não conseguiu enviar: invalid recipient");
  });

  test("and was sent where it was delivered, in whichever order that is reported", async () => {
    const passing = { bounce: { type: "Transient" } };
    for (const types of [
      ["email.failed", "email.delivered"],
      ["email.delivered", "email.failed"],
      ["email.bounced", "email.failed", "email.delivered"],
    ]) {
      const { id, token } = await ownHook();
      for (const type of types)
        await deliver(token, webhook(type, id, type === "email.bounced" ? passing : QUOTA));
      expect(await mailRow(id)).toMatchObject({ status: "sent", failure: null, error: null });
    }
  });

  test("so its buyer reads that it was not sent, and a bank is not told that it was", async () => {
    const seller = await makeSeller();
    const email = `ana-${randomUUID()}@exemplo.com.br`;
    const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
    await makeCharge(sale, { status: "paid", paidAt: new Date() });
    const id = await makeMail({ kind: "purchase", saleId: sale.id, recipient: email });
    await markSent(id);
    const shown = async () => (await readEvidence(seller.id, sale.id)).mails;
    expect(await shown()).toHaveLength(1);
    await deliverToPlatform(webhook("email.failed", id, QUOTA));
    expect(await findSaleMails(sale.id, email)).toMatchObject([{ id, state: "unsent" }]);
    expect(await shown()).toEqual([]);
    const moments = (await readTimeline(seller.id, sale.id)).filter(({ source }) => source === "mail");
    expect(moments.map(({ kind }) => kind)).toEqual(["queued", "sent", "failed"]);
  });
});

describe("a mail whose answer was lost is sent once its delivery is known", () => {
  async function withLostAnswer() {
    const { seller, id, token } = await ownHook();
    await sql`update mails set status = 'attempting', provider_id = null where id = ${id}`;
    await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
    expect(await attempt(id)).toBe("again");
    return { seller, id, deliverIt: () => deliver(token, webhook("email.delivered", id)) };
  }
  const SENT = { status: "sent", via: "seller", attempts: 1, failure: null, error: null, failed_at: null };

  test("also where the key is removed after that", async () => {
    const { seller, id, deliverIt } = await withLostAnswer();
    await deliverIt();
    await removeResendKey(seller.id);
    expect(await mailRow(id)).toMatchObject({ ...SENT, delivered_at: expect.any(Date) });
  });

  test("also where the key was removed before", async () => {
    const { seller, id, deliverIt } = await withLostAnswer();
    await removeResendKey(seller.id);
    expect((await mailRow(id)).error).toContain("pode ter chegado");
    await deliverIt();
    expect(await mailRow(id)).toMatchObject({ ...SENT, sent_at: expect.any(Date) });
  });

  test("also where it was given up, and retry-mails leaves it alone", async () => {
    const { id, deliverIt } = await withLostAnswer();
    await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now(), attempts = 1, via = 'seller' where id = ${id}`;
    await sql`update queued_mails set scheduled_at = null where id = ${id}`;
    await deliverIt();
    expect(await mailRow(id)).toMatchObject(SENT);
    expect(await sql`select from queued_mails where id = ${id}`).toEqual([]);
  });
});

test.each([
  ["email.bounced", "bounce", "message", "devolvido pelo servidor de quem recebe", expect.any(Date)],
  ["email.failed", "failed", "reason", "o Resend não conseguiu enviar", null],
])(
  "%s of a mail whose buyer was anonymized does not bring the address back",
  async (type, part, key, text, bouncedAt) => {
    const { seller, token } = await ownHook();
    const email = `ana-${randomUUID()}@exemplo.com.br`;
    const sale = await makeSale(await makeProduct(seller), { status: "completed", customerEmail: email });
    const id = await makeMail({ saleId: sale.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
    await attempt(id);
    await requestErasure(email);
    await eraseWholly(email);
    expect(await mailRow(id)).toMatchObject({ recipient: "", status: "sent" });
    const reason = { [part]: { type: "Permanent", [key]: `550 <${email}> unknown` } };
    expect(await deliver(token, webhook(type, id, reason))).toBe("taken");
    expect(JSON.stringify(await sql`select * from mails where sale_id = ${sale.id}`)).not.toContain(email);
    expect(await mailRow(id)).toMatchObject({ status: "failed", bounced_at: bouncedAt, error: text });
  },
);

test("a mail's webhook takes two statements, since thousands arrive after a launch", async () => {
  const { id, token } = await ownHook();
  const { result, statements } = await countStatements(() => deliver(token, webhook("email.delivered", id)));
  expect(result).toBe("taken");
  expect(statements).toHaveLength(2);
  expect((await mailRow(id)).delivered_at).toBeTruthy();
});

test("signed webhooks of no mail are recorded, whatever they lack", async () => {
  const { token } = await ownHook();
  for (const type of ["email.bounced", "email.delivered", "email.opened"])
    expect(await deliver(token, { type })).toBe("taken");
});

test("what is signed and no webhook of a mail changes nothing, and breaks nothing", async () => {
  const { token, id } = await ownHook();
  const before = await mailRow(id);
  for (const mail of ["-".repeat(36), "0".repeat(36), 7, null, { id }, [id]])
    expect(await deliver(token, { type: "email.bounced", data: { tags: { mail } } })).toBe("taken");
  for (const data of [null, "x", 7, [], { tags: "x", bounce: "y" }])
    expect(await deliver(token, { type: "email.bounced", data })).toBe("taken");
  for (const body of [{}, { type: 7 }, { type: { name: "email.bounced" } }, [], "email.bounced", 7])
    expect(await deliver(token, body as object)).toBe("unsigned");
  expect(await mailRow(id)).toEqual(before);
});

describe("a purchase that its seller's account accepted and could not send", () => {
  const QUOTA = { failed: { reason: "reached_daily_quota" } };

  async function failedMail(kind: MailKind = "purchase") {
    const { seller, token } = await ownHook();
    const sale = await makeSale(await makeProduct(seller), { status: "completed" });
    const id = await makeMail({ kind, saleId: sale.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
    await markSent(id);
    const mailsOf = () =>
      sql`select id, via, status from ${mailsWithTexts()} where sale_id = ${sale.id} and id <> ${id} order by created_at`;
    /** Its webhook, twice, and the job that follows. */
    async function fail(type = "email.failed") {
      const once = { id: `msg_${randomUUID()}` };
      for (const _ of [1, 2]) await deliver(token, webhook(type, id, QUOTA), once);
      const jobs = (await waitingJobs(mailByPlatform.name)).filter(({ ids }) => ids.mailId === id);
      for (const _ of jobs) await mailByPlatform.handle({ mailId: id }, { number: 1, last: false });
      return jobs.length;
    }
    return { sale, id, fail, mailsOf };
  }

  test.each(["purchase", "upsell", "access"] as const)(
    "is mailed by the platform, once (%s)",
    async (kind) => {
      const { id, fail, mailsOf } = await failedMail(kind);
      const info = vi.spyOn(log, "info").mockImplementation(() => {});
      expect(await fail()).toBe(1);
      await mailByPlatform.handle({ mailId: id }, { number: 2, last: false });
      const text = "a purchase that its seller's account could not send is mailed by the platform";
      expect(info.mock.calls.filter(([, logged]) => logged === text)).toEqual([[{ mailId: id }, text]]);
      info.mockRestore();
      const [again, ...others] = await mailsOf();
      expect(others).toEqual([]);
      await renderMails();
      const [rendered] = await mailsOf();
      expect(rendered).toMatchObject({ id: again!.id, via: "platform", status: "attempting" });
    },
  );

  test("is not mailed where another mail has it, or its address was corrected, or it went back", async () => {
    const other = await failedMail();
    const [resent] = [await makeMail({ kind: "access", saleId: other.sale.id, via: "platform" })];
    await other.fail();
    expect((await other.mailsOf()).map(({ id }) => id)).toEqual([resent]);
    const corrected = await failedMail();
    await sql`update sales set customer_email = 'outra@exemplo.com.br' where id = ${corrected.sale.id}`;
    const returned = await failedMail();
    await sql`update sales set status = 'refunded', refunded_at = now() where id = ${returned.sale.id}`;
    for (const { fail, mailsOf } of [corrected, returned]) {
      await fail();
      expect(await mailsOf()).toEqual([]);
    }
  });

  test("other mails and other webhooks lead to none", async () => {
    const reminder = await failedMail("reminder");
    await reminder.fail();
    expect(await reminder.mailsOf()).toEqual([]);
    const bounced = await failedMail();
    expect(await bounced.fail("email.bounced")).toBe(0);
    const sent = await failedMail();
    const info = vi.spyOn(log, "info").mockImplementation(() => {});
    await mailByPlatform.handle({ mailId: sent.id }, { number: 1, last: false });
    expect(await sent.mailsOf()).toEqual([]);
    expect(info).not.toHaveBeenCalled();
    info.mockRestore();
  });
});

test("a purchase that the platform's account could not send is mailed again later, three times at most", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const mailsOf = () => sql<{ id: string }[]>`select id from mails where sale_id = ${sale.id}
    order by created_at desc`;
  const handle = (mailId: string) => mailByPlatform.handle({ mailId }, { number: 1, last: false });
  await makeMail({ kind: "purchase", saleId: sale.id });
  const waits: number[] = [];
  for (let n = 1; n <= 4; n++) {
    const { id } = (await mailsOf())[0]!;
    await markSent(id);
    await deliverToPlatform(webhook("email.failed", id));
    await handle(id);
    expect(await mailsOf()).toHaveLength(n);
    const [, later] = (await waitingJobs(mailByPlatform.name))
      .filter(({ ids }) => ids.mailId === id)
      .sort((a, b) => a.runAt.getTime() - b.runAt.getTime());
    if (later) waits.push((later.runAt.getTime() - ((await mailRow(id)).failed_at as Date).getTime()) / HOUR);
    await sql`update mails set failed_at = failed_at - interval '1 day', created_at = created_at - interval '1 minute' where id = ${id}`;
    // Its worker's clock is behind.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 2 * DAY });
    await handle(id);
    vi.useRealTimers();
  }
  expect(waits).toEqual([1, 6, 24]);
  expect(await mailsOf()).toHaveLength(4);
});

test("the same webhook repeated and at once counts once", async () => {
  const { id, token } = await ownHook();
  const body = webhook("email.delivered", id);
  const once = { id: "msg_same" };
  const answers = await Promise.all([1, 2, 3].map(() => deliver(token, body, once)));
  expect(answers.sort()).toEqual(["known", "known", "taken"]);
  expect(await deliver(token, body, once)).toBe("known");
});

test("an unsigned, wrongly signed or old webhook is not trusted", async () => {
  const { id, token } = await ownHook();
  const body = webhook("email.bounced", id);
  const old = Math.floor(Date.now() / 1000) - 600;
  expect(await deliver(token, body, { signature: "v1,AAAA" })).toBe("unsigned");
  expect(await deliver(token, body, { signature: " " })).toBe("unsigned");
  expect(await deliver(token, body, { at: old })).toBe("unsigned");
  expect(await deliver(token, body, { secret: "whsec_b3V0cm8gc2VncmVkbyBxdWFscXVlciBhcXVp" })).toBe(
    "unsigned",
  );
  expect(await deliver("nao-existe", body)).toBe("unknown-address");
  expect((await mailRow(id)).bounced_at).toBeNull();
});

test("one seller's address cannot touch another's mails, nor the platform's", async () => {
  const a = await ownHook();
  const b = await ownHook();
  const other = await makeMail();
  for (const id of [b.id, other]) expect(await deliver(a.token, webhook("email.bounced", id))).toBe("taken");
  expect((await mailRow(b.id)).status).toBe("sent");
  expect((await mailRow(other)).status).toBe("attempting");
  // Nor does the platform's account change what a seller's sent; what it sent for them is its own.
  const [hook] = await sql`select hook_token, secret_sealed from mail_hooks where seller_id is null`;
  const deliverPlatform = (id: string) =>
    deliver(hook!.hook_token, webhook("email.bounced", id), { secret: unseal(hook!.secret_sealed) });
  for (const id of [b.id, other]) expect(await deliverPlatform(id)).toBe("taken");
  expect((await mailRow(b.id)).status).toBe("sent");
  expect((await mailRow(other)).status).toBe("failed");
});

test("of a long reason the first 500 characters are stored, and each webhook is logged once", async () => {
  const { seller, id, token } = await ownHook();
  const failed = webhook("email.failed", id, { failed: { reason: "x".repeat(600) } });
  const info = vi.spyOn(log, "info").mockImplementation(() => {});
  try {
    for (const _ of [1, 2]) await deliver(token, failed, { id: "msg_long" });
    expect(info).toHaveBeenCalledExactlyOnceWith(
      { type: "email.failed", mailId: id, sellerId: seller.id },
      "mail webhook received",
    );
  } finally {
    info.mockRestore();
  }
  expect((await mailRow(id)).error).toMatch(/^o Resend não conseguiu enviar: x+$/);
  expect((await mailRow(id)).error).toHaveLength(500);
});

test("an attempt that begins while an earlier one is recorded as sent is counted", async () => {
  const id = await makeMail();
  const beginning = await holdLock((tx) => tx`update queued_mails set attempts = 7 where id = ${id}`);
  const recording = recordSent({ id, subject: "Sua compra", providerId: "1", note: null });
  await untilLockedOut();
  await beginning.release();
  expect(await recording).toBe(true);
  expect(await mailRow(id)).toMatchObject({ status: "sent", attempts: 7 });
});

test("over http: 200 for a signed webhook, 401 for a forged one, 404 for an unknown address", async () => {
  const { id, token } = await ownHook();
  const body = JSON.stringify(webhook("email.delivered", id));
  const at = Math.floor(Date.now() / 1000);
  const headers = {
    "svix-id": "msg_http",
    "svix-timestamp": String(at),
    "svix-signature": svixSignature(SECRET, "msg_http", at, body),
  };
  const post = (address: string, more: object = {}) =>
    app.fetch(address, { method: "POST", body, headers: { ...headers, ...more } });
  const address = `/api/webhooks/resend/${token}`;
  expect((await post(address)).status).toBe(200);
  expect((await post(address, { "svix-signature": "v1,AAAA" })).status).toBe(401);
  expect((await post("/api/webhooks/resend/nada")).status).toBe(404);
  expect((await mailRow(id)).delivered_at).not.toBeNull();
  expect(platform).not.toBe(token);
});

test("a send-only key is reported, and the secret can be entered manually", async () => {
  const seller = await makeSeller();
  await saveResendKey(seller.id, "re_restricted-vera");
  await connectResend.handle({ sellerId: seller.id }, { number: 1, last: false });
  const hook = await ensureHook(seller.id);
  expect(hook).toMatchObject({ hasSecret: false });
  expect(hook.failure).toContain("restricted_api_key");
  for (const typed of ["errado", "", "••••••••1234"])
    await expect(saveHookSecret(seller.id, typed), typed).rejects.toMatchObject({ kind: "invalid" });
  await saveHookSecret(seller.id, SECRET);
  expect(await ensureHook(seller.id)).toMatchObject({ hasSecret: true, failure: null });
});

test("a secret that is saved while a new key is being saved is known as that key's", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const other = "re_outra_chave_do_vendedor";
  const saving = await holdLock(
    (tx) => tx`update mail_settings set resend_key_sealed = ${seal(other)} where seller_id = ${seller.id}`,
  );
  const saved = saveHookSecret(seller.id, SECRET);
  await untilLockedOut();
  await saving.release();
  await saved;
  expect((await ensureHook(seller.id)).keyHash).toBe(hashToken(other));
});

/** Registers a seller's webhook. `meanwhile` is committed after Resend has answered, before the answer is saved. */
async function connectWhile(
  seller: { id: string },
  meanwhile: (tx: TransactionSql) => Promise<unknown>,
  attempt = { number: 1, last: false },
) {
  let connecting: Promise<void> | undefined;
  const held = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    connecting = Promise.resolve(connectResend.handle({ sellerId: seller.id }, attempt));
    await untilLockedOut();
    await meanwhile(tx);
  });
  await held.release();
  await connecting;
}

test("a secret that was entered by hand while Resend refused its key stays", async () => {
  const seller = await makeSeller();
  await saveResendKey(seller.id, "re_restricted-meanwhile");
  const { token } = await ensureHook(seller.id);
  await connectWhile(
    seller,
    (tx) =>
      tx`update mail_hooks set secret_sealed = ${seal(SECRET)}, failure = null where hook_token = ${token}`,
  );
  const hook = await ensureHook(seller.id);
  expect([unseal(hook.secretSealed!), hook.failure]).toEqual([SECRET, null]);
});

test.each(["re_account-of-before", "re_restricted-account-of-before"])(
  "what %s led to is not saved once another key has replaced it",
  async (key) => {
    const seller = await makeSeller();
    await saveResendKey(seller.id, key);
    const before = await ensureHook(seller.id);
    await connectWhile(
      seller,
      (tx) =>
        tx`update mail_settings set resend_key_sealed = ${seal("re_account-of-now")} where seller_id = ${seller.id}`,
    );
    expect(await ensureHook(seller.id)).toEqual(before);
    await connectResend.handle({ sellerId: seller.id }, { number: 1, last: false });
    expect((await ensureHook(seller.id)).keyHash).toBe(hashToken("re_account-of-now"));
  },
);

test("the job of a key that was saved while Resend was away for another one does not wait for an hour", async () => {
  const seller = await makeSeller();
  await saveResendKey(seller.id, "re_account-of-the-outage");
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  const replace = (tx: TransactionSql) =>
    tx`update mail_settings set resend_key_sealed = ${seal("re_account-of-now")} where seller_id = ${seller.id}`;
  await connectWhile(seller, replace, { number: 8, last: true });
  const [job] = (await waitingJobs(connectResend.name)).filter(({ ids }) => ids.sellerId === seller.id);
  expect(job!.runAt.getTime()).toBeLessThanOrEqual(Date.now());
});

test("a mail is stored with the subject that was sent; one that was ended meanwhile keeps its own", async () => {
  const [waiting, ended] = [await makeMail(), await makeMail()];
  await sql`delete from queued_mails where id = ${ended}`;
  for (const id of [waiting, ended])
    expect(await recordSent({ id, subject: "Outro assunto", providerId: "1", note: null })).toBe(true);
  expect(await mailRow(waiting)).toMatchObject({ status: "sent", subject: "Outro assunto" });
  expect(await mailRow(ended)).toMatchObject({ status: "sent", subject: "Sua compra" });
});

test("a change of a seller's domain is checked once, and other webhooks cause no check", async () => {
  const [changed, other] = [await ownHook(), await ownHook()];
  const event = { type: "domain.updated", data: {} };
  const once = { id: `msg_${randomUUID()}` };
  const checks = async () =>
    (await waitingJobs("check-domain")).filter(({ ids }) => ids.sellerId === changed.seller.id);
  expect(await deliver(changed.token, event, once)).toBe("taken");
  expect(await checks()).toHaveLength(1);
  expect(await deliver(changed.token, event, once)).toBe("known");
  expect(await deliver(other.token, webhook("email.delivered", other.id))).toBe("taken");
  expect(await checks()).toHaveLength(1);
  const checked = (await waitingJobs("check-domain")).map(({ ids }) => ids.sellerId);
  expect(checked).not.toContain(other.seller.id);
});
