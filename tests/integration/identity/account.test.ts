import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { apiKeys, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { confirmEmail } from "#app/domain/identity/email/confirm-email.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

async function post(headers: Record<string, string>, fields: Record<string, string>) {
  const given = await withVersion((page) => app.fetch(page, { headers }), fields);
  return app.fetch("/settings", { method: "POST", headers, body: new URLSearchParams(given) });
}

const profile = (seller: { email: string }, more: Record<string, string> = {}) => ({
  intent: "profile",
  name: "Vera Vendas",
  email: seller.email,
  company: "Vera Cursos",
  phone: "(11) 98765-4321",
  ...more,
});

const threeDaysAgo = () => new Date(Date.now() - 3 * DAY - 60_000);

const readSeller = async (id: string) => (await db.select().from(sellers).where(eq(sellers.id, id)))[0]!;

test("the profile is saved", async () => {
  const seller = await makeSeller();
  const saved = await post(await signedIn(seller), profile(seller));
  expect(saved.headers.get("location")).toBe("/settings?tab=perfil");
  expect(await readSeller(seller.id)).toMatchObject({
    name: "Vera Vendas",
    company: "Vera Cursos",
    phone: "+5511987654321",
    email: seller.email,
  });
});

test("an invalid phone is refused with the form's values", async () => {
  const seller = await makeSeller();
  const answer = await post(await signedIn(seller), profile(seller, { phone: "123" }));
  const page = await answer.text();
  expect(answer.status).toBe(400);
  expect(page).toContain("Telefone inválido");
  expect(page).toContain("Vera Cursos");
});

test("a new e-mail counts once its link is used, and the old address is notified", async () => {
  const seller = await makeSeller();
  const email = `novo-${randomUUID()}@exemplo.com.br`;
  const headers = await signedIn(seller);
  await post(headers, profile(seller, { email }));
  expect((await readSeller(seller.id)).email).toBe(seller.email);
  const page = await (await app.fetch("/settings", { headers })).text();
  expect(page).toContain(email);
  const mail = await until(async () => (await app.sandbox.emails(email))[0]);
  await until(async () =>
    (await app.sandbox.emails(seller.email)).find((m) => m.body.subject.includes("troca de e-mail")),
  );
  const link = /\/confirm-email\/[\w-]+/.exec(mail.body.html!)![0];
  await app.fetch(link);
  expect((await readSeller(seller.id)).email).toBe(seller.email);
  await app.fetch(link, { method: "POST" });
  expect((await readSeller(seller.id)).email).toBe(email);
  await until(async () =>
    (await app.sandbox.emails(seller.email)).find((m) =>
      m.body.subject.includes("e-mail da sua conta mudou"),
    ),
  );
});

test("an e-mail of another account is refused", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const answer = await post(await signedIn(seller), profile(seller, { email: other.email }));
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("já é usado por outra conta");
});

test("a registration that nobody confirmed keeps its address for three days, then only until its owner moves an account to it", async () => {
  const [seller, recent] = [
    await makeSeller(),
    await makeSeller({ emailVerifiedAt: null, passwordHash: "x" }),
  ];
  const stranger = await makeSeller({ emailVerifiedAt: null, passwordHash: "x", createdAt: threeDaysAgo() });
  const theirs = await issueEmailToken(db, {
    sellerId: stranger.id,
    purpose: "confirm",
    email: stranger.email,
  });
  const save = (email: string) =>
    saveProfile(seller.id, { name: "Vera Vendas", company: "", phone: null, email });
  await expect(save(recent.email)).rejects.toMatchObject({ kind: "conflict", field: "email" });
  expect(await save(stranger.email)).toBe(stranger.email);
  // Asking alone takes it from nobody.
  expect((await readSeller(stranger.id)).email).toBe(stranger.email);
  const { token } = await issueEmailToken(db, {
    sellerId: seller.id,
    purpose: "confirm",
    email: stranger.email,
  });
  expect(await confirmEmail(token)).toBe(seller.id);
  expect((await readSeller(seller.id)).email).toBe(stranger.email);
  expect((await readSeller(stranger.id)).email).toMatch(/@conta\.invalid$/);
  await expect(confirmEmail(theirs.token)).rejects.toMatchObject({ kind: "not-found" });
});

