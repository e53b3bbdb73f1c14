import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import { sign } from "#app/platform/secrets.server.ts";
import { limitHeaders } from "#app/server/limits/limit-headers.server.ts";
import { resetTarget, throttle } from "#app/server/limits/throttle.server.ts";
import { withVersion } from "#tests/integration/identity/form-version.ts";
import { passwordHash } from "#tests/integration/identity/signed-in-ago.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ web: 2, worker: 0, sandbox: false });
});

function signIn(email: string, password: string, more: { url?: string; ip?: string } = {}) {
  return fetch(`${more.url ?? app.url}/api/sessions`, {
    method: "POST",
    headers: { "X-Forwarded-For": more.ip ?? "203.0.113.1" },
    body: JSON.stringify({ email, password }),
  });
}

/** As if each client that made an attempt at an address had made so many more: each costs a hash, a page or a mail. */
const countMore = (target: string, attempts: number) =>
  sql`update throttles set points = points + ${attempts} where key like ${`%:${sign(target)}%`}`;

test("ten wrong passwords block an address for their client, in every process, with the time to wait", async () => {
  const seller = await makeSeller({ passwordHash });
  const guess = async (at: number) =>
    expect((await signIn(seller.email, "errada-errada", { url: app.web[at]!.url })).status).toBe(401);
  for (const at of [0, 1]) await guess(at);
  await countMore(seller.email, 6);
  for (const at of [0, 1]) await guess(at);
  for (const { url } of app.web) {
    const closed = await signIn(seller.email, "senha-de-teste-1", { url });
    expect(closed.status).toBe(429);
    expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(600);
    expect(((await closed.json()) as { error: string }).error).toMatch(
      /^Muitas tentativas\. Tente de novo em 1\d minutos\.$/,
    );
  }
  const page = await fetch(`${app.url}/login`, {
    method: "POST",
    headers: { "X-Forwarded-For": "203.0.113.1" },
    body: new URLSearchParams({ email: seller.email, password: "senha-de-teste-1" }),
  });
  expect([page.status, page.headers.has("retry-after")]).toEqual([429, true]);
  const text = await page.text();
  expect(text).toContain("Muitas tentativas");
  expect(text).toContain(`value="${seller.email}"`);
  expect((await signIn(seller.email, "senha-de-teste-1", { ip: "203.0.113.2" })).status).toBe(200);
});

/** As if that many attempts had just been counted. */
const alreadyCounted = (key: string, attempts: number) =>
  sql`insert into throttles (key, points, expire) values (${key}, ${attempts}, ${Date.now() + 10 * MINUTE})`;

const requestFrom = (ip: string) =>
  new Request("http://localhost/", { headers: { "X-Forwarded-For": ip, "X-Socket-Address": ip } });

test("a client over its limit is refused without a statement, and one below it is not", async () => {
  const ip = "203.0.113.90";
  await alreadyCounted(`sign-in/client:${ip}`, 98);
  const attempt = async () => {
    const request = requestFrom(ip);
    const outcome = await throttle("sign-in", request, randomUUID()).then(
      () => "counted",
      ({ kind }) => kind,
    );
    return [outcome, limitHeaders(request)["RateLimit-Remaining"]];
  };
  expect([await attempt(), await attempt()]).toEqual([
    ["counted", "1"],
    ["counted", "0"],
  ]);
  expect(await attempt()).toEqual(["too-many", "0"]);
  const { result, count } = await countStatements(attempt);
  expect([result, count]).toEqual([["too-many", "0"], 0]);
});

