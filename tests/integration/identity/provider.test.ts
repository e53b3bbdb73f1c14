import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { signInWithProvider } from "#app/domain/identity/sign-in-with-provider.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

beforeEach(async () => {
  await app.sandbox.identity({ persona: "nova", deny: false });
  await app.sandbox.endFaults("identity");
  await db.delete(sellers);
});

const isCallback = (to: URL) => to.pathname === "/auth/callback";

async function start(fields: Record<string, string> = {}) {
  const browser = visitor(app.url);
  return { browser, started: await browser.post("/auth/start", fields) };
}

test("a new person signs in with the provider, gets an account and lands on the requested page", async () => {
  const { browser, started } = await start({ returnTo: "/settings?tab=seguranca" });
  const asked = new URL(started.headers.get("location")!).searchParams;
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("state")).toBeTruthy();
  const { at } = await browser.follow(started, (to) => to.pathname === "/settings");
  expect(at.pathname + at.search).toBe("/settings?tab=seguranca");
  const me = await browser.get("/api/users/me");
  expect(await me.json()).toMatchObject({
    email: "nova@exemplo.com.br",
    name: "Nova Vendedora",
    google_user_data: { name: "Nova Vendedora", picture: null },
  });
});

test("the same person signing in again gets the same account", async () => {
  for (let i = 0; i < 2; i++) {
    const { browser, started } = await start();
    await browser.follow(started, (to) => to.pathname === "/dashboard");
  }
  expect(await db.select({ id: sellers.id }).from(sellers)).toHaveLength(1);
});

test("a person without a name is called by their address", async () => {
  await app.sandbox.identity({ persona: "sem-nome" });
  const { browser, started } = await start();
  await browser.follow(started, (to) => to.pathname === "/dashboard");
  expect(await (await browser.get("/api/users/me")).json()).toMatchObject({ name: "sem-nome" });
});

test("a person whose name and picture the provider gives as null is called by their address", async () => {
  const body = { sub: "nulo", email: "nula@exemplo.com.br", email_verified: true, name: null, picture: null };
  await app.sandbox.fault({ service: "identity", route: "me", mode: "status-200", body });
  const { browser, started } = await start();
  await browser.follow(started, (to) => to.pathname === "/dashboard");
  expect(await (await browser.get("/api/users/me")).json()).toMatchObject({
    name: "nula",
    google_user_data: { picture: null },
  });
});

test("a confirmed account with the same e-mail is linked, and stays linked when the provider's e-mail changes", async () => {
  const seller = await makeSeller({ email: "vendedor@exemplo.com.br", name: "Vendedor" });
  for (const persona of ["vendedor", "email-trocado"]) {
    await app.sandbox.identity({ persona });
    const { browser, started } = await start();
    await browser.follow(started, (to) => to.pathname === "/dashboard");
    expect(await (await browser.get("/api/users/me")).json()).toMatchObject({
      id: seller.id,
      email: "vendedor@exemplo.com.br",
    });
  }
});

test("an e-mail the provider has not verified opens nothing, and the page states it", async () => {
  await makeSeller({ email: "vendedor@exemplo.com.br" });
  await app.sandbox.identity({ persona: "nao-verificado" });
  const { browser, started } = await start();
  const { at, answer } = await browser.follow(started);
  expect(at.search).toBe("?error=session_failed&reason=email_unverified");
  expect(await answer.text()).toContain("não confirmou o seu e-mail");
  expect((await browser.get("/api/users/me")).status).toBe(401);
});

test("an account linked to one identity is not opened by another", async () => {
  await makeSeller({ email: "nova@exemplo.com.br", oauthSubject: "somebody-else" });
  const { browser, started } = await start();
  const { at } = await browser.follow(started);
  expect(at.search).toBe("?error=session_failed&reason=account_linked");
});

test("refusing at the provider leads to oauth_failed", async () => {
  await app.sandbox.identity({ deny: true });
  const { browser, started } = await start();
  const { at, answer } = await browser.follow(started);
  expect(at.pathname + at.search).toBe("/login?error=oauth_failed");
  expect(await answer.text()).toContain("cancelado ou recusado");
});

test("a callback without a code leads to no_code, with an error to oauth_failed, with a foreign state to session_failed", async () => {
  const browser = visitor(app.url);
  const to = async (query: string) => (await browser.get(`/auth/callback${query}`)).headers.get("location");
  expect(await to("")).toBe("/login?error=no_code");
  expect(await to("?state=x")).toBe("/login?error=no_code");
  expect(await to("?error=access_denied&state=x")).toBe("/login?error=oauth_failed");
  expect(await to("?code=x")).toBe("/login?error=session_failed");
  expect(await to("?code=x&state=forged")).toBe("/login?error=session_failed");
});

test("a stolen callback address does not work in another browser", async () => {
  const { browser, started } = await start();
  const { at } = await browser.follow(started, isCallback);
  const thief = visitor(app.url);
  expect((await thief.get(at.pathname + at.search)).headers.get("location")).toBe(
    "/login?error=session_failed",
  );
});

