import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { confirmEmail } from "#app/domain/identity/email/confirm-email.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { removeResendKey, storeResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { retryFailedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
const dueIn = async (id: string) => ((await mailRow(id)).scheduled_at as Date).getTime() - Date.now();
const arrived = async (id: string) => app.sandbox.emails((await mailRow(id)).recipient);

test("a mail leaves by the platform with text, tag and idempotency key", async () => {
  const id = await makeMail();
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent", attempts: 1, error: null, via: "platform" });
  const [mail] = await arrived(id);
  expect(mail!.body).toMatchObject({ text: "Olá", tags: [{ name: "mail", value: id }] });
  expect(mail!.idempotencyKey).toMatch(/^purchase\//);
});

for (const mode of ["http-500", "http-429", "reset", "malformed", "status-503"] as const) {
  test(`after ${mode} it is retried and arrives once`, async () => {
    const id = await makeMail();
    await app.sandbox.fault({ service: "resend", mode });
    await attempt(id);
    expect(await mailRow(id)).toMatchObject({ status: "attempting", attempts: 1 });
    expect((await mailRow(id)).error).toBeTruthy();
    expect(await attempt(id)).toBe("done");
    expect(await mailRow(id)).toMatchObject({ status: "sent", attempts: 2, error: null });
    expect(await arrived(id)).toHaveLength(1);
  });
}

test("an answer lost after the provider accepted the mail makes no second copy", async () => {
  const id = await makeMail();
  await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
  expect(await attempt(id)).toBe("again");
  expect(await attempt(id)).toBe("done");
  expect(await arrived(id)).toHaveLength(1);
});

test("a 429 is waited out for the stated time", async () => {
  const id = await makeMail();
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  expect(await attempt(id)).toBe("again");
  expect(await dueIn(id)).toBeLessThan(5_000);
});

test("a used-up daily quota defers for hours", async () => {
  const id = await makeMail();
  const body = { statusCode: 429, name: "daily_quota_exceeded", message: "You have reached your quota." };
  await app.sandbox.fault({ service: "resend", mode: "status-429", body });
  expect(await attempt(id)).toBe("again");
  expect(await dueIn(id)).toBeGreaterThan(2 * 3_600_000);
});

test("a mail that can never succeed fails at once and states why", async () => {
  const id = await makeMail();
  // One that had as many attempts, and waits for its next.
  const other = await makeMail();
  await sql`update queued_mails set attempts = 1, scheduled_at = now() + interval '1 hour' where id = ${other}`;
  await app.sandbox.fault({ service: "resend", mode: "http-422" });
  expect(await attempt(id)).toBe("done");
  const row = await mailRow(id);
  expect(row).toMatchObject({ status: "failed", attempts: 1 });
  expect(row.error).toMatch(/^422 /);
  expect((await mailRow(other)).status).toBe("attempting");
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).attempts).toBe(1);
});

test("three days end the trying, and no number of attempts", async () => {
  const [young, old] = [await makeMail(), await makeMail()];
  await sql`update queued_mails set attempts = 30 where id in ${sql([young, old])}`;
  await sql`update queued_mails set created_at = now() - interval '4 days' where id = ${old}`;
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect([await attempt(young), await attempt(old)]).toEqual(["again", "done"]);
  expect((await mailRow(old)).status).toBe("failed");
});

test("calls that the account put off do not make the mail wait for hours after its first error", async () => {
  const id = await makeMail();
  await app.sandbox.fault({ service: "resend", mode: "http-429", times: 12 });
  for (let call = 0; call < 12; call++) expect(await attempt(id)).toBe("again");
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(id)).toBe("again");
  expect(await dueIn(id)).toBeLessThan(3_600_000);
  expect(await attempt(id)).toBe("done");
  expect(await arrived(id)).toHaveLength(1);
});

test("a mail that nothing could attempt for days is attempted once", async () => {
  const [good, bad] = [await makeMail(), await makeMail()];
  await sql`update queued_mails set created_at = now() - interval '4 days' where id in ${sql([good, bad])}`;
  expect(await attempt(good)).toBe("done");
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(bad)).toBe("done");
  expect([(await mailRow(good)).status, (await mailRow(bad)).status]).toEqual(["sent", "failed"]);
});

test("a seller's mail leaves by their own account and address", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  expect(await attempt(id)).toBe("done");
  const [mail] = await arrived(id);
  expect([mail!.token, mail!.body.from]).toEqual(["re_sandbox-demo", "Loja <loja@exemplo.com.br>"]);
});

test.each([
  ["a refused key", { key: "re_invalid-1" }, "loja@exemplo.com.br"],
  ["a domain that is not verified", {}, "oi@nao-verificado.com.br"],
])(
  "with %s the platform carries it, under the same name, with answers to the seller",
  async (_, own, address) => {
    const seller = await makeSeller();
    await makeOwnSender(seller, { ...own, address });
    const id = await makeMail({ sellerId: seller.id, via: "seller", from: `Loja da Vera <${address}>` });
    expect(await attempt(id)).toBe("done");
    const row = await mailRow(id);
    expect(row).toMatchObject({ status: "sent", via: "platform" });
    expect(row.error).toContain("saiu pela plataforma");
    const mails = await arrived(id);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.body).toMatchObject({
      from: "Loja da Vera <nao-responda@checkintelli.local>",
      reply_to: address,
    });
  },
);