test("what is counted, forgiven after a success and taken back after a refusal, with a pair and without", async () => {
  const ip = "203.0.113.91";
  const target = randomUUID();
  const counts = async (kind: string) => {
    const keys = {
      client: `client:${ip}`,
      pair: `pair:${sign(target)}/${ip}`,
      target: `target:${sign(target)}`,
    };
    const rows = await sql<{ key: string; points: number }[]>`select key, points from throttles`;
    const points = (key: string) => rows.find((row) => row.key === `${kind}/${key}`)?.points ?? null;
    return Object.values(keys).map(points);
  };
  const attempt = async (kind: "sign-in" | "register") => {
    const request = requestFrom(ip);
    return { ...(await throttle(kind, request, target)), headers: limitHeaders(request) };
  };
  await attempt("sign-in");
  await attempt("sign-in");
  const refused = await attempt("sign-in");
  expect(refused.headers).toMatchObject({ "RateLimit-Limit": "10", "RateLimit-Remaining": "7" });
  expect(await counts("sign-in")).toEqual([3, 3, 3]);
  await refused.takeBack();
  expect(await counts("sign-in")).toEqual([3, 2, 2]);
  await (await attempt("sign-in")).forgive();
  expect(await counts("sign-in")).toEqual([3, null, 2]);
  await attempt("sign-in");
  await resetTarget("sign-in", target);
  expect(await counts("sign-in")).toEqual([4, null, null]);

  await attempt("register");
  const easy = await attempt("register");
  expect(easy.headers).toMatchObject({ "RateLimit-Limit": "5", "RateLimit-Remaining": "3" });
  await easy.takeBack();
  expect(await counts("register")).toEqual([2, null, 1]);
  await (await attempt("register")).forgive();
  expect(await counts("register")).toEqual([2, null, null]);
});

test("an address that many clients guess at stays open to its owner", async () => {
  const seller = await makeSeller({ passwordHash });
  await alreadyCounted(`sign-in/target:${sign(seller.email)}`, 98);
  const guess = async (ip: string, count: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++)
      statuses.push((await signIn(seller.email, "errada-errada", { ip })).status);
    return statuses;
  };
  expect(await guess("198.51.100.1", 4)).toEqual([401, 401, 401, 429]);
  expect(await guess("198.51.100.2", 4)).toEqual([401, 401, 401, 429]);
  expect((await signIn(seller.email, "senha-de-teste-1", { ip: "203.0.113.3" })).status).toBe(200);
});

test("a new password by mail lets its owner in again, on every device", async () => {
  const seller = await makeSeller({ passwordHash });
  const devices = ["203.0.113.20", "2001:db8:7:8::1"];
  const guesses = async () => {
    const all = devices.map((ip) => signIn(seller.email, "errada-errada", { ip }));
    return (await Promise.all(all)).map(({ status }) => status);
  };
  expect(await guesses()).toEqual([401, 401]);
  await countMore(seller.email, 9);
  expect(await guesses()).toEqual([429, 429]);
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const passwords = { password: "senha-outra-2", confirmPassword: "senha-outra-2" };
  const reset = await app.fetch(`/reset-password/${token}`, {
    method: "POST",
    body: new URLSearchParams(passwords),
  });
  expect(reset.headers.get("location")).toBe("/login");
  for (const ip of devices) {
    const wrong = await signIn(seller.email, "errada-errada", { ip });
    expect([ip, wrong.status]).toEqual([ip, 401]);
    expect((await signIn(seller.email, "senha-outra-2", { ip })).status).toBe(200);
  }
});

test("guesses sent at once count as if sent one after the other", async () => {
  const email = `${randomUUID()}@exemplo.com.br`;
  const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(email, "errada-errada")));
  expect(answers.filter((a) => a.status === 401)).toHaveLength(10);
});

test("signing in resets the counted failures", async () => {
  const seller = await makeSeller({ passwordHash });
  for (let round = 0; round < 2; round++) {
    expect((await signIn(seller.email, "errada-errada")).status).toBe(401);
    await countMore(seller.email, 8);
    expect((await signIn(seller.email, "senha-de-teste-1")).status).toBe(200);
  }
});

