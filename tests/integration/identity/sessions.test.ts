import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { type sellers, sessions } from "#app/db/schema/sellers.server.ts";
import { findSession } from "#app/domain/identity/access/find-session.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { hashToken, seal } from "#app/platform/secrets.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { refused } from "#tests/support/routes/call.ts";
import { longTest } from "#tests/support/run/ways.ts";

let app: App;
let seller: typeof sellers.$inferSelect;
const PASSWORD = "senha-de-teste-1";

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  seller = await makeSeller({
    email: "vera@exemplo.com.br",
    passwordHash: await hashPassword(PASSWORD),
    pictureUrl: "https://exemplo.com.br/vera.png",
  });
});

async function signedIn() {
  const browser = visitor(app.url, { "User-Agent": "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0" });
  const answer = await browser.json("/api/sessions", { email: " Vera@Exemplo.com.br ", password: PASSWORD });
  expect(answer.status).toBe(200);
  return { browser, answer };
}

test("e-mail and password sign in over the API and set the session cookie", async () => {
  const { browser, answer } = await signedIn();
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("sessao="))!;
  expect(cookie).toMatch(/HttpOnly/i);
  expect(cookie).toMatch(/SameSite=Lax/i);
  expect(await (await browser.get("/api/users/me")).json()).toEqual({
    id: seller.id,
    email: "vera@exemplo.com.br",
    name: "Vera Vendedora",
    google_user_data: { name: "Vera Vendedora", picture: "https://exemplo.com.br/vera.png" },
  });
});

test("the database holds no token that a cookie could carry", async () => {
  const { browser } = await signedIn();
  const value = JSON.parse(
    Buffer.from(decodeURIComponent(browser.cookies()[0]!.split("=")[1]!), "base64").toString(),
  ) as string;
  const rows = await db.select({ hash: sessions.tokenHash }).from(sessions);
  expect(rows.some((row) => row.hash.includes(value))).toBe(false);
});

test("an unknown e-mail and a wrong password get the same answer", async () => {
  const browser = visitor(app.url);
  const wrong = await browser.json("/api/sessions", {
    email: "vera@exemplo.com.br",
    password: "errada-errada",
  });
  const unknown = await browser.json("/api/sessions", {
    email: "quem@exemplo.com.br",
    password: "errada-errada",
  });
  expect([wrong.status, await wrong.json()]).toEqual([401, refused("E-mail ou senha incorretos")]);
  expect([unknown.status, await unknown.json()]).toEqual([401, refused("E-mail ou senha incorretos")]);
});

test("an account that only the provider opens accepts no password", async () => {
  await makeSeller({ email: "so-provedor@exemplo.com.br" });
  const answer = await visitor(app.url).json("/api/sessions", {
    email: "so-provedor@exemplo.com.br",
    password: "no password is this long and this useless",
  });
  expect(answer.status).toBe(401);
});

test("the login page signs in and goes to the requested page, on this site only", async () => {
  const fields = { email: "vera@exemplo.com.br", password: PASSWORD };
  const there = await visitor(app.url).post("/login", { ...fields, returnTo: "/settings?tab=perfil" });
  expect([there.status, there.headers.get("location")]).toEqual([302, "/settings?tab=perfil"]);
  const away = await visitor(app.url).post("/login", { ...fields, returnTo: "https://evil.example/" });
  expect(away.headers.get("location")).toBe("/dashboard");
});

test("a wrong password keeps the e-mail on the page and not the password", async () => {
  const answer = await visitor(app.url).post("/login", {
    email: "vera@exemplo.com.br",
    password: "errada-errada",
  });
  const page = await answer.text();
  expect(answer.status).toBe(401);
  expect(page).toContain("E-mail ou senha incorretos");
  expect(page).toContain("vera@exemplo.com.br");
  expect(page).not.toContain("errada-errada");
});

test("an unconfirmed account is reported, only with the right password", async () => {
  await makeSeller({
    email: "nova-conta@exemplo.com.br",
    emailVerifiedAt: null,
    passwordHash: await hashPassword(PASSWORD),
  });
  const browser = visitor(app.url);
  const right = await browser.post("/login", { email: "nova-conta@exemplo.com.br", password: PASSWORD });
  expect(right.status).toBe(403);
  expect(await right.text()).toContain("Confirme seu e-mail antes de entrar");
  const wrong = await browser.post("/login", {
    email: "nova-conta@exemplo.com.br",
    password: "errada-errada",
  });
  expect(wrong.status).toBe(401);
  const api = await browser.json("/api/sessions", { email: "nova-conta@exemplo.com.br", password: PASSWORD });
  expect(api.status).toBe(403);
});