test("a mail that left by the platform instead stays the same from then on", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller, { key: "re_invalid-2" });
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  // A key that cannot be decrypted is refused before any call; the platform sends the mail and its answer is lost.
  await sql`update mail_settings set resend_key_sealed = 'v1.x.y' where seller_id = ${seller.id}`;
  await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
  expect(await attempt(id)).toBe("again");
  expect(await mailRow(id)).toMatchObject({ status: "attempting", via: "platform" });
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).status).toBe("sent");
  expect(await arrived(id)).toHaveLength(1);
});

test.each([0, 1])("a refusal cut in the middle of a character makes no second mail (%i)", async (at) => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const message = `${"x".repeat(at)}${"😀".repeat(600)}`;
  const body = { statusCode: 403, name: "validation_error", message };
  await app.sandbox.fault({ service: "resend", mode: "status-403", body });
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent", via: "platform", attempts: 1 });
});

test("a key never comes back in an error", async () => {
  const seller = await makeSeller();
  const key = "re_invalid-segredo-plantado";
  await makeOwnSender(seller, { key });
  await app.sandbox.fault({
    service: "resend",
    mode: "status-403",
    body: { statusCode: 403, name: "invalid_api_key", message: `The key ${key} is invalid` },
  });
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await attempt(id);
  const [everything] =
    await sql`select concat(m::text, q::text) as said from mails m left join queued_mails q on q.id = m.id where m.id = ${id}`;
  expect(everything!.said).not.toContain(key);
});

test("a mail that may have been accepted is given up before the provider drops its idempotency key", async () => {
  const id = await makeMail();
  await app.sandbox.fault({ service: "resend", mode: "http-500", times: 2 });
  expect(await attempt(id)).toBe("again");
  await sql`update queued_mails set uncertain_since = now() - interval '23 hours 5 minutes' where id = ${id}`;
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).status).toBe("failed");
});

test("the last attempts are hours apart, and not days", async () => {
  const id = await makeMail();
  await sql`update queued_mails set attempts = 10, created_at = now() - interval '4 hours' where id = ${id}`;
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(id)).toBe("again");
  expect(await dueIn(id)).toBeGreaterThan(6 * 3_600_000);
  expect(await dueIn(id)).toBeLessThan(7 * 3_600_000);
});

test("a subject is one line of at most 200 characters", async () => {
  const subject = `${"a".repeat(100)}\r\n${"b".repeat(200)}`;
  const id = await makeMail({ mail: { subject, html: "<p>Olá</p>" } });
  expect((await mailRow(id)).payload.subject).toBe(`${"a".repeat(100)} ${"b".repeat(99)}`);
});

const LEAVING: Record<string, (sellerId: string) => Promise<unknown>> = {
  "removed the key": (sellerId) => removeResendKey(sellerId),
  "saved another account's key": async (sellerId) => {
    const newKey = await checkResendKey(sellerId, "re_sandbox-other");
    await db.transaction((tx) => storeResendKey(tx, sellerId, newKey));
  },
};

test.each(Object.entries(LEAVING))(
  "once its seller %s, what waits is sent by the platform, and nobody is told of a refusal",
  async (_, leave) => {
    const seller = await makeSeller();
    await makeOwnSender(seller);
    const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
    const [uncertain, waiting] = [await makeMail(own), await makeMail(own)];
    await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
    expect(await attempt(uncertain)).toBe("again");
    await app.sandbox.fault({ service: "resend", mode: "status-429" });
    expect(await attempt(waiting)).toBe("again");
    await sql`update queued_mails set scheduled_at = now() + interval '6 hours' where id = ${waiting}`;
    const { resend: before } = await app.sandbox.calls();
    await leave(seller.id);
    expect(await dueIn(waiting)).toBeLessThanOrEqual(0);
    for (const id of [uncertain, waiting]) {
      expect(await attempt(id)).toBe("done");
      expect(await arrived(id)).toHaveLength(1);
    }
    expect(await mailRow(uncertain)).toMatchObject({
      ...{ status: "failed", failure: "dropped" },
      error: "O provedor não confirmou o envio: o e-mail pode ter chegado.",
    });
    expect(await mailRow(waiting)).toMatchObject({ status: "sent", via: "platform", error: null });
    expect((await app.sandbox.calls()).resend.emails).toBe(before.emails + 1);
    expect(
      await sql`select from mails where kind = 'mail-account-refused' and seller_id = ${seller.id}`,
    ).toEqual([]);
  },
);

