import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { emailTokens, sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { confirmEmail } from "#app/domain/identity/email/confirm-email.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { findReset, resetPassword } from "#app/domain/identity/email/reset-password.server.ts";
import { resendConfirmation } from "#app/domain/identity/email/send-confirmation.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

const newEmail = () => `nova-${randomUUID()}@exemplo.com.br`;
const form = (email: string) => ({
  name: "Nina Nova",
  email,
  password: "senha-nova-1",
  confirmPassword: "senha-nova-1",
});

/** The path of the link in the newest mail of a kind. */
async function linkTo(email: string, path: string): Promise<string> {
  const mail = await until(
    async () => (await app.sandbox.emails(email)).find((m) => m.body.html?.includes(path)),
    {
      what: `a mail with ${path}`,
    },
  );
  return new RegExp(`${path}/[\\w-]+`).exec(mail.body.html!)![0];
}

const LINK_REQUESTS = { requestPasswordReset, resendConfirmation, sendAccessLinks, sendPortalLink };

test.each(Object.entries(LINK_REQUESTS))(
  "%s waits for a quarter of a second also where it mails nothing, so that its time reveals no address",
  async (_, request) => {
    const wait = vi.spyOn(globalThis, "setTimeout");
    await request(newEmail());
    const waits = wait.mock.calls.map(([, milliseconds]) => milliseconds);
    wait.mockRestore();
    expect(waits).toContain(250);
  },
);

test("a seller registers, confirms by the mailed link and signs in", async () => {
  const email = newEmail();
  const browser = visitor(app.url);
  const page = await browser.post("/register", form(` ${email.toUpperCase()} `));
  const text = await page.text();
  expect(text).toContain("Conta criada com sucesso!");
  expect(text).toContain(email);
  expect((await browser.json("/api/sessions", { email, password: "senha-nova-1" })).status).toBe(403);
  const link = await linkTo(email, "/confirm-email");
  expect(await (await browser.get(link)).text()).toContain("Confirmar e-mail");
  expect((await browser.json("/api/sessions", { email, password: "senha-nova-1" })).status).toBe(403);
  const { answer: confirmed } = await browser.follow(await browser.post(link, {}));
  expect(await confirmed.text()).toContain("E-mail confirmado");
  expect((await browser.json("/api/sessions", { email, password: "senha-nova-1" })).status).toBe(200);
});

test("the API registers with 201 and reports errors with 400", async () => {
  const email = newEmail();
  const browser = visitor(app.url);
  const { name, password } = form(email);
  expect((await browser.json("/api/auth/register", { name, email, password })).status).toBe(201);
  const short = await browser.json("/api/auth/register", { name, email, password: "curta" });
  expect([short.status, await short.json()]).toEqual([
    400,
    refused("Senha deve ter pelo menos 8 caracteres", { field: "password" }),
  ]);
});

test("the page reports all errors at once and keeps what was typed", async () => {
  const answer = await visitor(app.url).post("/register", {
    name: "   ",
    email: "sem-arroba",
    password: "curta",
    confirmPassword: "outra",
  });
  const page = await answer.text();
  expect(answer.status).toBe(400);
  for (const message of [
    "Nome é obrigatório",
    "Email inválido",
    "Senha deve ter pelo menos 8 caracteres",
    "Senhas não coincidem",
  ])
    expect(page).toContain(message);
  expect(page).toContain("sem-arroba");
});

test("an address has one account, also when two register it at once", async () => {
  const email = newEmail();
  const { name, password } = form(email);
  const answers = await Promise.all(
    [1, 2, 3].map(() => visitor(app.url).json("/api/auth/register", { name, email, password })),
  );
  expect(answers.map((a) => a.status).sort()).toEqual([201, 409, 409]);
});

test("the browser that opened the account is signed in by confirming it, once", async () => {
  const email = newEmail();
  const browser = visitor(app.url);
  await browser.post("/register", form(email));
  const link = await linkTo(email, "/confirm-email");
  expect((await browser.post(link, {})).headers.get("location")).toBe("/dashboard");
  expect((await browser.get("/dashboard")).status).toBe(200);
  const sessions = () => sql`
    select 1 from sessions where seller_id = (select id from sellers where email = ${email})`;
  expect(await sessions()).toHaveLength(1);
  expect((await browser.post(link, {})).headers.get("location")).toBe(link);
  expect(await sessions()).toHaveLength(1);
});

test("a browser that opened one account is not signed in to another by its link", async () => {
  const [own, another] = [newEmail(), newEmail()];
  const browser = visitor(app.url);
  await browser.post("/register", form(own));
  await visitor(app.url).post("/register", form(another));
  const link = await linkTo(another, "/confirm-email");
  expect((await browser.post(link, {})).headers.get("location")).toBe(link);
  expect((await browser.get("/dashboard")).headers.get("location")).toMatch(/^\/login/);
});

test("a confirmation link used twice still succeeds, an unknown or expired one fails", async () => {
  const email = newEmail();
  await visitor(app.url).post("/register", form(email));
  const link = await linkTo(email, "/confirm-email");
  const browser = visitor(app.url);
  for (let i = 0; i < 2; i++) {
    expect((await browser.post(link, {})).headers.get("location")).toBe(link);
    expect(await (await browser.get(link)).text()).toContain("E-mail confirmado");
  }
  for (const unknown of [await browser.get("/confirm-email/x"), await browser.post("/confirm-email/x", {})])
    expect(unknown.status).toBe(404);
  const seller = await makeSeller({ emailVerifiedAt: null });
  const { token, id } = await issueEmailToken(db, {
    sellerId: seller.id,
    purpose: "confirm",
    email: seller.email,
  });
  await db
    .update(emailTokens)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(emailTokens.id, id));
  expect((await browser.get(`/confirm-email/${token}`)).status).toBe(404);
  expect((await browser.post(`/confirm-email/${token}`, {})).status).toBe(404);
});

