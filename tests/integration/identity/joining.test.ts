import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { apiKeys, sellers } from "#app/db/schema/sellers.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { PASSWORD as OWN_PASSWORD, passwordHash } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

let app: App;
/** The victim's address at the identity provider. */
const EMAIL = "nova@exemplo.com.br";
const PASSWORD = "senha-do-estranho-1";

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

beforeEach(async () => {
  await app.sandbox.identity({ persona: "nova", deny: false });
  await db.delete(sellers);
});

type Visitor = ReturnType<typeof visitor>;

async function register(stranger: Visitor): Promise<Response> {
  return stranger.json("/api/auth/register", {
    name: "Ganhe R$ 5000",
    email: EMAIL,
    password: PASSWORD,
  });
}

const byPassword = (who: Visitor) => who.json("/api/sessions", { email: EMAIL, password: PASSWORD });

async function byProvider(who: Visitor, returnTo = "/products") {
  return who.follow(await who.post("/auth/start", { returnTo }));
}

/** The link of the newest mail that confirms an address. */
async function confirmLink(): Promise<string> {
  const [mail] = opened(
    await sql`
    select body_sealed from ${mailsWithTexts()} where kind = 'confirm-email' order by created_at desc limit 1`,
  );
  return /\/confirm-email\/[\w-]+/.exec(mail!.payload.html)![0];
}

async function notices(): Promise<string[]> {
  const rows = await sql`
    select body_sealed from ${mailsWithTexts()} where kind = 'security-notice' and recipient = ${EMAIL} order by created_at`;
  return opened(rows).map(({ payload }) => `${payload.subject} ${payload.text}`);
}

test("an unconfirmed account prepared by a stranger becomes the provider person's alone", async () => {
  const [stranger, victim] = [visitor(app.url), visitor(app.url)];
  expect((await register(stranger)).status).toBe(201);
  const link = await confirmLink();
  // A mail scanner opens every link.
  expect((await visitor(app.url).get(link)).status).toBe(200);
  expect((await byPassword(stranger)).status).toBe(403);
  const { at, answer } = await byProvider(victim);
  expect(at.pathname).toBe("/products");
  expect(await answer.text()).toContain("a senha de quem a criou não vale mais");
  expect((await byPassword(stranger)).status).toBe(401);
  await stranger.post(link, {});
  expect((await byPassword(stranger)).status).toBe(401);
  expect(await (await victim.get("/api/users/me")).json()).toMatchObject({
    email: EMAIL,
    name: "Nova Vendedora",
  });
  expect(await notices()).toEqual([expect.stringContaining("nunca tinha sido confirmada")]);
});

test("every other access to an unconfirmed account ends with its password", async () => {
  const seller = await makeSeller({ email: EMAIL, emailVerifiedAt: null, company: "Do Estranho" });
  const cookie = await signedIn(seller);
  const key = await createApiKey(seller.id, { name: "Dele", scopes: ["read"] });
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: EMAIL });
  await byProvider(visitor(app.url));
  const opens = async (headers: Record<string, string>) =>
    (await app.fetch("/api/users/me", { headers })).status;
  expect([await opens(cookie), await opens({ Authorization: `Bearer ${key}` })]).toEqual([401, 401]);
  expect((await app.fetch(`/reset-password/${token}`)).status).toBe(404);
  const [row] = await db.select().from(sellers).where(eq(sellers.id, seller.id));
  expect(row).toMatchObject({ company: null, passwordHash: null });
});