test("a mail that its seller's account may have accepted is not sent by another one, whose key they saved since", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
  const [uncertain, unattempted] = [await makeMail(own), await makeMail(own)];
  await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
  expect(await attempt(uncertain)).toBe("again");
  const newKey = await checkResendKey(seller.id, "re_sandbox-other");
  await db.transaction((tx) => storeResendKey(tx, seller.id, newKey));
  for (const id of [uncertain, unattempted]) {
    expect(await attempt(id)).toBe("done");
    expect(await arrived(id)).toHaveLength(1);
  }
  expect(await mailRow(uncertain)).toMatchObject({
    ...{ status: "failed", failure: "dropped" },
    error: "O provedor não confirmou o envio: o e-mail pode ter chegado.",
  });
});

test.each(["replaced", "removed"])(
  "nor where the key is %s while the account is sending it",
  async (change) => {
    const seller = await makeSeller();
    await makeOwnSender(seller);
    const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
    const newKey = await checkResendKey(seller.id, "re_sandbox-other");
    const leave = () =>
      change === "removed"
        ? removeResendKey(seller.id)
        : db.transaction((tx) => storeResendKey(tx, seller.id, newKey));
    await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
    const { fetch } = globalThis;
    const call = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => call.mockRestore());
    call.mockImplementationOnce((...request) => fetch(...request).finally(leave));
    if ((await attempt(id)) === "again") await attempt(id);
    expect(await arrived(id)).toHaveLength(1);
    expect(await mailRow(id)).toMatchObject({
      ...{ status: "failed", failure: "dropped" },
      error: "O provedor não confirmou o envio: o e-mail pode ter chegado.",
    });
  },
);

test("a mail that the account refused for the moment, while another key was saved, is sent by the platform", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  const newKey = await checkResendKey(seller.id, "re_sandbox-other");
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  const { fetch } = globalThis;
  const call = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => call.mockRestore());
  call.mockImplementationOnce((...request) =>
    fetch(...request).finally(() => db.transaction((tx) => storeResendKey(tx, seller.id, newKey))),
  );
  expect(await attempt(id)).toBe("again");
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent", via: "platform" });
});

test("what waits for a seller follows them to another address; what is for the address itself, or for a buyer, does not", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const own = { sellerId: seller.id, recipient: seller.email };
  const newSale = await queueMail(db, {
    ...own,
    ...{ kind: "new-sale", idempotencyKey: `new-sale/${sale.id}`, saleId: sale.id },
    data: { paidAt: new Date().toISOString() },
  });
  const following = [newSale!, await makeMail({ ...own, kind: "weekly-report" })];
  const staying = [await makeMail({ ...own, kind: "security-notice" }), await makeMail(own)];
  const email = await moveSeller(seller);
  for (const id of staying) expect(await attempt(id)).toBe("done");
  for (const id of following) {
    expect(await attempt(id)).toBe("again");
    expect(await attempt(id)).toBe("done");
  }
  for (const [ids, address] of [
    [following, email],
    [staying, seller.email],
  ] as const) {
    for (const id of ids) expect((await mailRow(id)).recipient).toBe(address);
    expect((await app.sandbox.emails(address)).map(({ body }) => body.to)).toEqual([address, address]);
  }
});

/** Moves a seller's account to another address. */
async function moveSeller(seller: { id: string }): Promise<string> {
  const email = `novo-${randomUUID()}@exemplo.com.br`;
  await confirmEmail((await issueEmailToken(db, { sellerId: seller.id, purpose: "confirm", email })).token);
  return email;
}

test("what a seller did not get follows them too: what waits after an attempt, and what failed and is sent again by command", async () => {
  const seller = await makeSeller();
  const own = { sellerId: seller.id, recipient: seller.email, kind: "weekly-report" } as const;
  const [waiting, failed] = [await makeMail(own), await makeMail(own)];
  await app.sandbox.fault({ service: "resend", mode: "http-429" });
  expect(await attempt(waiting)).toBe("again");
  await sql`update mails set status = 'failed', failure = 'account', failed_at = now() where id = ${failed}`;
  await sql`update queued_mails set scheduled_at = null, attempts = 1 where id = ${failed}`;
  const email = await moveSeller(seller);
  const created = (await mailRow(failed)).created_at as Date;
  expect(await retryFailedMails(created, new Date(created.getTime() + 1))).toBe(1);
  for (const id of [waiting, failed]) {
    expect(await attempt(id)).toBe("again");
    expect(await attempt(id)).toBe("done");
    expect(await mailRow(id)).toMatchObject({ status: "sent", recipient: email });
  }
  expect(await app.sandbox.emails(email)).toHaveLength(2);
  expect(await app.sandbox.emails(seller.email)).toEqual([]);
});

test("what may have reached a seller at their former address is sent to neither", async () => {
  const seller = await makeSeller();
  const id = await makeMail({ sellerId: seller.id, recipient: seller.email, kind: "weekly-report" });
  await app.sandbox.fault({ service: "resend", mode: "reset" });
  expect(await attempt(id)).toBe("again");
  const email = await moveSeller(seller);
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({
    ...{ status: "failed", failure: "dropped" },
    error: "O e-mail da conta foi trocado. O provedor não confirmou o envio: o e-mail pode ter chegado.",
  });
  for (const address of [email, seller.email]) expect(await app.sandbox.emails(address)).toEqual([]);
});