test("the confirmation is resent only to an account that needs it", async () => {
  const waiting = await makeSeller({ emailVerifiedAt: null });
  const done = await makeSeller();
  const browser = visitor(app.url);
  const answers = await Promise.all(
    [waiting.email, done.email, newEmail()].map((email) => browser.post("/confirm-email", { email })),
  );
  expect(answers.map((a) => a.status)).toEqual([200, 200, 200]);
  await linkTo(waiting.email, "/confirm-email");
  expect(await db.select().from(mails).where(eq(mails.recipient, done.email))).toHaveLength(0);
});

test("a forgotten password is set anew by mail, and every session ends", async () => {
  const seller = await makeSeller({ passwordHash: null });
  await openSession(seller.id, { ip: null, userAgent: null });
  const browser = visitor(app.url);
  const known = await browser.post("/forgot-password", { email: seller.email });
  const unknown = await browser.post("/forgot-password", { email: newEmail() });
  const strip = (html: string) => html.replace(/[\w-]+@exemplo\.com\.br/g, "").replace(/[\w-]{20,}/g, "");
  expect(strip(await known.text())).toBe(strip(await unknown.text()));
  const link = await linkTo(seller.email, "/reset-password");
  expect((await browser.get(link)).status).toBe(200);
  const passwords = { password: "senha-outra-2", confirmPassword: "senha-outra-2" };
  expect((await browser.post(link, { ...passwords, confirmPassword: "x" })).status).toBe(400);
  expect((await browser.post(link, passwords)).headers.get("location")).toBe("/login");
  expect(await db.select().from(sessions).where(eq(sessions.sellerId, seller.id))).toHaveLength(0);
  expect((await browser.post(link, passwords)).status).toBe(404);
  expect((await browser.get(link)).status).toBe(404);
  const signIn = await browser.json("/api/sessions", { email: seller.email, password: "senha-outra-2" });
  expect(signIn.status).toBe(200);
});

test("a reset in a browser where another account is open leads to the sign-in, not to that account", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const headers = await signedIn(other);
  const page = await (await app.fetch(`/reset-password/${token}`, { headers })).text();
  expect(page).toContain("Uma troca de e-mail que ainda não foi confirmada será cancelada.");
  const password = "quatro cavalos de papel";
  const body = new URLSearchParams({ password, confirmPassword: password });
  const reset = await app.fetch(`/reset-password/${token}`, { method: "POST", headers, body });
  expect(reset.headers.get("location")).toBe("/login");
  expect(reset.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^sessao=.*Max-Age=0/));
  expect((await app.fetch("/dashboard", { headers })).headers.get("location")).toContain("/login");
});

test("a security mail says what a new password does not end: a joined identity, and the change itself", async () => {
  for (const [oauthSubject, text] of [
    [randomUUID(), "A entrada pelo provedor de identidade continua"],
    [null, "as sessões abertas deixam de valer."],
  ] as const) {
    const seller = await makeSeller({ oauthSubject });
    await db.transaction((tx) => queueSecurityMail(tx, seller.id, { change: "payment-keys" }));
    const mail = await until(async () => (await app.sandbox.emails(seller.email))[0]);
    expect(mail.body.html).toContain(text);
    // A new password undoes no change.
    expect(mail.body.html).toContain("O que foi mudado continua como está");
    expect(mail.body.html).toContain("/settings?tab=gateways");
  }
});

test("a new password by mail may not be the account's own address or name, and the link stays", async () => {
  const seller = await makeSeller();
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  for (const guessed of [seller.email, "vera vendedora"])
    await expect(resetPassword(token, guessed)).rejects.toMatchObject({ kind: "invalid", field: "password" });
  expect(await resetPassword(token, "quatro cavalos de papel")).toBe(seller.email);
});

test("a reset link used ten times at once works once", async () => {
  const seller = await makeSeller();
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, i) => resetPassword(token, `senha-numero-${i}`)),
  );
  expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
});

test("a reset link that went to an address of before offers no form once the account has another one", async () => {
  const seller = await makeSeller();
  const reset = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const email = newEmail();
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "confirm", email });
  expect(await findReset(reset.token)).toMatchObject({ keys: 0 });
  await confirmEmail(token);
  expect(await findReset(reset.token)).toBeNull();
  const current = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email });
  expect(await findReset(current.token)).toMatchObject({ keys: 0 });
});

test("a reset link does not work as a confirmation, nor the other way round", async () => {
  const seller = await makeSeller({ emailVerifiedAt: null });
  const reset = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const confirm = await issueEmailToken(db, { sellerId: seller.id, purpose: "confirm", email: seller.email });
  const browser = visitor(app.url);
  expect((await browser.get(`/confirm-email/${reset.token}`)).status).toBe(404);
  expect((await browser.post(`/confirm-email/${reset.token}`, {})).status).toBe(404);
  expect((await browser.get(`/reset-password/${confirm.token}`)).status).toBe(404);
});

test("a reset by mail confirms the address", async () => {
  const seller = await makeSeller({ emailVerifiedAt: null });
  await requestPasswordReset(seller.email);
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  await resetPassword(token, "senha-outra-2");
  const [row] = await db
    .select()
    .from(sellers)
    .where(and(eq(sellers.id, seller.id)));
  expect(row!.emailVerifiedAt).not.toBeNull();
});
