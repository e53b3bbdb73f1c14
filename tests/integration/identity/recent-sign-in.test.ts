import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { GUARDED_CHANGES } from "#app/domain/identity/access/guarded-changes.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { SECURITY_TEXTS } from "#app/domain/mail/queue/security-texts.ts";
import { EMAIL_ACTIONS } from "#app/routes/seller/settings/email/actions.server.ts";
import { SETTINGS_ACTIONS } from "#app/routes/seller/settings/intents.server.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import {
  apiBodies,
  emailButtons,
  type Guarded,
  pages,
  settingsButtons,
} from "#tests/integration/identity/guarded-table.ts";
import { ageSignIn, PASSWORD, signedInAgo } from "#tests/integration/identity/signed-in-ago.ts";
import { keyNeeds } from "#tests/integration/key-needs.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer } from "#tests/support/clients/page-forms.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { refused } from "#tests/support/routes/call.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

/** A seller's data, without the times of visits. */
async function stateOf(seller: { id: string }): Promise<string> {
  const [row] = await sql<{ all: string }[]>`select concat_ws(' ',
    (select to_jsonb(s)::text from sellers s where id = ${seller.id}),
    (select jsonb_agg(a.name)::text from api_keys a where seller_id = ${seller.id}),
    (select jsonb_agg(to_jsonb(a) order by provider)::text from gateway_accounts a where seller_id = ${seller.id}),
    (select jsonb_agg(to_jsonb(m))::text from mail_settings m where seller_id = ${seller.id}),
    (select jsonb_agg(d.domain_name)::text from email_domains d where seller_id = ${seller.id}),
    (select jsonb_agg(e.sender_email)::text from email_templates e where seller_id = ${seller.id}),
    (select jsonb_agg(d.settings)::text from destinations d where seller_id = ${seller.id}),
    (select (jsonb_agg(h.secret_sealed) filter (where h.secret_sealed is not null))::text from mail_hooks h where seller_id = ${seller.id}),
    (select jsonb_agg(t.email)::text from email_tokens t where seller_id = ${seller.id})) as all`;
  return row!.all;
}

async function mailsTo(seller: { id: string }): Promise<string[]> {
  const rows = await sql<{ subject: string }[]>`
    select subject from mails
    where seller_id = ${seller.id} and kind in ('security-notice', 'email-change')`;
  return rows.map(({ subject }) => subject);
}

/** A change of the address notifies the old one when it is requested, and again when it is made. */
const mailTexts = (change: Guarded["mail"]) =>
  change === "email"
    ? "Pedido de troca de e-mail na Checkintelli"
    : `Aviso de segurança: ${SECURITY_TEXTS[change].title}`;

test("every page with a form states whether it needs a recent sign-in, and why not", async () => {
  const routes = (await routeTable()).filter(({ file }) => file.startsWith("routes/seller/"));
  const claiming = routes.filter(({ file }) =>
    /export ((async )?function action|const \{ loader, action \})/.test(
      readFileSync(join("app", file), "utf8"),
    ),
  );
  expect(Object.keys(pages).sort()).toEqual(claiming.map(({ address }) => address).sort());
});

test("every button of the settings does the same", () => {
  expect(Object.keys(settingsButtons)).toEqual(Object.keys(SETTINGS_ACTIONS));
  expect(Object.keys(emailButtons)).toEqual(Object.keys(EMAIL_ACTIONS));
});

test("every change of the API that no key may make is tested here", () => {
  const closed = Object.entries(keyNeeds).filter(([, by]) => Object.values(by).includes("session"));
  for (const [address] of closed) expect(Object.keys(apiBodies)).toContain(address);
});

const buttons = [
  ...Object.entries(settingsButtons).map(([intent, row]) => ({ page: "/settings", intent, row })),
  ...Object.entries(emailButtons).map(([intent, row]) => ({ page: "/settings/email", intent, row })),
].flatMap(({ row, ...more }) => (typeof row === "string" ? [] : [{ ...more, ...row }]));

/**
 * Sends a change that waits for a lock on its seller, whose sessions are ended meanwhile, as by "encerrar os outros
 * acessos" or a new password.
 */
async function sendWhileEnded(seller: { id: string }, send: () => Promise<Response>): Promise<Response> {
  let sending: Promise<Response> | undefined;
  const held = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    sending = send();
    await untilLockedOut();
    await tx`delete from sessions where seller_id = ${seller.id}`;
  });
  await held.release();
  return sending!;
}