test("a stranger is sent to the login and back to the page with its query", async () => {
  const answer = await visitor(app.url).get("/settings?tab=seguranca");
  expect(answer.headers.get("location")).toBe(
    `/login?returnTo=${encodeURIComponent("/settings?tab=seguranca")}`,
  );
  const data = await visitor(app.url).get(
    "/settings.data?tab=seguranca&_routes=routes%2Fseller%2Fsettings%2Fsettings",
  );
  expect(await data.text()).toContain(encodeURIComponent("/settings?tab=seguranca"));
  expect((await visitor(app.url).get("/api/users/me")).status).toBe(401);
});

test("a signed-in seller does not see the login page", async () => {
  const { browser } = await signedIn();
  expect((await browser.get("/login")).headers.get("location")).toBe("/dashboard");
});

test("logging out ends the session on the server, by page and by API", async () => {
  for (const leave of ["page", "api", "api by POST"] as const) {
    const { browser } = await signedIn();
    const cookie = browser.cookies().find((pair) => pair.startsWith("sessao="))!;
    const answer =
      leave === "page"
        ? await browser.post("/logout", {})
        : leave === "api"
          ? await browser.get("/api/logout")
          : await browser.json("/api/logout", {});
    expect(answer.status).toBe(leave === "page" ? 302 : 200);
    const replay = await app.fetch("/api/users/me", { headers: { Cookie: cookie } });
    expect(replay.status).toBe(401);
  }
});

test("a sign-out that fails says so, to a browser and to a page's script, and the session goes on", async () => {
  const { browser } = await signedIn();
  const cookie = browser.cookies().find((pair) => pair.startsWith("sessao="))!;
  const hash = hashToken(JSON.parse(atob(decodeURIComponent(cookie.split("=")[1]!))));
  const held = await holdLock((tx) => tx`select 1 from sessions where token_hash = ${hash} for update`);
  const leave = (path: string, accept: string) =>
    app.fetch(path, { method: "POST", headers: { Cookie: cookie, Accept: accept } });
  const leaving = Promise.all([leave("/logout", "text/html"), leave("/logout.data", "*/*")]);
  await untilLockedOut(2);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const [page, data] = await leaving;
  await held.release();
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain("fora do ar");
  // What is not thrown is an answer for the router.
  expect(data.status).toBe(503);
  expect(await data.text()).toContain("ErrorResponse");
  for (const answer of [page, data]) expect(answer.headers.getSetCookie()).toEqual([]);
  expect((await app.fetch("/api/users/me", { headers: { Cookie: cookie } })).status).toBe(200);
});

test("no picture, style or frame signs out; a navigation and our own pages do", async () => {
  const fetchAs = (path: string, headers: Record<string, string>) => app.fetch(path, { headers });
  const { browser } = await signedIn();
  const Cookie = browser.cookies().join("; ");
  for (const path of ["/api/logout", "/logout"]) {
    for (const dest of ["image", "style", "script", "iframe", "object", "video", "font"]) {
      const own = { Cookie, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": dest };
      expect((await fetchAs(path, own)).status, `${path} ${dest}`).toBe(403);
    }
    const old = await fetchAs(path, { Cookie, Accept: "image/avif,image/webp,*/*;q=0.8" });
    expect(old.status).toBe(403);
  }
  expect((await fetchAs("/logout", { Cookie })).headers.get("location")).toBe("/");
  expect((await fetchAs("/api/users/me", { Cookie })).status).toBe(200);
  for (const headers of [
    { "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" },
    { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" },
  ]) {
    const { browser } = await signedIn();
    const Cookie = browser.cookies().join("; ");
    expect((await fetchAs("/api/logout", { Cookie, ...headers })).status).toBe(200);
    expect((await fetchAs("/api/users/me", { Cookie })).status).toBe(401);
  }
});

test("another site cannot log out, sign in or change anything", async () => {
  const { browser } = await signedIn();
  const Cookie = browser.cookies().join("; ");
  const foreign = { Cookie, "Sec-Fetch-Site": "cross-site" };
  const post = { method: "POST", headers: foreign };
  expect((await app.fetch("/api/logout", { headers: foreign })).status).toBe(403);
  expect((await app.fetch("/logout", post)).status).toBe(403);
  expect(
    (await app.fetch("/settings", { ...post, body: new URLSearchParams({ intent: "profile" }) })).status,
  ).toBe(403);
  expect((await app.fetch("/login", { ...post, body: new URLSearchParams({}) })).status).toBe(403);
  expect((await app.fetch("/theme", { ...post, body: new URLSearchParams({}) })).status).toBe(403);
  expect((await app.fetch("/api/sessions", { ...post, body: "{}" })).status).toBe(403);
  expect((await app.fetch("/api/users/me", { headers: { Cookie } })).status).toBe(200);
});

test("a session past its time opens nothing, and one in use lives on", async () => {
  const token = await openSession(seller.id, { ip: null, userAgent: null });
  expect(await findSession(token)).toMatchObject({ id: seller.id });
  await db
    .update(sessions)
    .set({ lastUsedAt: new Date(Date.now() - DAY), expiresAt: new Date(Date.now() + DAY) });
  await findSession(token);
  const [row] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.sellerId, seller.id))
    .orderBy(sessions.createdAt);
  expect(row).toBeDefined();
  await db.update(sessions).set({ expiresAt: new Date(Date.now() - 1) });
  expect(await findSession(token)).toBeNull();
});