test("a sign-in that is sent again and again calls the provider until its client has to wait, on the page and in the API", async () => {
  const { browser, started } = await start({ returnTo: "/products" });
  const { at } = await browser.follow(started, isCallback);
  at.searchParams.set("code", "replayed");
  const attempt = () => browser.get(at.pathname + at.search);
  let attempts = 0;
  let answer = await attempt();
  while (answer.headers.get("location")!.includes("error=session_failed")) {
    attempts++;
    answer = await attempt();
  }
  // The window of all clients may have ended meanwhile.
  expect(attempts).toBeGreaterThanOrEqual(60);
  expect(attempts).toBeLessThanOrEqual(120);
  const { at: page, answer: shown } = await browser.follow(answer);
  expect(page.pathname + page.search).toBe("/login?returnTo=%2Fproducts");
  expect(await shown.text()).toMatch(/Muitas tentativas\. Tente de novo em \d+ (minuto|segundo)s?\./);
  const body = { code: "replayed", state: at.searchParams.get("state") };
  const refused = await browser.json("/api/sessions", body);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const other = await start();
  await other.browser.follow(other.started, (to) => to.pathname === "/dashboard");
  expect((await other.browser.get("/api/users/me")).status).toBe(200);
});

test.each(["http-500", "malformed", "reset"] as const)(
  "a provider that answers %s leads to session_failed",
  async (mode) => {
    const { browser, started } = await start();
    const { at } = await browser.follow(started, isCallback);
    await app.sandbox.fault({ service: "identity", route: "token", mode, times: 1 });
    const answer = await browser.get(at.pathname + at.search);
    expect(answer.headers.get("location")).toBe("/login?error=session_failed");
  },
);

test("a session that cannot be stored leads to session_failed, and the next sign-in is the same account's", async () => {
  const { browser, started } = await start({ returnTo: "/products" });
  const { at } = await browser.follow(started, isCallback);
  await sql`alter table sessions add constraint no_sessions check (false) not valid`;
  const answer = await browser.get(at.pathname + at.search);
  await sql`alter table sessions drop constraint no_sessions`;
  expect(answer.headers.get("location")).toBe("/login?error=session_failed&returnTo=%2Fproducts");
  const next = await start();
  await next.browser.follow(next.started, (to) => to.pathname === "/dashboard");
  expect(await db.select({ id: sellers.id }).from(sellers)).toHaveLength(1);
});

test.each(["page", "API"])(
  "an identity that is ended while its sign-in waits opens no session: by the %s",
  async (by) => {
    const first = await start();
    await first.browser.follow(first.started, (to) => to.pathname === "/dashboard");
    const { browser, started } = await start();
    const { at } = await browser.follow(started, isCallback);
    const grant = { code: at.searchParams.get("code"), state: at.searchParams.get("state") };
    let answer: Promise<Response> | undefined;
    const held = await holdLock(async (tx) => {
      await tx`select from sellers for update`;
      answer = by === "page" ? browser.get(at.pathname + at.search) : browser.json("/api/sessions", grant);
      await untilLockedOut();
      await tx`update sellers set oauth_subject = null`;
    });
    await held.release();
    const { status, headers } = await answer!;
    expect([status, headers.get("location")]).toEqual(
      by === "page" ? [302, "/login?error=session_failed"] : [401, null],
    );
    expect(await sql`select from sessions`).toHaveLength(1);
  },
);

test("the API's redirect_url and sessions sign in with the code alone", async () => {
  const browser = visitor(app.url);
  const { redirectUrl } = (await (await browser.get("/api/oauth/google/redirect_url")).json()) as {
    redirectUrl: string;
  };
  const { at } = await browser.follow(await browser.get(redirectUrl), isCallback);
  const answer = await browser.json("/api/sessions", { code: at.searchParams.get("code") });
  expect(answer.status).toBe(200);
  expect((await browser.get("/api/users/me")).status).toBe(200);
  const again = await browser.json("/api/sessions", { code: at.searchParams.get("code") });
  expect(again.status).toBe(401);
});

test("the start refuses another site, and where to return to stays on this one", async () => {
  const foreign = visitor(app.url, { "Sec-Fetch-Site": "cross-site" });
  expect((await foreign.post("/auth/start", {})).status).toBe(403);
  const { browser, started } = await start({ returnTo: "//evil.example/x" });
  const { at } = await browser.follow(started, (to) => to.pathname === "/dashboard");
  expect(at.href).toBe(`${app.url}/dashboard`);
});

test("ten first sign-ins of one person at once make one account", async () => {
  const profile = {
    subject: `s-${randomUUID()}`,
    email: `${randomUUID()}@exemplo.com.br`,
    emailVerified: true,
    name: null,
    pictureUrl: null,
  };
  const found = await Promise.all(Array.from({ length: 10 }, () => signInWithProvider(profile)));
  expect(new Set(found.map((f) => ("sellerId" in f ? f.sellerId : "refused"))).size).toBe(1);
});
