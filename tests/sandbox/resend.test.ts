import { request } from "node:http";
import { Resend } from "resend";
import { beforeEach, expect, test } from "vitest";
import { svixSignature } from "#sandbox/svix.ts";
import { openSandbox } from "./open-sandbox.ts";
import { openReceiver, until } from "./webhook-receiver.ts";

const { url, get, post, control, view } = await openSandbox();
const receiver = await openReceiver();
beforeEach(() => receiver.restart());

const PLATFORM = { authorization: "Bearer re_sandbox-platform" };
const MAIL = { from: "Loja <loja@sandbox.local>", to: "ana@exemplo.com.br", subject: "Olá", html: "<p>Olá" };
const send = (more: object = {}, headers: Record<string, string> = {}) =>
  post("/resend/emails", { ...MAIL, ...more }, { ...PLATFORM, ...headers });
const refusal = async (response: Response) => [response.status, (await response.json()).name];

test("a mail is accepted, stored as posted with its headers, and can be read", async () => {
  const response = await send({ tags: [{ name: "sale", value: "s_1" }] }, { "idempotency-key": "paid/1" });
  const { id } = await response.json();
  expect(response.headers.get("ratelimit-limit")).toBe("5");
  expect(await view("/emails")).toEqual([
    {
      id,
      at: expect.any(String),
      token: "re_sandbox-platform",
      idempotencyKey: "paid/1",
      headers: expect.objectContaining({ "idempotency-key": "paid/1" }),
      body: { ...MAIL, tags: [{ name: "sale", value: "s_1" }] },
    },
  ]);
  await until(async () => (await view("/emails")).length === 1);
  const read = await (await get(`/resend/emails/${id}`, PLATFORM)).json();
  expect(read).toMatchObject({ object: "email", id, to: ["ana@exemplo.com.br"], subject: "Olá" });
});

test("mails are found by recipient", async () => {
  await send();
  await send({ to: ["Bia <bia@exemplo.com.br>"], cc: "caio@exemplo.com.br" });
  expect(await view("/emails?to=BIA@exemplo.com.br")).toHaveLength(1);
  expect(await view("/emails?to=caio@exemplo.com.br")).toHaveLength(1);
  expect(await view("/emails?to=outra@exemplo.com.br")).toHaveLength(0);
});

test("a mail's HTML is shown without letting its scripts run", async () => {
  const { id } = await (await send()).json();
  const response = await get(`/control/emails/${id}/html`);
  expect(await response.text()).toBe(MAIL.html);
  expect(response.headers.get("content-security-policy")).toMatch(/^sandbox/);
});

test("the SDK sends through it", async () => {
  const resend = new Resend("re_sandbox-demo", { baseUrl: `${url}/resend` });
  const { data, error } = await resend.emails.send({ ...MAIL, replyTo: "r@exemplo.com.br" });
  expect(error).toBeNull();
  expect((await view("/emails"))[0]).toMatchObject({ id: data!.id, body: { reply_to: "r@exemplo.com.br" } });
});

test("the same key with the same payload is one mail with one id", async () => {
  const key = { "idempotency-key": "order-paid/1" };
  const first = await (await send({}, key)).json();
  expect(await (await send({}, key)).json()).toEqual(first);
  expect(await view("/emails")).toHaveLength(1);
  expect((await view("/calls")).resend.emails).toBe(2);
});

test("the same key with another payload is refused, for a day", async () => {
  const key = { "idempotency-key": "order-paid/1" };
  await send({}, key);
  expect(await refusal(await send({ subject: "Outra" }, key))).toEqual([409, "invalid_idempotent_request"]);
  await control("/clock", { advanceSeconds: 86_400 });
  expect((await send({ subject: "Outra" }, key)).status).toBe(200);
});

test("two accounts may use the same key", async () => {
  const key = { "idempotency-key": "order-paid/1" };
  await send({}, key);
  expect((await send({ subject: "x" }, { ...key, authorization: "Bearer re_sandbox-demo" })).status).toBe(
    200,
  );
});

test("a key of more than 256 characters is refused", async () => {
  const response = await send({}, { "idempotency-key": "k".repeat(257) });
  expect(await refusal(response)).toEqual([400, "invalid_idempotency_key"]);
});

test.each([
  ["", 401, "missing_api_key"],
  ["Bearer re_invalid", 401, "validation_error"],
  ["Bearer sk_123", 403, "invalid_api_key"],
])("a key of '%s' is refused with %i %s", async (authorization, status, name) => {
  expect(await refusal(await send({}, { authorization }))).toEqual([status, name]);
});

test("a send-only key can do nothing else", async () => {
  const authorization = "Bearer re_restricted-1";
  expect((await send({}, { authorization })).status).toBe(200);
  expect(await refusal(await get("/resend/domains", { authorization }))).toEqual([401, "restricted_api_key"]);
});