test("the theme is on the first byte and remembered", async () => {
  const browser = visitor(app.url);
  expect(await (await browser.get("/login")).text()).not.toContain("data-theme");
  const chosen = await browser.post("/theme", { theme: "dark", returnTo: "/login?x=1" });
  expect(chosen.headers.get("location")).toBe("/login?x=1");
  expect(await (await browser.get("/login")).text()).toContain('data-theme="escuro"');
  await browser.post("/theme", { theme: "light", returnTo: "/login" });
  expect(await (await browser.get("/login")).text()).toContain('data-theme="claro"');
});

test("the front page leads a stranger to sign in or up, and a seller to the dashboard", async () => {
  const stranger = await (await visitor(app.url).get("/")).text();
  expect(stranger).toContain('href="/login"');
  expect(stranger).toContain('href="/register"');
  expect(stranger.replaceAll("<!-- -->", "")).toMatch(/© 2024–\d{4} Checkintelli/);
  const { browser } = await signedIn();
  const seller = await (await browser.get("/")).text();
  expect(seller).toContain('href="/dashboard"');
  expect(seller).not.toContain('href="/register"');
});

test("a post that is no form is refused, without an error in the log", async () => {
  const { browser } = await signedIn();
  const headers = { Cookie: browser.cookies().join("; "), "Content-Type": "application/json" };
  for (const path of [
    "/login",
    "/auth/start",
    "/register",
    "/confirm-email",
    "/forgot-password",
    "/reset-password/x",
    "/theme",
    "/settings",
    "/products",
    "/products/create",
  ]) {
    const answer = await app.fetch(path, { method: "POST", headers, body: "{}" });
    expect([path, answer.status]).toEqual([path, 400]);
  }
});

test("a page that cannot be shown states it in its title", async () => {
  const { browser } = await signedIn();
  const title = async (path: string) =>
    /<title>(.*?)<\/title>/.exec(await (await browser.get(path)).text())![1];
  for (const path of ["/nao-existe", "/products/999999/edit", "/products/abc/edit"])
    expect(await title(path)).toBe("Página não encontrada · Checkintelli");
  expect(await title("/products")).toBe("Produtos · Checkintelli");
});

longTest("on https every cookie is Secure", async () => {
  const https = await startApp({ worker: 0, sandbox: false, env: { APP_URL: "https://localhost:4443" } });
  const answers = await Promise.all([
    https.fetch("/api/sessions", {
      method: "POST",
      body: JSON.stringify({ email: "vera@exemplo.com.br", password: PASSWORD }),
    }),
    https.fetch("/api/oauth/google/redirect_url"),
    https.fetch("/auth/start", { method: "POST", body: new URLSearchParams() }),
    https.fetch("/theme", { method: "POST", body: new URLSearchParams({ theme: "dark" }) }),
  ]);
  const cookies = answers.flatMap((answer) => answer.headers.getSetCookie());
  expect(cookies).toHaveLength(5);
  for (const cookie of cookies) expect(cookie).toMatch(/;\s*Secure/i);
});

test("the session's cookie is renewed by use, as its row is, and not at every page", async () => {
  const { browser } = await signedIn();
  const renewed = (answer: Response) =>
    answer.headers.getSetCookie().filter((line) => /^(sessao|conta)=/.test(line));
  expect(renewed(await browser.get("/settings"))).toHaveLength(2);
  const token = browser.cookies().find((pair) => pair.startsWith("sessao="))!;
  expect(renewed(await browser.get("/settings"))).toEqual([]);

  // The browser's dashboard cookie is two days old.
  const at = Date.now() - 2 * DAY;
  const old = cookieValue(seal(JSON.stringify({ account: seller.id, at })));
  const answer = await visitor(app.url, { Cookie: `${token}; conta=${old}` }).get("/settings");
  expect(answer.status).toBe(200);
  const lines = renewed(answer);
  expect(lines.map((line) => line.split("=")[0])).toEqual(["conta", "sessao"]);
  expect(lines[1]?.startsWith(`${token}; Max-Age=${(30 * DAY) / 1000};`)).toBe(true);
});

/** As Remix writes a cookie's value. */
function cookieValue(value: string): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(value)).toString("base64"));
}