test("one client is blocked although it tries many addresses, in every process", async () => {
  const ip = "203.0.113.50";
  await alreadyCounted(`sign-in/client:${ip}`, 90);
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, i) =>
      signIn(`${randomUUID()}@exemplo.com.br`, "errada-errada", { ip, url: app.web[i % 2]!.url }),
    ),
  );
  expect(answers.filter((a) => a.status === 401)).toHaveLength(10);
  expect(answers.filter((a) => a.status === 429)).toHaveLength(5);
  // From memory by now, and still with the time to wait.
  const again = await signIn(`${randomUUID()}@exemplo.com.br`, "errada-errada", { ip });
  expect(again.status).toBe(429);
  expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(500);
});

test("a line's IPv6 addresses are one client", async () => {
  const ask = async (last: number) => {
    const answer = await app.fetch("/forgot-password", {
      method: "POST",
      headers: { "X-Forwarded-For": `2001:db8:1:2::${last}` },
      body: new URLSearchParams({ email: `${randomUUID()}@exemplo.com.br` }),
    });
    return answer.status;
  };
  expect(await ask(1)).toBe(200);
  await sql`update throttles set points = 27 where key like '%/client:2001:db8:1:2%'`;
  expect((await Promise.all([2, 3, 4, 5, 6].map(ask))).sort()).toEqual([200, 200, 200, 429, 429]);
});

test("many sign-ins at once are answered, or asked to retry later", async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      signIn(`multidao-${i}@exemplo.com.br`, "errada-errada", { ip: `198.51.101.${i}` }),
    ),
  );
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([401, 503]));
  const refused = answers.find((a) => a.status === 503)!;
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(((await refused.json()) as { error: string }).error).toContain("Tente de novo em 5 segundos");
});

test.each(["/forgot-password", "/confirm-email", "/thank-you", "/minhas-compras", "/reembolso"])(
  "%s sends five mails an hour to one address, and keeps what was typed",
  async (path) => {
    const email = `${randomUUID()}@exemplo.com.br`;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(app.url + path, { method: "POST", body: new URLSearchParams({ email }) });
      statuses.push(answer.status);
      if (answer.status === 429) expect(await answer.text()).toContain(`value="${email}"`);
      if (i === 0) await countMore(email, 3);
    }
    expect(statuses).toEqual([200, 200, 429]);
  },
);

test("test mails to foreign addresses have a lower limit than to one's own, on every screen", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const to = `vizinha-${randomUUID()}@exemplo.com.br`;
  const send = async (test_email: string, way: number) => {
    const body = new URLSearchParams({ intent: way % 2 ? "test" : "test-email", test_email });
    if (way % 3 === 2)
      return app.fetch("/api/test/email", { method: "POST", headers, body: JSON.stringify({ test_email }) });
    return app.fetch(way % 2 ? "/settings/email" : "/settings", { method: "POST", headers, body });
  };
  const statuses: number[] = [];
  for (let way = 0; way < 9; way++) statuses.push((await send(to, way)).status);
  expect(statuses.indexOf(429)).toBe(5);
  expect(statuses.slice(5)).toEqual([429, 429, 429, 429]);
  expect((await send(seller.email, 1)).status).not.toBe(429);
});

test("registration is counted by address", async () => {
  const body = JSON.stringify({
    name: "Nina",
    email: `${randomUUID()}@exemplo.com.br`,
    password: "senha-nova-1",
  });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++)
    statuses.push((await fetch(`${app.url}/api/auth/register`, { method: "POST", body })).status);
  expect(statuses).toEqual([201, 409, 409, 409, 409, 429]);
});

