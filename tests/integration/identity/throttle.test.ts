import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

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

test("ten wrong passwords close an address for a while, in every process, and say for how long", async () => {
  const email = `${randomUUID()}@exemplo.com.br`;
  for (let i = 0; i < 10; i++)
    expect((await signIn(email, "errada-errada", { url: app.web[i % 2]!.url })).status).toBe(401);
  for (const { url } of app.web) {
    const closed = await signIn(email, "errada-errada", { url, ip: "203.0.113.2" });
    expect(closed.status).toBe(429);
    expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(600);
    expect(((await closed.json()) as { error: string }).error).toMatch(
      /^Muitas tentativas\. Tente de novo em 1\d minutos\.$/,
    );
  }
  const page = await fetch(`${app.url}/login`, {
    method: "POST",
    body: new URLSearchParams({ email, password: "errada-errada" }),
  });
  expect([page.status, page.headers.has("retry-after")]).toEqual([429, true]);
  expect(await page.text()).toContain("Muitas tentativas");
});

test("guesses sent at once count as if sent one after the other", async () => {
  const email = `${randomUUID()}@exemplo.com.br`;
  const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(email, "errada-errada")));
  expect(answers.filter((a) => a.status === 401)).toHaveLength(10);
});

test("signing in forgives what went wrong before", async () => {
  const seller = await makeSeller({ passwordHash: await hashPassword("senha-de-teste-1") });
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 9; i++) expect((await signIn(seller.email, "errada-errada")).status).toBe(401);
    expect((await signIn(seller.email, "senha-de-teste-1")).status).toBe(200);
  }
});

test("one client is stopped although it tries many addresses", async () => {
  const ip = "203.0.113.50";
  const statuses: number[] = [];
  for (let batch = 0; batch < 11; batch++) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => signIn(`${randomUUID()}@exemplo.com.br`, "errada-errada", { ip })),
    );
    statuses.push(...answers.map((a) => a.status));
  }
  expect(statuses.filter((s) => s === 401)).toHaveLength(100);
  expect(statuses.filter((s) => s === 429)).toHaveLength(10);
});

test.each(["/forgot-password", "/confirm-email"])(
  "%s sends five mails an hour to one address",
  async (path) => {
    const email = `${randomUUID()}@exemplo.com.br`;
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const answer = await fetch(app.url + path, { method: "POST", body: new URLSearchParams({ email }) });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  },
);

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

test("the table of counts holds no address", async () => {
  const rows = await sql<{ key: string }[]>`select key from throttles`;
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => row.key.includes("@"))).toEqual([]);
});