test("a request without User-Agent is turned away", async () => {
  const status = await new Promise((resolve) => {
    const headers = { ...PLATFORM, "content-type": "application/json" };
    request(`${url}/resend/emails`, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end(JSON.stringify(MAIL));
  });
  expect(status).toBe(403);
});

test.each([
  [{ from: "loja@nao-verificado.com" }, 403, "validation_error"],
  [{ from: "onboarding@resend.dev" }, 403, "validation_error"],
  [{ from: "loja" }, 422, "invalid_from_address"],
  [{ to: [] }, 422, "missing_required_field"],
  [{ html: undefined }, 422, "missing_required_field"],
  [{ to: Array.from({ length: 51 }, (_, index) => `a${index}@exemplo.com.br`) }, 400, "validation_error"],
  [{ to: "sem arroba" }, 400, "validation_error"],
  [{ tags: [{ name: "email", value: "ana@exemplo.com.br" }] }, 400, "validation_error"],
  [{ tags: [{ name: "produto", value: "violão" }] }, 400, "validation_error"],
  [{ attachments: [{ filename: "a.pdf" }] }, 422, "invalid_attachment"],
])("a mail with %j is refused with %i %s", async (more, status, name) => {
  expect(await refusal(await send(more))).toEqual([status, name]);
  expect(await view("/emails")).toHaveLength(0);
});

test("the test sender writes to the account's own address", async () => {
  const mail = { from: "onboarding@resend.dev", to: "conta@checkintelli.local" };
  expect((await send(mail)).status).toBe(200);
});

test("a domain is verified a moment after the request, for its account only", async () => {
  const created = await post("/resend/domains", { name: "minhaloja.com.br", region: "sa-east-1" }, PLATFORM);
  const { id, status, records } = await created.json();
  expect([status, records.length]).toEqual(["not_started", 3]);
  const from = "oi@minhaloja.com.br";
  expect((await send({ from })).status).toBe(403);
  expect(await (await post(`/resend/domains/${id}/verify`, {}, PLATFORM)).json()).toEqual({
    object: "domain",
    id,
  });
  const read = async () => (await get(`/resend/domains/${id}`, PLATFORM)).json();
  expect((await read()).status).toBe("pending");
  await until(async () => (await read()).status === "verified");
  expect((await send({ from })).status).toBe(200);
  expect((await send({ from }, { authorization: "Bearer re_sandbox-demo" })).status).toBe(403);
});

test("domains are listed and removed", async () => {
  const list = async () => (await (await get("/resend/domains", PLATFORM)).json()).data;
  const names = (await list()).map(({ name }: { name: string }) => name);
  expect(names).toEqual(["sandbox.local", "checkintelli.local", "exemplo.com.br"]);
  const [{ id }] = await list();
  const removed = await fetch(`${url}/resend/domains/${id}`, { method: "DELETE", headers: PLATFORM });
  expect((await removed.json()).deleted).toBe(true);
  expect((await send()).status).toBe(403);
});

test("the rate limit is reported, and enforced if configured", async () => {
  await control("/resend", { enforceRateLimit: true });
  const responses = await Promise.all(Array.from({ length: 7 }, () => send()));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused[0]!.headers.get("retry-after")).toBe("1");
});

test("a batch is many mails with one answer", async () => {
  const response = await post("/resend/emails/batch", [MAIL, { ...MAIL, subject: "2" }], PLATFORM);
  expect((await response.json()).data).toHaveLength(2);
  expect(await view("/emails")).toHaveLength(2);
});

test("the svix signature is the known vector", () => {
  const body = '{"type":"email.delivered","created_at":"2026-01-01T00:00:00.000Z","data":{"email_id":"e1"}}';
  const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  expect(svixSignature(secret, "msg_test_1", 1767225600, body)).toBe(
    "v1,jjUmzUwqGL86pl8O7N2zDJM34oSSoKgsmU+HnWnhHPY=",
  );
});

test("registered endpoints get a mail's events, signed so that the SDK accepts them", async () => {
  const events = ["email.sent", "email.delivered", "email.bounced", "email.complained"];
  const hook = await (await post("/resend/webhooks", { endpoint: receiver.url, events }, PLATFORM)).json();
  expect(hook.signing_secret).toMatch(/^whsec_/);
  await send({ to: "bounced@resend.dev", tags: [{ name: "sale", value: "s1" }] });
  await send({ to: "complained@resend.dev" });
  await until(() => receiver.received.length === 5);
  const types = receiver.received.map(({ raw }) => JSON.parse(raw).type).sort();
  expect(types).toEqual(["email.bounced", "email.complained", "email.delivered", "email.sent", "email.sent"]);
  for (const { raw, headers } of receiver.received) {
    const verified = new Resend("re_x").webhooks.verify({
      payload: raw,
      webhookSecret: hook.signing_secret,
      headers: {
        id: String(headers["svix-id"]),
        timestamp: String(headers["svix-timestamp"]),
        signature: String(headers["svix-signature"]),
      },
    });
    expect(verified.type).toBe(JSON.parse(raw).type);
  }
  const bounced = receiver.received
    .map(({ raw }) => JSON.parse(raw))
    .find(({ type }) => type === "email.bounced");
  expect(bounced.data).toMatchObject({ tags: { sale: "s1" }, bounce: { type: "Permanent" } });
});
