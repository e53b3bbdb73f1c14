import { beforeAll, expect, test } from "vitest";
import {
  allForms,
  filled,
  type OddRequest,
  pathsOf,
  queryNames,
  replacedAt,
  sessionFor,
} from "#tests/integration/outside/odd-requests.ts";
import { openOddShop, type Shop } from "#tests/integration/outside/odd-shop.ts";
import { type App, startApp } from "#tests/support/app.ts";
import type { PageForm } from "#tests/support/clients/page-forms.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { EVERY_WAY, everyNth, oneOf, twoOf } from "#tests/support/run/ways.ts";
import { dataAddress, isData, type Leaf, readAnswer, valuesIn } from "#tests/unit/server/single-fetch.ts";

/**
 * Advisories that stay open in Remix 2 (docs/decisions/leaving-remix.md), each guarded by our own code.
 * `turbo-stream`'s encoder recurses for each level of a value (CVE-2026-34077); its decoder, in the browser, creates
 * what a stream names (CVE-2026-42211), and so does Remix with errors (CVE-2026-53666).
 */

/** In all that is sent here, and in nothing of ours. */
const WORD = "palavra-alheia";
/** Ten times what the encoder supports. */
const DEEP = 10_000;
/** No answer of ours has values further inside. */
const DEEPEST = 12;
/** Tokens of the stream's own format: references, an error of any class, promises, a redirect, lines of their own. */
const WIRE = [
  `[{"_1":2},"${WORD}",["P",3],["Z",0]]`,
  `["E","${WORD}","Function"]`,
  `["SanitizedError","Function","${WORD}","x"]`,
  `["SingleFetchRedirect",{"redirect":"//${WORD}.example","status":302}]`,
  `["D",4242424242,"${WORD}"]`,
  `"]\nP1:[["Z",0]]\nE1:["E","${WORD}"]\n`,
  `{"__proto__":{"${WORD}":1},"__type":"Error","__subType":"Function"}`,
];
const FORM = "application/x-www-form-urlencoded";
/** Other sites, and how they are written so that a rule for paths lets them through. */
const ELSEWHERE = [
  `https://${WORD}.example/a`,
  `//${WORD}.example`,
  `/\\${WORD}.example`,
  `\\\\${WORD}.example`,
  `/\t/${WORD}.example`,
  `/.//${WORD}.example`,
  `/a/..//${WORD}.example`,
  `/%09/${WORD}.example`,
  `javascript:alert("${WORD}")`,
];
const DEEP_JSON = `${'{"a":'.repeat(DEEP)}"${WORD}"${"}".repeat(DEEP)}`;
const DEEP_LISTS = `${"[".repeat(DEEP)}"${WORD}"${"]".repeat(DEEP)}`;

let app: App;
let shop: Shop;
let pid: number | undefined;
let forms: PageForm[];

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  pid = app.web[0]!.pid;
  shop = await openOddShop();
  forms = await allForms(app, shop);
});

test("form fields in the stream's format are returned as text, and deep values are not returned", async () => {
  expect(forms.length).toBeGreaterThan(60);
  const echoes = await expectHeld(forms.flatMap(hostileForms));
  const texts = new Set(echoes.map(({ text }) => text));
  // Each form is sent one of three bodies, unless in every way.
  expect(new Set(echoes.map(({ path }) => path)).size).toBeGreaterThan(EVERY_WAY ? 30 : 10);
  for (const text of WIRE.filter((one) => !one.includes("\n"))) expect(texts).toContain(text);
});

test("likewise in the address of every route", async () => {
  const rows = everyNth(4, await routes());
  const names = queryNames();
  const queries = WIRE.map((_, shift) =>
    names.map((name, at) => `${name}=${encodeURIComponent(WIRE[(at + shift) % WIRE.length]!)}`).join("&"),
  );
  const requestedAddress = ["__proto__,constructor,root", `${WORD},`.repeat(500)].map(
    (ids) => `_routes=${ids}`,
  );
  await expectHeld(
    rows.flatMap(({ address }, row) => {
      const path = dataAddress(filled(address, shop.params));
      const oddRequest = (query: string, init: RequestInit) => ({
        what: `${address}?${query.slice(0, 40)}`,
        path: `${path}?${query}`,
        init,
      });
      const query = queries[row % queries.length]!;
      return [
        oddRequest(query, {}),
        oddRequest(query, as(address)),
        oddRequest(requestedAddress[row % 2]!, as(address)),
      ];
    }),
  );
});

