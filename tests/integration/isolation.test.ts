import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { type Attempt, isolation, makeThings, type Things } from "#tests/integration/isolation-table.ts";
import { keyNeeds } from "#tests/integration/key-needs.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call, type RouteModule } from "#tests/support/routes/call.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

const guarded = (await routeTable()).filter((route) => /^routes\/(seller|api)\//.test(route.file));

let a: Things;
let b: Things;
let cookie: Record<string, string>;
/** Rows that are not A's, as they were before A began. */
let before: Set<string>;
/** The statement that reads them. */
let everyRow: string | undefined;
/** What reveals B in an answer. */
let traces: string[];

beforeAll(async () => {
  a = await makeThings("Ana");
  b = await makeThings("Alheia");
  cookie = await signedIn(a.seller);
  before = await rowsOfOthers();
  traces = ["Alheia", b.seller.email, b.sale.customerEmail, b.key, b.coupon.code];
});

test("every route of the dashboard and the API has a row in the table, and every row a route", () => {
  const rows = Object.keys(isolation);
  const addresses = guarded.map((route) => route.address);
  expect({
    withoutRow: addresses.filter((address) => !rows.includes(address)),
    withoutRoute: rows.filter((address) => !addresses.includes(address)),
  }).toEqual({ withoutRow: [], withoutRoute: [] });
});

const attempted = guarded.flatMap((route) => {
  const row = isolation[route.address];
  return typeof row === "function" ? [{ ...route, row }] : [];
});

describe.each(attempted)("$address", ({ address, file, row }) => {
  const isPage = file.startsWith("routes/seller/");

  test("shows and changes nothing of another seller", async () => {
    const route = await load(file);
    for (const attempt of row(b, a)) {
      await expectNothingOf(await request(route, address, attempt, cookie), attempt);
      if (isPage) continue;
      const bearer = { Authorization: `Bearer ${a.key}` };
      await expectNothingOf(await request(route, address, attempt, bearer), attempt);
    }
  });

  test("asks a stranger to sign in", async () => {
    const route = await load(file);
    for (const attempt of row(b, a)) {
      const answer = await request(route, address, attempt, {});
      const sentToLogin = answer.status === 302 && answer.headers.get("location")?.startsWith("/login");
      expect(answer.status === 401 || (isPage && sentToLogin), `${labelOf(attempt)} ${answer.status}`).toBe(
        true,
      );
      expect(await changes(), labelOf(attempt)).toEqual([]);
    }
  });
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const keys = new Map<string, string>();

beforeAll(async () => {
  const seller = await makeSeller();
  for (const left of [...SCOPES, null]) {
    const scopes = SCOPES.filter((scope) => scope !== left);
    keys.set(`all but ${left}`, await createApiKey(seller.id, { name: `sem ${left}`, scopes }));
  }
});

/** A request with nothing in it. */
function send(route: RouteModule, address: string, method: string, headers: Record<string, string> = {}) {
  const attempt = {
    method: method as NonNullable<Attempt["method"]>,
    ...(method === "GET" ? {} : { json: {} }),
  };
  return request(route, address, attempt, headers);
}

/** The methods of a route that need to know the seller. */
async function guardedMethods(route: RouteModule, address: string): Promise<string[]> {
  const methods: string[] = [];
  for (const method of METHODS) if ((await send(route, address, method)).status === 401) methods.push(method);
  return methods;
}

test("every method that needs the seller declares what a key needs for it", async () => {
  const found: Record<string, string[]> = {};
  for (const { file, address } of guarded) {
    const methods = await guardedMethods(await load(file), address);
    // Signing in answers 401 to an invalid sign-in.
    if (methods.length > 0 && address !== "/api/sessions") found[address] = methods;
  }
  const declared = Object.fromEntries(Object.entries(keyNeeds).map(([at, by]) => [at, Object.keys(by)]));
  expect(found).toEqual(declared);
});

const needs = Object.entries(keyNeeds).flatMap(([address, by]) =>
  Object.entries(by).map(([method, need]) => ({ address, method, need })),
);

describe.each(needs)("$method $address", ({ address, method, need }) => {
  const { file } = guarded.find((route) => route.address === address) ?? { file: "" };

  test(`accepts a key for ${need} only`, async () => {
    const route = await load(file);
    const before = await sql`select count(*)::int as n from products`;
    for (const left of [...SCOPES, null]) {
      const bearer = { Authorization: `Bearer ${keys.get(`all but ${left}`)}` };
      const answer = await send(route, address, method, bearer);
      const { code } = (await answer.json().catch(() => ({}))) as { code?: string };
      const refused = need === "session" ? "session_required" : left === need ? "scope_required" : undefined;
      expect([left, code], `without ${left}`).toEqual([left, refused]);
      if (refused) expect(answer.status).toBe(403);
    }
    expect(await sql`select count(*)::int as n from products`).toEqual(before);
  });
});

async function expectNothingOf(answer: Response, attempt: Attempt): Promise<void> {
  const { answers = 404 } = attempt;
  const text = await answer.text();
  const changed = await changes();
  if (answers === "any") expect(answer.status, labelOf(attempt)).toBeLessThan(500);
  else expect(answer.status, `${labelOf(attempt)} ${text}`).toBe(answers);
  for (const trace of traces) expect(text, labelOf(attempt)).not.toContain(trace);
  expect(changed, labelOf(attempt)).toEqual([]);
}

async function load(file: string): Promise<RouteModule> {
  return import(/* @vite-ignore */ pathToFileURL(resolve("app", file)).href);
}

function request(
  route: RouteModule,
  address: string,
  { method = "GET", params = {}, query = "", json, form }: Attempt,
  headers: Record<string, string>,
): Promise<Response> {
  const path = address.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "-") + query;
  const body = form ? new URLSearchParams(form) : json;
  return call(route, path, { method, params, headers, body });
}

/** Rows of others that changed, and new ones that name B; each is reported once. */
async function changes(): Promise<string[]> {
  const now = await rowsOfOthers();
  const ids = [b.seller.id, b.sale.id, b.apiKeyId, b.sessionId];
  const was = before;
  before = now;
  return [
    ...[...was].filter((row) => !now.has(row)).map((row) => `gone: ${row}`),
    ...[...now]
      .filter((row) => !was.has(row) && ids.some((id) => row.includes(id)))
      .map((row) => `new: ${row}`),
  ];
}

/** Every row of every table that does not name A, as text. Rate-limit counters belong to no seller. */
async function rowsOfOthers(): Promise<Set<string>> {
  everyRow ??= await selectEveryRow();
  // Prepared: planning it takes several times as long as running it.
  const rows = await sql.unsafe<{ row: string }[]>(everyRow, [], { prepare: true });
  return new Set(rows.map(({ row }) => row).filter((row) => !row.includes(a.seller.id)));
}

async function selectEveryRow(): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'throttles' order by 1`;
  const each = tables.map(({ name }) => `select '${name} ' || to_jsonb(r)::text as row from "${name}" r`);
  return each.join(" union all ");
}

function labelOf(attempt: Attempt): string {
  return JSON.stringify(attempt);
}