/** What else a thief would do, by its page. */
const furtherChanges: { page: string; intent: string; fields: Record<string, string>; given?: string }[] = [
  { page: "/settings/access", intent: "end-access", fields: {} },
  { page: "/settings/close", intent: "close", fields: { understood: "yes" } },
  {
    page: "/settings/webhooks/new",
    intent: "save",
    fields: { name: "Novo", url: "https://ladrao.exemplo.com.br/", events: "sale.paid" },
  },
  {
    ...{ page: "/settings", intent: "password" },
    fields: { password: "senha-do-ladrao-7", confirmPassword: "senha-do-ladrao-7" },
    given: "update sellers set password_hash = null, oauth_subject = 'ended' where id = $1",
  },
];

test.each<(typeof furtherChanges)[number]>([...buttons, ...furtherChanges])(
  "$page $intent changes nothing where its session is ended while it waits",
  async ({ page, intent, fields, given }) => {
    const { seller, browser } = await signedInAgo(app, 1);
    if (given) await sql.unsafe(given, [seller.id]);
    const email: Record<string, string> = fields.email ? { email: `outra-${seller.id}@exemplo.com.br` } : {};
    const own = await withVersion(browser.get, { intent, ...fields, ...email });
    const before = await stateOf(seller);
    const answer = await sendWhileEnded(seller, () => browser.post(page, own));
    // A page whose loader runs again sends its browser to the sign-in.
    expect(answer.headers.get("location") ?? `${answer.status}`).toMatch(/^(401|\/login)/);
    expect([await stateOf(seller), await mailsTo(seller)]).toEqual([before, []]);
  },
);

describe.each(buttons)("$page $intent", ({ page, intent, change, fields, mail, given }) => {
  test("waits for a password, is then made with what was typed, and reported by mail", async () => {
    const { seller, browser } = await signedInAgo(app, 11);
    if (given) await sql.unsafe(given, [seller.id]);
    const email = `outra-${seller.id}@exemplo.com.br`;
    const own = await withVersion(browser.get, { intent, ...fields, ...(fields.email ? { email } : {}) });
    const before = await stateOf(seller);
    const challenged = await browser.post(`${page}?tab=x`, own);
    expect(challenged.headers.get("location")).toBe("/confirm-identity");
    expect(await stateOf(seller)).toBe(before);
    expect(await mailsTo(seller)).toEqual([]);

    const html = await (await browser.get("/confirm-identity")).text();
    expect(html).toContain(GUARDED_CHANGES[change]);
    const held = /name="held" value="([^"]+)"/.exec(html)![1]!;
    const wrong = await browser.post("/confirm-identity", { held, password: "errada-errada" });
    expect([wrong.status, await stateOf(seller)]).toEqual([401, before]);
    const right = await browser.post("/confirm-identity", { held, password: PASSWORD });
    expect([right.status, right.headers.get("location")]).toEqual([307, `${page}?tab=x`]);
    // What a browser does on a 307: the same form, to the new address.
    const done = await browser.post(`${page}?tab=x`, { held, password: PASSWORD });
    expect(done.status, describeAnswer({ status: done.status, html: await done.text() })).toBeLessThan(400);
    expect(done.headers.get("location") ?? "").not.toContain("confirm-identity");
    expect(await stateOf(seller)).not.toBe(before);
    expect(await mailsTo(seller)).toContain(mailTexts(mail));
  });
});

describe.each(Object.entries(apiBodies))("POST %s", (address, { body, mail }) => {
  test("is refused with its own code from an old session and from any key", async () => {
    const { seller, browser } = await signedInAgo(app, 11);
    const key = await createApiKey(seller.id, { name: "Toda", scopes: [...SCOPES] });
    const before = await stateOf(seller);
    const old = await browser.json(address, body);
    expect([old.status, await old.json()]).toEqual([
      403,
      refused(expect.any(String), { code: "recent_sign_in_required" }),
    ]);
    const byKey = await app.fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    expect([byKey.status, ((await byKey.json()) as { code: string }).code]).toEqual([
      403,
      "session_required",
    ]);
    expect(await stateOf(seller)).toBe(before);
    await ageSignIn(seller, 9);
    expect((await browser.json(address, body)).status).toBe(200);
    expect(await mailsTo(seller)).toContain(mailTexts(mail));
  });
});

test.each(Object.entries(apiBodies))(
  "POST %s changes nothing where its session is ended while it waits",
  async (address, { body }) => {
    const { seller, browser } = await signedInAgo(app, 1);
    const before = await stateOf(seller);
    const answer = await sendWhileEnded(seller, () => browser.json(address, body));
    expect(answer.status).toBe(401);
    expect([await stateOf(seller), await mailsTo(seller)]).toEqual([before, []]);
  },
);

test("an API key changes nothing where it is revoked while its request waits", async () => {
  const { seller } = await signedInAgo(app, 1);
  const key = await createApiKey(seller.id, { name: "Automação", scopes: ["webhooks"] });
  await sql`delete from mails where seller_id = ${seller.id}`;
  const before = await stateOf(seller);
  let sending: Promise<Response> | undefined;
  const held = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    sending = app.fetch("/api/settings/webhooks", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Novo", url: "https://ladrao.exemplo.com.br/", events: ["sale.paid"] }),
    });
    await untilLockedOut();
    await tx`update api_keys set revoked_at = now() where seller_id = ${seller.id}`;
  });
  await held.release();
  expect((await sending!).status).toBe(401);
  expect([await stateOf(seller), await mailsTo(seller)]).toEqual([before, []]);
});