test("likewise in a body sent to any route", async () => {
  const rows = everyNth(4, await routes(), 2);
  const bodies = [
    ["text/x-script", `[${WIRE.join(",")}]`],
    ["application/json", DEEP_JSON],
    [FORM, `a=${encodeURIComponent(WIRE[0]!)}&b=${DEEP_LISTS}`],
  ] as const;
  const toRoutes = rows.flatMap(({ address }) =>
    bodies.map(([type, body]) =>
      posted(address, `${type} for ${address}`, dataAddress(filled(address, shop.params)), type, body),
    ),
  );
  const toApi = Object.entries(apiBodies).flatMap(([row, body]) => {
    const [method = "", address = ""] = row.split(" ");
    const path = filled(address, shop.params);
    return pathsOf(body).flatMap((target, at) => {
      const json = [DEEP_LISTS, JSON.stringify(WIRE[at % WIRE.length]), nested(38)][at % 3]!;
      const what = `${target.join(".")} of ${row}`;
      const sent = replacedAt(body, target, json);
      return oneOf([path, dataAddress(path)], at).map((to) =>
        posted(address, `${what} for ${to}`, to, "application/json", sent, method),
      );
    });
  });
  await expectHeld([...toRoutes, ...toApi]);
});

test("no answer leads to another site, whatever redirect a request names", async () => {
  const rows = (await routes()).filter(({ file }) => !file.startsWith("routes/api/"));
  const names = queryNames();
  const oddRequest = (address: string, target: string, init: RequestInit): OddRequest => {
    const query = names.map((name) => `${name}=${encodeURIComponent(target)}`).join("&");
    return { what: `${target} at ${address}`, path: `${filled(address, shop.params)}?${query}`, init };
  };
  const inits = (address: string) => [{}, as(address)];
  const once = await expectHere(
    rows.flatMap(({ address }, at) =>
      inits(address).map((init) => oddRequest(address, ELSEWHERE[at % ELSEWHERE.length]!, init)),
    ),
  );
  // Routes that react to the parameter are tested with every target.
  const using = rows.filter(({ address }) => once.some(({ what }) => what.endsWith(` at ${address}`)));
  expect(using.length).toBeGreaterThan(5);
  const goingOn = forms.filter(({ fields }) => fields.some(([name]) => name === "returnTo"));
  expect(goingOn.length).toBeGreaterThan(1);
  await expectHere([
    ...using.flatMap(({ address }, nth) =>
      twoOf(ELSEWHERE, nth).flatMap((target) =>
        inits(address).map((init) => oddRequest(address, target, init)),
      ),
    ),
    ...goingOn.flatMap((form) =>
      ELSEWHERE.map((target) => {
        const fields = form.fields.map(([name, value]) => [name, name === "returnTo" ? target : value]);
        return posted(
          form.action,
          `${target} in a form of ${form.page}`,
          form.action,
          FORM,
          String(new URLSearchParams(fields)),
        );
      }),
    ),
  ]);
});

test("no route manifest is requested here, so none is built", async () => {
  const many = Array.from({ length: 300 }, (_, at) => `p=/a/${at}/b/c/d`).join("&");
  for (const path of ["/__manifest", `/__manifest?version=x&${many}`])
    expect((await app.fetch(path)).status).toBe(404);
});

/** Every address except those that stream for as long as the client listens. */
async function routes() {
  const rows = (await routeTable()).filter(({ address }) => !address.endsWith("/events"));
  expect(rows.length).toBeGreaterThan(100);
  return rows;
}

/**
 * A form with the stream's tokens in each field; with names deeper than a value may be; with the form library's own
 * fields.
 */
function hostileForms(form: PageForm, at: number): OddRequest[] {
  const isOurs = (name: string) => /^(intent|version|held|form)$/.test(name);
  const fields = form.fields.map(([name, value], i): [string, string] => [
    name,
    isOurs(name) ? value : WIRE[(at + i) % WIRE.length]!,
  ]);
  const first = form.fields.find(([name]) => !isOurs(name))?.[0] ?? "name";
  const deepNames: [string, string][] = [
    [`${first}${".a".repeat(DEEP)}`, WORD],
    [`${WORD}${"[0]".repeat(DEEP / 10)}`, WORD],
    [`__proto__[${WORD}]`, WORD],
    [`${first}[0].__proto__.a`, WORD],
    [`constructor.prototype.${WORD}`, WORD],
    ["__state__", DEEP_LISTS],
  ];
  const update = `{"type":"update","payload":{"name":"${first}","value":${DEEP_LISTS}}}`;
  const bodies: [string, [string, string][]][] = [
    ["the stream's words", fields],
    ["deep names", [...fields, ...deepNames]],
    ["a deep intent", [...fields, ["__intent__", update]]],
  ];
  const sent = EVERY_WAY ? bodies : [bodies[at % bodies.length]!];
  return sent.flatMap(([what, body]) =>
    oneOf([form.action, dataAddress(form.action)], Math.floor(at / bodies.length)).map((path) =>
      posted(
        form.action,
        `${what} in a form of ${form.page} for ${path}`,
        path,
        FORM,
        String(new URLSearchParams(body)),
      ),
    ),
  );
}