test("if the victim confirmed the stranger's link first, all access is listed and ended with one click", async () => {
  const [stranger, victim] = [visitor(app.url), visitor(app.url)];
  await register(stranger);
  await victim.post(await confirmLink(), {});
  expect((await byPassword(stranger)).status).toBe(200);
  const [{ id }] = (await db.select({ id: sellers.id }).from(sellers)) as [{ id: string }];
  const key = await createApiKey(id, { name: "Planilha do estranho", scopes: ["read"] });

  const { at, answer } = await byProvider(victim, "/products");
  expect(at.pathname + at.search).toBe("/settings/access?returnTo=%2Fproducts");
  const page = await answer.text();
  for (const mailText of ["Senha", "Planilha do estranho", "Sessão: ", "Encerrar tudo isso"])
    expect(page).toContain(mailText);
  const mailText = (await notices()).at(-1)!;
  for (const expectedText of ["uma senha", "uma chave de API", "uma sessão aberta", "/settings/access"])
    expect(mailText).toContain(expectedText);

  const done = await victim.post(at.pathname + at.search, { intent: "end-access" });
  expect(done.headers.get("location")).toBe("/products");
  expect((await byPassword(stranger)).status).toBe(401);
  expect((await stranger.get("/api/users/me")).status).toBe(401);
  const bearer = { Authorization: `Bearer ${key}` };
  expect((await app.fetch("/api/users/me", { headers: bearer })).status).toBe(401);
  expect((await victim.get("/api/users/me")).status).toBe(200);
  expect((await notices()).at(-1)).toContain("Os outros acessos da sua conta foram encerrados");
});

test("a joined identity is listed beside the password, and opens nothing once its account's owner has ended it", async () => {
  const stranger = visitor(app.url);
  const seller = await makeSeller({ email: EMAIL, passwordHash });
  await byProvider(stranger);
  // The address that the stranger once read mails of is no longer the account's.
  const email = "dona@exemplo.com.br";
  await sql`update sellers set email = ${email} where id = ${seller.id}`;
  const owner = visitor(app.url);
  await owner.json("/api/sessions", { email, password: OWN_PASSWORD });
  const page = await (await owner.get("/settings/access")).text();
  for (const text of ["Senha", "Provedor de identidade", "menos a senha", "a entrada que só você usa"])
    expect(page).toContain(text);
  const done = await owner.post("/settings/access", { intent: "end-identity" });
  expect(done.headers.get("location")).toBe("/settings/access?returnTo=%2Fsettings%3Ftab%3Dseguranca");
  expect((await stranger.get("/api/users/me")).status).toBe(401);
  await byProvider(stranger);
  expect(await (await stranger.get("/api/users/me")).json()).not.toMatchObject({ id: seller.id });
  expect(await (await owner.get("/api/users/me")).json()).toMatchObject({ id: seller.id });
  expect((await owner.json("/api/sessions", { email, password: OWN_PASSWORD })).status).toBe(200);
});

test("an ended identity whose account at the provider has the same address joins again, as the page says, and the owner is mailed", async () => {
  const seller = await makeSeller({ email: EMAIL, passwordHash });
  const [stranger, owner] = [visitor(app.url), visitor(app.url)];
  await byProvider(stranger);
  await owner.json("/api/sessions", { email: EMAIL, password: OWN_PASSWORD });
  expect(await (await owner.get("/settings/access")).text()).toContain("recupere-a no provedor");
  await owner.post("/settings/access", { intent: "end-identity" });
  expect((await stranger.get("/api/users/me")).status).toBe(401);
  await byProvider(stranger);
  expect(await (await stranger.get("/api/users/me")).json()).toMatchObject({ id: seller.id });
  expect((await notices()).filter((text) => text.includes("uma senha"))).toHaveLength(2);
});

test("an account that the provider opened first cannot be registered", async () => {
  const [stranger, victim] = [visitor(app.url), visitor(app.url)];
  await byProvider(victim);
  expect((await register(stranger)).status).toBe(409);
  expect((await byPassword(stranger)).status).toBe(401);
  const mails = await sql`select 1 from mails where kind = 'confirm-email'`;
  expect(mails).toHaveLength(0);
  const again = await byProvider(visitor(app.url));
  expect(again.at.pathname).toBe("/products");
});

test("a confirmed account without other access is joined without a detour, and notified by mail", async () => {
  await makeSeller({ email: EMAIL });
  const { at } = await byProvider(visitor(app.url));
  expect(at.pathname).toBe("/products");
  expect(await notices()).toEqual([expect.stringContaining("pelo provedor de identidade")]);
});