test("an address is not taken from a registration that is recent, or was confirmed meanwhile", async () => {
  for (const fields of [{ emailVerifiedAt: null }, { createdAt: threeDaysAgo() }]) {
    const [seller, other] = [await makeSeller(), await makeSeller({ passwordHash: "x", ...fields })];
    const { token } = await issueEmailToken(db, {
      sellerId: seller.id,
      purpose: "confirm",
      email: other.email,
    });
    await expect(confirmEmail(token)).rejects.toMatchObject({ kind: "conflict" });
    expect((await readSeller(other.id)).email).toBe(other.email);
  }
});

test("notification choices are saved", async () => {
  const seller = await makeSeller();
  await post(await signedIn(seller), { intent: "notifications", email_weekly_report: "on" });
  expect(await readSeller(seller.id)).toMatchObject({
    notifyNewSale: false,
    notifyFailedPayment: false,
    notifyWeeklyReport: true,
    notifyMonthlyReport: false,
  });
});

test("an API key is shown once, stored hashed, opens the API and stops when revoked", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const page = await (await post(headers, { intent: "create-key", name: "Planilha" })).text();
  const key = /ck_[\w-]{43}/.exec(page)![0];
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.sellerId, seller.id));
  expect(JSON.stringify(row)).not.toContain(key);
  expect(await (await app.fetch("/settings?tab=seguranca", { headers })).text()).not.toContain(key);
  const bearer = { Authorization: `Bearer ${key}` };
  const me = await app.fetch("/api/users/me", { headers: bearer });
  expect(await me.json()).toMatchObject({ id: seller.id });
  const [used] = await db.select().from(apiKeys).where(eq(apiKeys.id, row!.id));
  expect(used!.lastUsedAt).not.toBeNull();
  await post(headers, { intent: "revoke-key", id: row!.id });
  expect((await app.fetch("/api/users/me", { headers: bearer })).status).toBe(401);
});

test("a key opens the API alone, not the pages", async () => {
  const seller = await makeSeller();
  const key = await createApiKey(seller.id, { name: "Só API", scopes: [...SCOPES] });
  const page = await app.fetch("/settings", { headers: { Authorization: `Bearer ${key}` } });
  expect(page.status).toBe(302);
});

test("the sessions show device and IP, and each can be ended", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  await openSession(seller.id, {
    ip: "203.0.113.7",
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604.1",
  });
  const page = await (await app.fetch("/settings?tab=seguranca", { headers })).text();
  expect(page).toContain("Safari no iPhone");
  expect(page).toContain("203.0.113.7");
  const [phone] = await db.select().from(sessions).where(eq(sessions.ip, "203.0.113.7"));
  await post(headers, { intent: "end-session", id: phone!.id });
  expect(await db.select().from(sessions).where(eq(sessions.id, phone!.id))).toHaveLength(0);
});

test("the client's IP is what the trusted proxy wrote, not what the client claims", async () => {
  const seller = await makeSeller({ passwordHash: await hashPassword("senha-de-teste-1") });
  await app.fetch("/api/sessions", {
    method: "POST",
    headers: { "X-Forwarded-For": "198.51.100.1, 203.0.113.99" },
    body: JSON.stringify({ email: seller.email, password: "senha-de-teste-1" }),
  });
  const [row] = await db.select().from(sessions).where(eq(sessions.sellerId, seller.id));
  expect(row!.ip).toBe("203.0.113.99");
});