function posted(address: string, what: string, path: string, type: string, body: string, method = "POST") {
  const { headers } = as(address);
  return {
    what,
    path,
    init: { method, body, headers: { ...headers, "Content-Type": type, "Sec-Fetch-Site": "same-origin" } },
  };
}

function as(address: string) {
  return { headers: { Cookie: sessionFor(address, shop) } };
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}"${WORD}"${"}".repeat(levels)}`;
}

/** A text that was sent, as the answer to a path has it. */
type Echo = { path: string; text: string };

/**
 * Sends requests and expects each answer to be whole and no failure, and that none of its values, as a browser
 * decodes them, was created by what was sent. Returns our texts that came back.
 */
async function expectHeld(requests: OddRequest[]): Promise<Echo[]> {
  const echoes: Echo[] = [];
  const wrong: string[] = [];
  await side(requests, async ({ what, path, init }) => {
    try {
      const answer = await app.fetch(path, init);
      if (answer.status >= 500) wrong.push(`${what}: ${answer.status}`);
      const values = await readAnswer(answer);
      // The data that a page's scripts decode comes from here: they may call no other site.
      const policy = answer.headers.get("content-security-policy") ?? "";
      if (values !== null && !isData(answer) && !policy.includes("connect-src 'self';"))
        wrong.push(`${what}: a page that asks anywhere`);
      for (const leaf of valuesIn(values)) {
        const problem = problemOf(leaf);
        if (problem) wrong.push(`${what}: ${problem} at ${leaf.way.join(".").slice(0, 200)}`);
        if (typeof leaf.value === "string" && leaf.value.includes(WORD))
          echoes.push({ path, text: leaf.value });
      }
    } catch (error) {
      wrong.push(`${what}: ${String((error as Error).cause ?? error)}`);
    }
  });
  expect(wrong).toEqual([]);
  expect(app.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(({} as Record<string, unknown>)[WORD]).toBeUndefined();
  expect(app.web[0]).toMatchObject({ pid, running: true });
  expect((await app.fetch("/readyz")).status).toBe(200);
  return echoes;
}

/**
 * Sends requests and expects every redirect, link and form address of each answer to be on this site. Returns the
 * requests whose answer leads where they asked.
 */
async function expectHere(requests: OddRequest[]): Promise<OddRequest[]> {
  const using = new Set<OddRequest>();
  const wrong: string[] = [];
  await side(requests, async (request) => {
    const answer = await app.fetch(request.path, request.init);
    const html = await answer.text();
    const written = [...html.matchAll(/\s(?:href|action|formaction|src)="([^"]*)"/g)].map(([, value]) =>
      value!.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    );
    const targets = [answer.headers.get("location") ?? "", ...written].filter((target) =>
      target.includes(WORD),
    );
    for (const target of targets) {
      using.add(request);
      if (new URL(target, app.url).origin !== app.url) wrong.push(`${request.what}: ${target}`);
    }
  });
  expect(wrong).toEqual([]);
  return [...using];
}

async function side(requests: OddRequest[], send: (request: OddRequest) => Promise<void>): Promise<void> {
  let next = 0;
  const sender = async () => {
    for (let at = next++; at < requests.length; at = next++) await send(requests[at]!);
  };
  await Promise.all(Array.from({ length: 6 }, sender));
}

/** The last two are how Remix itself answers where no route does. */
const PLAIN = [undefined, "Object", "Array", "Date", "ErrorResponseImpl", "Error"];

/** A value may only be plain. Anything else in the format would have been created by the input. */
function problemOf({ way, value }: Leaf): string | null {
  const key = way.at(-1) ?? "";
  if (way.length > DEEPEST && `${key} ${value}`.includes(WORD)) return "deeper than any of ours";
  if (Object.hasOwn(Object.prototype, key) || key === "__subType") return "a key that was sent";
  if (typeof value !== "object" || value === null)
    return /^(string|number|boolean|undefined|object)$/.test(typeof value) ? null : typeof value;
  if (key.includes(WORD)) return "an object at a key that was sent";
  const kind = Object.getPrototypeOf(value)?.constructor.name;
  return PLAIN.includes(kind) ? null : `a ${kind}`;
}