test("the click keeps the password of a seller without other access", async () => {
  const seller = await makeSeller({ email: EMAIL, passwordHash: "$argon2id$kept" });
  const headers = await signedIn(seller);
  await openSession(seller.id, { ip: null, userAgent: null });
  await createApiKey(seller.id, { name: "Antiga", scopes: ["read"] });
  const other = await makeSeller({ passwordHash: "$argon2id$other" });
  const others = await signedIn(other);
  const page = await (await app.fetch("/settings/access", { headers })).text();
  expect(page).toContain("Antiga");
  expect(page).toContain("encerre tudo de uma vez.");
  expect(page).not.toContain("Quem a conhece entra");
  await app.fetch("/settings/access", { method: "POST", headers, body: new URLSearchParams({}) });
  const [row] = await db.select().from(sellers).where(eq(sellers.id, seller.id));
  expect(row!.passwordHash).toBe("$argon2id$kept");
  const [open] = await sql`select count(*)::int as n from sessions where seller_id = ${seller.id}`;
  expect(open!.n).toBe(1);
  const [key] = await db.select().from(apiKeys).where(eq(apiKeys.sellerId, seller.id));
  expect(key!.revokedAt).not.toBeNull();
  expect((await app.fetch("/api/users/me", { headers: others })).status).toBe(200);
});

test("a reset offers to end the API keys, and ends them if ticked", async () => {
  const passwords = { password: "senha-nova-22", confirmPassword: "senha-nova-22" };
  for (const endKeys of [true, false]) {
    const seller = await makeSeller();
    const key = await createApiKey(seller.id, { name: "Planilha", scopes: ["read"] });
    const request = { sellerId: seller.id, purpose: "reset" as const, email: seller.email };
    const { token } = await issueEmailToken(db, request);
    const browser = visitor(app.url);
    expect(await (await browser.get(`/reset-password/${token}`)).text()).toContain(
      "Encerrar também as chaves de API",
    );
    await browser.post(`/reset-password/${token}`, { ...passwords, ...(endKeys ? { endKeys: "on" } : {}) });
    const me = await app.fetch("/api/users/me", { headers: { Authorization: `Bearer ${key}` } });
    expect(me.status).toBe(endKeys ? 401 : 200);
  }
  const bare = await makeSeller();
  const { token } = await issueEmailToken(db, { sellerId: bare.id, purpose: "reset", email: bare.email });
  const page = await (await app.fetch(`/reset-password/${token}`)).text();
  expect(page).not.toContain("chaves de API");
});

test("a reset offers to end the joined identity, and ends it if ticked", async () => {
  const passwords = { password: "senha-nova-22", confirmPassword: "senha-nova-22" };
  for (const endIdentity of [true, false]) {
    const seller = await makeSeller({ oauthSubject: `joined-${endIdentity}` });
    const request = { sellerId: seller.id, purpose: "reset" as const, email: seller.email };
    const { token } = await issueEmailToken(db, request);
    const browser = visitor(app.url);
    const page = await (await browser.get(`/reset-password/${token}`)).text();
    expect(page).toContain("Encerrar também a entrada pelo provedor de identidade");
    expect(page).toContain("recupere-a no provedor");
    const ticked: Record<string, string> = endIdentity ? { endIdentity: "on" } : {};
    await browser.post(`/reset-password/${token}`, { ...passwords, ...ticked });
    const [row] = await db.select().from(sellers).where(eq(sellers.id, seller.id));
    expect(row!.oauthSubject).toBe(endIdentity ? null : seller.oauthSubject);
  }
  const bare = await makeSeller();
  const { token } = await issueEmailToken(db, { sellerId: bare.id, purpose: "reset", email: bare.email });
  const page = await (await app.fetch(`/reset-password/${token}`)).text();
  expect(page).not.toContain("provedor de identidade");
});