test("a mail's text is saved without a question if its sender stays", async () => {
  const { browser, seller } = await signedInAgo(app, 11);
  const texts = { sender_name: "Loja", subject: "Sua compra", html_content: "<p>{product_file_url}</p>" };
  const fields = { intent: "save", ...texts, sender_email: "", resend_api_key: "" };
  const saved = await browser.post("/settings/email", await withVersion(browser.get, fields));
  expect(saved.headers.get("location")).toBe("/settings/email");
  expect(await mailsTo(seller)).toEqual([]);
});

test("the profile is saved without a question if its address stays", async () => {
  const { browser, seller } = await signedInAgo(app, 11);
  const fields = { intent: "profile", name: "Vera", email: seller.email };
  const saved = await browser.post("/settings", await withVersion(browser.get, fields));
  expect(saved.headers.get("location")).toBe("/settings?tab=perfil");
});

test("saving the gateways unchanged notifies nobody", async () => {
  const { browser, seller } = await signedInAgo(app, 1);
  const fields = { intent: "gateways", pushinpay_enabled: "on", pushinpay_api_key: "7|sandbox-igual" };
  for (let i = 0; i < 2; i++) await browser.post("/settings", await withVersion(browser.get, fields));
  expect(await mailsTo(seller)).toHaveLength(1);
});

test("the current password in the same form is a sign-in of its own", async () => {
  const { browser, seller } = await signedInAgo(app, 11);
  const passwords = {
    currentPassword: PASSWORD,
    password: "senha-nova-22",
    confirmPassword: "senha-nova-22",
  };
  const done = await browser.post("/settings", { intent: "password", ...passwords });
  expect(done.headers.get("location")).toBe("/settings?tab=seguranca");
  expect(await mailsTo(seller)).toContain(mailTexts("password"));
});

test("an identity is ended once its owner has confirmed who they are, and nothing else is", async () => {
  const { seller, browser } = await signedInAgo(app, 11);
  await sql`update sellers set oauth_subject = ${randomUUID()} where id = ${seller.id}`;
  const ways = () =>
    sql`select password_hash is not null as password, oauth_subject is not null as identity from sellers where id = ${seller.id}`;
  const challenged = await browser.post("/settings/access", { intent: "end-identity" });
  expect(challenged.headers.get("location")).toBe("/confirm-identity");
  expect(await ways()).toEqual([{ password: true, identity: true }]);
  const html = await (await browser.get("/confirm-identity")).text();
  const held = /name="held" value="([^"]+)"/.exec(html)![1]!;
  await browser.post("/confirm-identity", { held, password: PASSWORD });
  expect((await browser.post("/settings/access", { held, password: PASSWORD })).status).toBe(302);
  expect(await ways()).toEqual([{ password: true, identity: false }]);
});

test("ending all other access gives the session another cookie, and makes it no more recent than it was", async () => {
  const { seller, browser } = await signedInAgo(app, 9);
  const stolen = { Cookie: browser.cookies().join("; ") };
  const signIns = () => sql`select authenticated_at from sessions where seller_id = ${seller.id}`;
  const before = await signIns();
  const done = await browser.post("/settings/access", { intent: "end-access" });
  expect(done.headers.get("location")).toBe("/settings?tab=seguranca");
  expect(await signIns()).toEqual(before);
  expect((await browser.get("/api/users/me")).status).toBe(200);
  expect((await app.fetch("/api/users/me", { headers: stolen })).status).toBe(401);
});

test("proving the password makes a stolen copy of the cookie useless", async () => {
  const { browser } = await signedInAgo(app, 11);
  const stolen = { Cookie: browser.cookies().join("; ") };
  await browser.post("/confirm-identity", { password: PASSWORD });
  expect((await browser.get("/api/users/me")).status).toBe(200);
  expect((await app.fetch("/api/users/me", { headers: stolen })).status).toBe(401);
});

test("a form posted by one browser is held for that browser alone", async () => {
  const { seller, browser: thief } = await signedInAgo(app, 11);
  await thief.post("/settings", { intent: "gateways", pushinpay_api_key: "6|sandbox-ladrao" });
  const held = /name="held" value="([^"]+)"/.exec(await (await thief.get("/confirm-identity")).text())![1]!;
  const owner = visitor(app.url);
  await owner.json("/api/sessions", { email: seller.email, password: PASSWORD });
  expect((await owner.get("/confirm-identity")).headers.get("location")).toBe("/dashboard");
  expect((await owner.post("/settings", { held })).status).toBe(409);
  const [row] = await sql`select count(*)::int as n from gateway_accounts where seller_id = ${seller.id}`;
  expect(row!.n).toBe(0);
});