test("changing the password needs the current one and ends the other sessions", async () => {
  const seller = await makeSeller({ passwordHash: await hashPassword("senha-antiga-1") });
  const [here, there] = [await signedIn(seller), await signedIn(seller)];
  const change = { intent: "password", password: "senha-nova-22", confirmPassword: "senha-nova-22" };
  const wrong = await post(here, { ...change, currentPassword: "errada-errada" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("Senha atual incorreta");
  expect((await app.fetch("/api/users/me", { headers: there })).status).toBe(200);
  const changed = await post(here, { ...change, currentPassword: "senha-antiga-1" });
  const Cookie = changed.headers
    .getSetCookie()
    .find((line) => line.startsWith("sessao="))!
    .split(";")[0]!;
  expect((await app.fetch("/api/users/me", { headers: { Cookie } })).status).toBe(200);
  expect((await app.fetch("/api/users/me", { headers: there })).status).toBe(401);
});

test("a new password may not be the account's own address or name", async () => {
  const seller = await makeSeller({ passwordHash: await hashPassword("senha-antiga-1") });
  const headers = await signedIn(seller);
  for (const password of [seller.email, "vera vendedora"]) {
    const passwords = { currentPassword: "senha-antiga-1", password, confirmPassword: password };
    const answer = await post(headers, { intent: "password", ...passwords });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("fácil de adivinhar");
  }
});

test.each(["changed", "set anew by mail"])(
  "an address requested by somebody else does not become the account's once the password is %s",
  async (how) => {
    const seller = await makeSeller({ passwordHash: await hashPassword("senha-antiga-1") });
    const [here, thief] = [await signedIn(seller), await signedIn(seller)];
    const theirs = `ladrao-${randomUUID()}@exemplo.com.br`;
    await post(thief, profile(seller, { email: theirs }));
    const mail = await until(async () => (await app.sandbox.emails(theirs))[0]);
    const passwords = { password: "senha-nova-22", confirmPassword: "senha-nova-22" };
    if (how === "changed") {
      await post(here, { intent: "password", currentPassword: "senha-antiga-1", ...passwords });
    } else {
      const send = (path: string, fields: Record<string, string>) =>
        app.fetch(path, { method: "POST", body: new URLSearchParams(fields) });
      await send("/forgot-password", { email: seller.email });
      const reset = await until(async () =>
        (await app.sandbox.emails(seller.email)).find((m) => m.body.subject.includes("nova senha")),
      );
      await send(/\/reset-password\/[\w-]+/.exec(reset.body.html!)![0], passwords);
    }
    const late = await app.fetch(/\/confirm-email\/[\w-]+/.exec(mail.body.html!)![0], { method: "POST" });
    expect(late.status).toBe(404);
    expect((await readSeller(seller.id)).email).toBe(seller.email);
  },
);

test.each([
  ["a password", { passwordHash: "x" }, "abre com a sua senha: se alguém mais a conhece, troque-a."],
  ["an identity", { oauthSubject: randomUUID() }, "abre pelo provedor de identidade."],
])("where no other session is open, the list of what opens an account names %s", async (_, by, text) => {
  const headers = await signedIn(await makeSeller(by));
  const page = await (await app.fetch("/settings/access", { headers })).text();
  expect(page).toContain(text);
  expect(page).not.toContain("Nada além desta sessão");
});

test("what opens a closed account is listed and ended, as the mail about its closing says", async () => {
  const seller = await makeSeller({ closedAt: new Date() });
  const [here, there] = [await signedIn(seller), await signedIn(seller)];
  const page = await app.fetch("/settings/access", { headers: here });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Encerrar tudo isso")]);
  await app.fetch("/settings/access", { method: "POST", headers: here, body: new URLSearchParams() });
  expect((await app.fetch("/settings/close", { headers: there })).headers.get("location")).toContain(
    "/login",
  );
});

test("another seller's key and session are not found, and stay", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await createApiKey(other.id, { name: "Dela", scopes: [...SCOPES] });
  await openSession(other.id, { ip: null, userAgent: null });
  const [key] = await db.select().from(apiKeys).where(eq(apiKeys.sellerId, other.id));
  const [session] = await db.select().from(sessions).where(eq(sessions.sellerId, other.id));
  const headers = await signedIn(seller);
  expect((await post(headers, { intent: "revoke-key", id: key!.id })).status).toBe(404);
  expect((await post(headers, { intent: "end-session", id: session!.id })).status).toBe(404);
  expect((await post(headers, { intent: "end-session", id: "no uuid" })).status).toBe(404);
  const [same] = await db.select().from(apiKeys).where(eq(apiKeys.id, key!.id));
  expect(same!.revokedAt).toBeNull();
  expect(await db.select().from(sessions).where(eq(sessions.id, session!.id))).toHaveLength(1);
});
