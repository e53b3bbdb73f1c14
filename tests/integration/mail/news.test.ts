import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { takeMailWebhook } from "#app/domain/mail/outbox/take-mail-webhook.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { openHook } from "#app/domain/mail/resend/open-hook.server.ts";
import { saveHookSecret } from "#app/domain/mail/resend/save-hook-secret.server.ts";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { svixSignature } from "#sandbox/svix.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const app = await startApp({ worker: 0 });
let platform: string;

beforeAll(async () => {
  await connectResend.handle({ sellerId: "" }, { number: 1, last: false });
  platform = (await openHook(null)).token;
});

/** A delivery to an address, signed with a secret unless told otherwise. */
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
  return takeMailWebhook({ hookToken, body: text, header: (name) => headers[name] ?? null });
}

async function ownHook() {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  await saveHookSecret(seller.id, SECRET);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await sql`update mails set status = 'sent', provider_id = ${randomUUID()} where id = ${id}`;
  return { seller, id, token: (await openHook(seller.id)).token };
}

const news = (type: string, id: string, more: object = {}) => ({
  type,
  data: { tags: { mail: id }, ...more },
});

test("the real way: registered by itself, delivered, bounced and complained come back", async () => {
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
  expect((await openHook(null)).hasSecret).toBe(true);
  const listed = await fetch(`${app.sandbox.url}/resend/webhooks`, {
    headers: { authorization: "Bearer re_sandbox-platform", "user-agent": "test" },
  });
  expect((await listed.json()).data).toHaveLength(1);
});

test("news that come before our own note of the sending win over it", async () => {
  const { id, token } = await ownHook();
  await sql`update mails set status = 'attempting', provider_id = null where id = ${id}`;
  expect(await deliver(token, news("email.bounced", id, { bounce: { message: "user unknown" } }))).toBe(
    "taken",
  );
  await sql`update mails set status = 'attempting' where id = ${id}`;
  await attempt(id);
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    error: "devolvido pelo servidor de quem recebe: user unknown",
  });
});

test("news of a mail take two statements, since thousands come after a launch", async () => {
  const { id, token } = await ownHook();
  const { result, statements } = await countStatements(() => deliver(token, news("email.delivered", id)));
  expect(result).toBe("taken");
  expect(statements).toHaveLength(2);
  expect((await mailRow(id)).delivered_at).toBeTruthy();
});

test("signed news of no mail are noted, whatever they lack", async () => {
  const { token } = await ownHook();
  for (const type of ["email.bounced", "email.delivered", "email.opened"])
    expect(await deliver(token, { type })).toBe("taken");
});

test("the same news twice and at once count once", async () => {
  const { id, token } = await ownHook();
  const body = news("email.delivered", id);
  const once = { id: "msg_same" };
  const answers = await Promise.all([1, 2, 3].map(() => deliver(token, body, once)));
  expect(answers.sort()).toEqual(["known", "known", "taken"]);
  expect(await deliver(token, body, once)).toBe("known");
});

test("what is not signed, wrongly signed or old is not believed", async () => {
  const { id, token } = await ownHook();
  const body = news("email.bounced", id);
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
  for (const id of [b.id, other]) expect(await deliver(a.token, news("email.bounced", id))).toBe("taken");
  expect((await mailRow(b.id)).status).toBe("sent");
  expect((await mailRow(other)).status).toBe("attempting");
});

test("over http: 200 for signed news, 401 for forged, 404 for an unknown address", async () => {
  const { id, token } = await ownHook();
  const body = JSON.stringify(news("email.delivered", id));
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

test("a key that may only send is told so, and the secret can be entered by hand", async () => {
  const seller = await makeSeller();
  await saveResendKey(seller.id, "re_restricted-vera");
  await connectResend.handle({ sellerId: seller.id }, { number: 1, last: false });
  const hook = await openHook(seller.id);
  expect(hook).toMatchObject({ hasSecret: false });
  expect(hook.failure).toContain("restricted_api_key");
  await expect(saveHookSecret(seller.id, "errado")).rejects.toMatchObject({ kind: "invalid" });
  await saveHookSecret(seller.id, SECRET);
  expect(await openHook(seller.id)).toMatchObject({ hasSecret: true, failure: null });
});