test("held forms are encrypted, and limited to the last five of a seller", async () => {
  const { seller, browser } = await signedInAgo(app, 11);
  for (let i = 0; i < 7; i++)
    await browser.post("/settings", { intent: "gateways", pushinpay_api_key: `6|sandbox-segredo-${i}` });
  const rows = await sql<{ row: string }[]>`
    select to_jsonb(h)::text as row from held_forms h where seller_id = ${seller.id}`;
  expect(rows).toHaveLength(5);
  expect(rows.map(({ row }) => row).join()).not.toContain("segredo");
});

/** Somebody who signed in by the identity provider eleven minutes ago, and whose first password waits for a proof of who they are. */
async function choosingPassword(persona: string) {
  await app.sandbox.identity({ persona, deny: false });
  const browser = visitor(app.url);
  await browser.follow(await browser.post("/auth/start", {}), (to) => to.pathname === "/dashboard");
  const seller = (await (await browser.get("/api/users/me")).json()) as { id: string };
  await ageSignIn(seller, 11);
  const passwords = { password: "senha-nova-22", confirmPassword: "senha-nova-22" };
  const challenged = await browser.post("/settings", { intent: "password", ...passwords });
  return { browser, seller, challenged };
}

test("another identity confirms nothing: the account, its session and the held form stay", async () => {
  const { browser, seller } = await choosingPassword("sem-nome");
  const before = await sql`select id from sellers order by id`;
  await app.sandbox.identity({ persona: "vendedor" });
  const returnTo = "/confirm-identity?returnTo=%2Fsettings";
  const { at, answer } = await browser.follow(await browser.post("/auth/start", { returnTo }));
  expect(at.pathname + at.search).toBe(returnTo);
  const page = await answer.text();
  expect(page).toContain("Esta identidade não é a da conta sem-nome@exemplo.com.br; nada foi mudado.");
  expect(page).toContain("está guardado");
  expect(page).not.toContain("Confirmado: é você");
  expect(await (await browser.get("/api/users/me")).json()).toMatchObject({ id: seller.id });
  expect(await sql`select id from sellers order by id`).toEqual(before);
  await app.sandbox.identity({ persona: "sem-nome" });
  const own = await browser.follow(await browser.post("/auth/start", { returnTo }));
  const back = await own.answer.text();
  expect(back).toContain("Continuar e criar uma senha");
  expect(back).not.toContain("nada foi mudado");
});

test("where the identity provider refuses or fails, who confirms who they are reads it there", async () => {
  const { browser } = await choosingPassword("sem-nome");
  const returnTo = "/confirm-identity?returnTo=%2Fsettings";
  const confirm = async () => {
    const { at, answer } = await browser.follow(await browser.post("/auth/start", { returnTo }));
    expect(at.pathname + at.search).toBe(returnTo);
    return answer.text();
  };
  await app.sandbox.identity({ persona: "sem-nome", deny: true });
  const refused = await confirm();
  expect(refused).toContain("cancelado ou recusado pelo provedor de identidade");
  expect(refused).toContain("está guardado");
  await app.sandbox.identity({ persona: "sem-nome", deny: false });
  await app.sandbox.fault({ service: "identity", route: "token", mode: "http-500", times: 1 });
  expect(await confirm()).toContain("Não foi possível concluir o login");
  expect(await confirm()).toContain("Continuar e criar uma senha");
});

test("an account's first password needs the identity provider, and then a click", async () => {
  const { browser, seller, challenged } = await choosingPassword("nova");
  expect(challenged.headers.get("location")).toBe("/confirm-identity");
  const page = await (await browser.get("/confirm-identity")).text();
  expect(page).toContain("Continuar com o provedor de identidade");
  expect(page).not.toContain('name="password"');
  expect(page).toContain("é apagado se você criar uma senha nova por e-mail");
  const started = await browser.post("/auth/start", { returnTo: "/confirm-identity?returnTo=%2Fsettings" });
  const { at, answer } = await browser.follow(started);
  expect(at.pathname).toBe("/confirm-identity");
  const back = await answer.text();
  expect(back).toContain("Continuar e criar uma senha");
  const held = /name="held" value="([^"]+)"/.exec(back)![1]!;
  const done = await browser.post("/settings", { held });
  expect(done.headers.get("location")).toBe("/settings?tab=seguranca");
  expect(await mailsTo(seller)).toContain(mailTexts("password"));
  // A form that was sent is not offered again.
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where seller_id = ${seller.id}`;
  const later = await (await browser.get("/confirm-identity")).text();
  expect(later).not.toContain('name="held"');
  expect(later).not.toContain("está guardado");
});
