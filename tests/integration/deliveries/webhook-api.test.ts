import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeDelivery, makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";

const app = await startApp({ worker: 0 });
const AT = "/api/settings/webhooks";

/** A seller's program with a key of these scopes. */
async function program(scopes: Scope[] = ["read", "webhooks"]) {
  const seller = await makeSeller();
  const Authorization = `Bearer ${await createApiKey(seller.id, { name: "CRM", scopes })}`;
  const send = async (method: string, path: string, body?: object, headers: object = {}) => {
    const answer = await app.fetch(AT + path, {
      method,
      headers: { Authorization, "Content-Type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  return { seller, send };
}

const fields = (name: string, more: object = {}) => ({
  name: "CRM",
  url: receiverAt(name),
  events: ["sale.paid", "sale.refunded"],
  ...more,
});

test("a program creates a webhook, gets its secret once, tests it and reads what was sent", async () => {
  const { seller, send } = await program();
  const name = `api-${randomUUID()}`;
  const made = await send("POST", "", fields(name));
  expect(made.status).toBe(201);
  const { id, secret, version, ...rest } = made.body;
  expect(secret).toMatch(/^whsec_/);
  const view = await send("GET", `/${id}`);
  expect(view.body).toEqual({ id, version, ...rest });
  expect(view.headers.get("etag")).toBe(`"${version}"`);
  expect((await send("GET", "")).body).toEqual([{ id, ...rest }]);
  expect(JSON.stringify([view.body, (await send("GET", "")).body])).not.toContain(secret);

  expect((await send("POST", `/${id}/test`, { event: "sale.paid" })).body).toMatchObject({ success: true });
  const [arrived] = await app.sandbox.arrivals(name);
  expect(new Webhook(secret).verify(arrived!.body, arrived!.headers)).toMatchObject({ type: "sale.paid" });
  const { body: log } = await send("GET", `/${id}/log`);
  expect(log).toMatchObject([
    { event: "sale.paid", is_test: true, status: "sent", message_id: arrived!.headers["webhook-id"] },
  ]);
  expect(log[0].body).toBe(arrived!.body);
  const delivered =
    await sql`select 1 from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
  expect(delivered.length).toBeGreaterThan(0);
});

test("a webhook in another form returns its token once, with which deliveries can be checked", async () => {
  const { send } = await program();
  const name = `api-${randomUUID()}`;
  const made = await send("POST", "", fields(name, { form: "hotmart" }));
  expect(made.body.token).toMatch(/\S{10,}/);
  await send("POST", `/${made.body.id}/test`, { event: "sale.paid" });
  const [arrived] = await app.sandbox.arrivals(name);
  expect(JSON.stringify([arrived!.headers, arrived!.body])).toContain(made.body.token);
  expect((await send("GET", `/${made.body.id}`)).body.token).toBeUndefined();
  // One that changes to that form later has a token that nobody knew.
  const plain = await send("POST", "", fields(name));
  expect(plain.body.token).toBeUndefined();
  const changed = await send("PUT", `/${plain.body.id}`, fields(name, { form: "kiwify" }));
  expect(changed.body.token).toMatch(/\S{10,}/);
  const again = await send("PUT", `/${plain.body.id}`, fields(name, { form: "kiwify" }));
  expect(again.body.token).toBeUndefined();
});

const tokenOf = async (id: string) => {
  const [row] = await sql`select token_sealed from destinations where id = ${id}`;
  return unseal(row!.token_sealed);
};

test.each(["kiwify", "hotmart"] as const)(
  "a webhook that changes to the form of %s at another host gets a new token, and never one of the host before",
  async (form) => {
    const { send } = await program();
    const url = "https://example.com/vendas";
    const { body: made } = await send("POST", "", fields("moved"));
    const unseen = await tokenOf(made.id);
    const moved = await send("PUT", `/${made.id}`, fields("moved", { form, url }));
    expect(moved.status).toBe(200);
    expect(moved.body.token).toMatch(/^[a-z0-9]{11}$/);
    expect(moved.body.token).not.toBe(unseen);
    expect(await tokenOf(made.id)).toBe(moved.body.token);
    const typed = await send("PUT", `/${made.id}`, fields("moved", { form, token: "hottok-1234" }));
    expect([typed.status, await tokenOf(made.id)]).toEqual([200, "hottok-1234"]);
    await send("PUT", `/${made.id}`, fields("moved", { url }));
    const back = await send("PUT", `/${made.id}`, fields("moved", { form, url }));
    expect([back.status, back.body.token === "hottok-1234"]).toEqual([200, false]);
  },
);

test("a webhook in Hotmart's form is refused another host without its token, which it would send there", async () => {
  const { send } = await program();
  const form = "hotmart";
  const url = "https://example.com/vendas";
  const { body: made } = await send("POST", "", fields("hotmart-moved", { form }));
  const moved = await send("PUT", `/${made.id}`, fields("hotmart-moved", { form, url }));
  expect([moved.status, moved.body.field]).toEqual([400, "token"]);
  expect(await tokenOf(made.id)).toBe(made.token);
  const token = "hottok-1234";
  const typed = await send("PUT", `/${made.id}`, fields("hotmart-moved", { form, url, token }));
  expect([typed.status, await tokenOf(made.id)]).toEqual([200, token]);
  // Nor does a token of Kiwify's format, which is not sent, get to another host by a change to this one.
  const { body: other } = await send("POST", "", fields("kiwify-moved", { form: "kiwify" }));
  const elsewhere = await send("PUT", `/${other.id}`, fields("kiwify-moved", { form, url }));
  expect([elsewhere.status, elsewhere.body.field]).toEqual([400, "token"]);
  expect(await tokenOf(other.id)).toBe(other.token);
});

test("a rotated secret is shown once, and both sign for a while", async () => {
  const { send } = await program();
  const name = `api-${randomUUID()}`;
  const { body: made } = await send("POST", "", fields(name));
  const { body: rotated } = await send("POST", `/${made.id}/secret`);
  expect(rotated.secret).not.toBe(made.secret);
  expect(new Date(rotated.previous_until).getTime()).toBeGreaterThan(Date.now());
  await send("POST", `/${made.id}/test`, { event: "sale.paid" });
  const [arrived] = await app.sandbox.arrivals(name);
  for (const secret of [made.secret, rotated.secret])
    expect(new Webhook(secret).verify(arrived!.body, arrived!.headers)).toMatchObject({ type: "sale.paid" });
});

test("a day after a secret was changed the one before signs no more", async () => {
  const { send } = await program();
  const name = `api-${randomUUID()}`;
  const { body: made } = await send("POST", "", fields(name));
  const { body: rotated } = await send("POST", `/${made.id}/secret`);
  const [stored] = await sql`select previous_until > now() + interval '23 hours' as long_enough,
    previous_until <= now() + interval '24 hours' as short_enough from destinations where id = ${made.id}`;
  expect(stored).toEqual({ long_enough: true, short_enough: true });
  await sql`update destinations set previous_until = now() - interval '1 second' where id = ${made.id}`;
  await send("POST", `/${made.id}/test`, { event: "sale.paid" });
  const [arrived] = await app.sandbox.arrivals(name);
  const check = (secret: string) => new Webhook(secret).verify(arrived!.body, arrived!.headers);
  expect(check(rotated.secret)).toMatchObject({ type: "sale.paid" });
  expect(() => check(made.secret)).toThrow("No matching signature found");
  expect(arrived!.headers["webhook-signature"]!.split(" ")).toHaveLength(1);
});

test("a change replaces the version its caller read, and switches the webhook off and on", async () => {
  const { send } = await program();
  const { body: made } = await send("POST", "", fields("api-change"));
  const changed = await send(
    "PUT",
    `/${made.id}`,
    fields("api-change", { name: "Outro", is_active: false }),
    {
      "If-Match": `"${made.version}"`,
    },
  );
  expect(changed.body).toMatchObject({ name: "Outro", is_active: false, stopped_why: "seller" });
  const late = await send("PUT", `/${made.id}`, { ...fields("api-change"), version: made.version });
  expect([late.status, late.body.code]).toEqual([409, "stale"]);
  expect((await send("POST", `/${made.id}/test`, { event: "sale.paid" })).status).toBe(409);
  const on = await send("PUT", `/${made.id}`, fields("api-change", { is_active: true }));
  expect(on.body).toMatchObject({ name: "CRM", is_active: true });
  const same = await send("PUT", `/${made.id}`, fields("api-change"));
  expect(same.body).toEqual(on.body);
});

test("a deleted webhook is gone, and an address of ours or a strange product is refused", async () => {
  const { send } = await program();
  const { body: made } = await send("POST", "", fields("api-gone"));
  expect((await send("DELETE", `/${made.id}`)).body).toEqual({ success: true });
  expect((await send("DELETE", `/${made.id}`)).status).toBe(404);
  expect((await send("GET", `/${made.id}/log`)).status).toBe(404);
  const inside = await send("POST", "", fields("x", { url: "https://169.254.169.254/" }));
  expect([inside.status, inside.body.field]).toEqual([400, "url"]);
  const none = await send("POST", "", fields("x", { events: [] }));
  expect([none.status, none.body.field]).toEqual([400, "events"]);
  const elses = await makeProduct(await makeSeller());
  expect((await send("POST", "", fields("x", { scope: "some", products: [elses.id] }))).status).toBe(404);
  expect((await send("GET", "")).body).toEqual([]);
});

test("the log is paginated by its links, and failed deliveries are resent, one by one or by span", async () => {
  const { seller, send } = await program();
  const name = `api-${randomUUID()}`;
  const webhook = await makeWebhook(seller, { name });
  const product = await makeProduct(seller);
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    const sale = await makeSale(product, { status: "completed" });
    ids.unshift(await makeDelivery(seller, webhook, { saleId: sale.id }));
  }
  const first = await send("GET", `/${webhook}/log?limit=2`);
  expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
  const [, next] = /<[^>]*(\/log\?[^>]+)>; rel="next"/.exec(first.headers.get("link")!)!;
  const second = await send("GET", `/${webhook}${next}`);
  expect(second.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
  expect(first.body[0]).toMatchObject({ status: "refused", reason: "O endereço respondeu HTTP 500." });

  expect((await send("POST", `/${webhook}/log/${ids[0]}/replay`)).body).toMatchObject({ success: true });
  expect((await app.sandbox.arrivals(name)).map(({ headers }) => headers["webhook-id"])).toEqual([
    `msg_${ids[0]!.replaceAll("-", "")}`,
  ]);
  const span = { from: "2020-01-01T00:00:00-03:00", to: "2100-01-01T00:00:00Z" };
  expect((await send("POST", `/${webhook}/replay`, span)).body).toEqual({ queued: 2 });
  expect((await send("POST", `/${webhook}/replay`, { from: "ontem", to: "hoje" })).body).toMatchObject({
    field: "from",
  });
});

test("a key without the permission makes none and reads no bodies, and a session has to be recent", async () => {
  const { seller, send } = await program(["read", "sales", "settings"]);
  const webhook = await makeWebhook(seller, { name: "api-closed" });
  expect((await send("GET", "")).body).toHaveLength(1);
  for (const [method, path] of [
    ["POST", ""],
    ["PUT", `/${webhook}`],
    ["POST", `/${webhook}/secret`],
    ["GET", `/${webhook}/log`],
  ] as const)
    expect((await send(method, path, method === "GET" ? undefined : fields("x"))).body.code).toBe(
      "scope_required",
    );

  const { Cookie } = await signedIn(seller);
  const post = (path: string) =>
    app.fetch(AT + path, {
      method: "POST",
      headers: { Cookie, "Content-Type": "application/json", Origin: app.url },
      body: JSON.stringify(fields("api-session")),
    });
  expect((await post("")).status).toBe(201);
  await sql`update sessions set authenticated_at = now() - interval '11 minutes' where seller_id = ${seller.id}`;
  for (const path of ["", `/${webhook}/secret`])
    expect(await (await post(path)).json()).toMatchObject({ code: "recent_sign_in_required" });
});