describe("an easy password is refused without being counted, so a better one is accepted at once", () => {
  const EASY = "12345678";
  const HARD = "quatro cavalos de papel";
  const refuse = async (post: (password: string) => Promise<Response>) => {
    const refused = await post(EASY);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("fácil de adivinhar");
  };
  /** With one attempt left a second refusal, if it counted, would leave none. */
  const refuseOften = async (
    post: (password: string) => Promise<Response>,
    target: string,
    limit: number,
  ) => {
    await refuse(post);
    await countMore(target, limit - 1);
    await refuse(post);
  };

  test.each(["/register", "/api/auth/register"])("at %s", async (path) => {
    const email = `${randomUUID()}@exemplo.com.br`;
    const register = (password: string) => {
      const fields = { name: "Nina", email, password, confirmPassword: password };
      const body = path.startsWith("/api/") ? JSON.stringify(fields) : new URLSearchParams(fields);
      return app.fetch(path, { method: "POST", body });
    };
    await refuseOften(register, email, 5);
    expect((await register(HARD)).ok).toBe(true);
    expect(await sql`select from sellers where email = ${email}`).toHaveLength(1);
  });

  test("at a change of password", async () => {
    const currentPassword = "senha-de-teste-1";
    const seller = await makeSeller({ passwordHash });
    const headers = { ...(await signedIn(seller)), "X-Forwarded-For": "203.0.113.77" };
    const change = (password: string) => {
      const fields = { intent: "password", currentPassword, password, confirmPassword: password };
      return app.fetch("/settings", { method: "POST", headers, body: new URLSearchParams(fields) });
    };
    await refuseOften(change, `password-change/${seller.id}`, 10);
    expect((await change(HARD)).status).toBe(302);
  });
});

describe("an attempt that a busy server refuses is not counted against its account", () => {
  const password = "quatro cavalos de papel";
  /** More at once than may wait for a password to be computed. */
  const crowd = () =>
    Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        signIn(`${randomUUID()}@exemplo.com.br`, "errada-errada", { ip: `198.51.102.${i}` }),
      ),
    );
  type Attempt = { target: string; send: () => Promise<Response> };
  /** Attempts, each at another target and in a crowd, until one is refused. @returns what is counted of it */
  const countRefused = (prepare: () => Promise<Attempt>) =>
    until(async () => {
      const { target, send } = await prepare();
      const others = crowd();
      const { status } = await send();
      await others;
      if (status !== 503) return null;
      return sql<{ points: number }[]>`select points from throttles where key like ${`%:${sign(target)}%`}`;
    });
  const ip = { "X-Forwarded-For": "203.0.113.78" };
  const register = async (path: string): Promise<Attempt> => {
    const target = `${randomUUID()}@exemplo.com.br`;
    const fields = { name: "Nina", email: target, password, confirmPassword: password };
    const body = path.startsWith("/api/") ? JSON.stringify(fields) : new URLSearchParams(fields);
    return { target, send: () => app.fetch(path, { method: "POST", headers: ip, body }) };
  };
  const change = async (path: string): Promise<Attempt> => {
    const seller = await makeSeller({ passwordHash });
    const headers = { ...(await signedIn(seller)), ...ip };
    const passwords = { currentPassword: "senha-de-teste-1", password, confirmPassword: password };
    const body = new URLSearchParams({ intent: "password", ...passwords });
    const send = () => app.fetch(path, { method: "POST", headers, body });
    return { target: `password-change/${seller.id}`, send };
  };

  test.each([
    ["/register", register],
    ["/api/auth/register", register],
    ["/settings", change],
  ])("at %s", async (path, attempt) => {
    const counted = await countRefused(() => attempt(path));
    expect(counted.filter(({ points }) => points > 0)).toEqual([]);
  });
});

test("a change of address that is refused as outdated is not counted, as it sends no mail", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const save = (fields: Record<string, string>) =>
    app.fetch("/settings", { method: "POST", headers, body: new URLSearchParams(fields) });
  const profile = { intent: "profile", name: "Vera", email: `${randomUUID()}@exemplo.com.br` };
  for (let i = 0; i < 6; i++) expect((await save({ ...profile, version: "outdated" })).status).toBe(409);
  const current = await withVersion((page) => app.fetch(page, { headers }), profile);
  expect((await save(current)).status).toBe(302);
});

test("the table of counts holds no address", async () => {
  const rows = await sql<{ key: string }[]>`select key from throttles`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => row.key.includes("@"))).toEqual([]);
});
