import { readdirSync, readFileSync } from "node:fs";
import type { Shop } from "#tests/integration/outside/odd-shop.ts";
import { ODD_JSON, ODD_TEXTS, percentEncoded } from "#tests/integration/outside/odd-values.ts";
import type { App } from "#tests/support/app.ts";
import { choicesOf, formsOf, type PageForm } from "#tests/support/clients/page-forms.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

/** A request with something odd in it, and a description of what and where. */
export type OddRequest = { what: string; path: string; init: RequestInit };

type Value = [string, string];
/** Which of many are sent: all of them, or a sample. */
type Pick = <T>(values: T[]) => T[];

/** Each address with each odd text in place of each part of it, and as the value of each query parameter, beside each tab. */
export async function oddAddresses(app: App, shop: Shop, pick: Pick): Promise<OddRequest[]> {
  // An odd cursor is refused before the others are read.
  const groups = [queryNames(), cursorNames()];
  const oddQueries = (page: string, init: RequestInit) =>
    groups.flatMap((names) =>
      pick(ODD_TEXTS).map(([what, text]): OddRequest => {
        // All together within the server's limit for headers.
        const value = percentEncoded(text.slice(0, text.length > 1000 ? 10 : 30));
        const query = names.filter((name) => !page.includes(`?${name}=`)).map((name) => `${name}=${value}`);
        const path = `${page}${page.includes("?") ? "&" : "?"}${query.join("&")}`;
        return { what: `${what} in the query of ${page}`, path, init };
      }),
    );
  const plain = (await routeTable()).flatMap(({ address }) => {
    const parts = [...address.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const inPath = parts.flatMap((part) =>
      pick(ODD_TEXTS).map(([what, text]) => {
        const path = filled(address, { ...shop.params, [part]: percentEncoded(text.slice(0, 1000)) });
        return { what: `${what} as ${part} of ${address}`, path, init: {} };
      }),
    );
    return [...inPath, ...oddQueries(filled(address, shop.params), {})].flatMap((request) => [
      request,
      { ...request, init: as(sessionFor(address, shop)) },
    ]);
  });
  const chosen = (await allPages(app, shop)).map(({ page }) => page).filter((page) => page.includes("?"));
  return [...plain, ...[...new Set(chosen)].flatMap((page) => oddQueries(page, as(shop.cookie)))];
}

/** Each field of each form of each page with odd texts, and forms with fields that no page writes. */
export async function oddForms(app: App, shop: Shop, pick: Pick): Promise<OddRequest[]> {
  const forms = await allForms(app, shop);
  return forms.flatMap((form) => {
    const names = [...new Set(form.fields.map(([name]) => name))];
    const replaced = pick(names).flatMap((name) =>
      pick(ODD_TEXTS).map(([what, text]) =>
        posted(
          shop,
          form,
          `${what} as ${name}`,
          form.fields.map((field) => (field[0] === name ? [name, text] : field)),
        ),
      ),
    );
    const all = pick(ODD_TEXTS).map(([what, text]) =>
      posted(
        shop,
        form,
        `${what} everywhere`,
        form.fields.map(([name]) => [name, text.slice(0, 1000)]),
      ),
    );
    const keys = pick(ODD_KEYS).map(([name, value]) =>
      posted(shop, form, `a field ${name}=${value}`, [...form.fields, [name, value]]),
    );
    const twice = posted(shop, form, "every field twice", [...form.fields, ...form.fields]);
    return [...replaced, ...all, ...keys, twice];
  });
}

/** A text in place of the rows of each list, in the forms that have rows, and in those of something new. */
export async function textsForRows(app: App, shop: Shop): Promise<OddRequest[]> {
  const forms = await allForms(app, shop);
  const listOf = ([name]: [string, string]) => /^(\w+)\[/.exec(name)?.[1];
  const lists = [...new Set(forms.flatMap(({ fields }) => fields.flatMap((field) => listOf(field) ?? [])))];
  return lists.flatMap((list) =>
    forms
      .filter(
        ({ page, fields }) => /\/(create|new)$/.test(page) || fields.some((one) => listOf(one) === list),
      )
      .map((form) => {
        const others = form.fields.filter((field) => listOf(field) !== list);
        return posted(shop, form, `a text as ${list}`, [...others, [list, "x"]]);
      }),
  );
}

/** Each field of each body of the API with odd values, and odd bodies. */
export function oddBodies(shop: Shop, pick: Pick): OddRequest[] {
  return Object.entries(apiBodies).flatMap(([row, body]) => {
    const [method = "", address = ""] = row.split(" ");
    const request = (what: string, text: string): OddRequest => ({
      what: `${what} in ${row}`,
      path: filled(address, shop.params),
      init: {
        method,
        body: text,
        headers: { ...as(sessionFor(address, shop)).headers, "Content-Type": "application/json" },
      },
    });
    const paths = pathsOf(body).flatMap((location) =>
      pick(ODD_JSON).map(([what, json]) =>
        request(`${what} as ${location.join(".")}`, replacedAt(body, location, json)),
      ),
    );
    const whole = pick(ODD_JSON).map(([what, json]) => request(`${what} as a whole`, json));
    const more = `{"__proto__":{"a":1},"constructor":1,"toString":1,"\\u0000":"\\ud800",${JSON.stringify(body).slice(1)}`;
    return [...paths, ...whole, request("keys of every object", more.replace(",}", "}"))];
  });
}

const ODD_KEYS: Value[] = [
  ["__proto__", "x"],
  ["__proto__[a]", "x"],
  ["__proto__.a", "x"],
  ["constructor.prototype.a", "x"],
  ["toString", "x"],
  ["orderBumps[4294967295].id", "1"],
  ["orderBumps[999].name", "x"],
  ["orderBumps", "x"],
  ["a[0][0][0][0].b.c.d", "x"],
  ["\u0000\ud800", "x"],
  ["a".repeat(5_000), "x"],
  ["__intent__", "{"],
  ["__intent__", '{"type":"update","payload":{"name":"name","value":{"a":[1]}}}'],
  ["__intent__", '{"type":"insert","payload":{"name":"orderBumps","index":1e9}}'],
  ["__intent__", '{"type":"remove","payload":{"name":"constructor","index":0}}'],
  ["__state__", "{"],
  ["intent", "constructor"],
];

/** Every page as a stranger and its seller, who is a buyer too, see it, with what its links choose on it: tabs, kinds, editing. */
function allPages(app: App, shop: Shop): Promise<FoundPage[]> {
  const pages = known.get(shop) ?? visitAll(app, shop);
  known.set(shop, pages);
  return pages;
}

type FoundPage = { page: string; html: string };
const known = new WeakMap<Shop, Promise<FoundPage[]>>();

async function visitAll(app: App, { cookie, params, otherSaleIds }: Shop): Promise<FoundPage[]> {
  const found: FoundPage[] = [];
  const visit = async (page: string, init: RequestInit): Promise<string> => {
    const answer = await app.fetch(page, init);
    const html = (answer.headers.get("content-type") ?? "").includes("text/html") ? await answer.text() : "";
    await answer.body?.cancel().catch(() => {});
    found.push({ page, html });
    return html;
  };
  for (const { address, file } of await routeTable()) {
    if (file.startsWith("routes/api/") || address.endsWith("/events")) continue;
    const saleIds = address.includes(":saleId") ? [params.saleId!, ...otherSaleIds] : [params.saleId!];
    for (const saleId of saleIds) {
      const page = `${filled(address, { ...params, saleId })}${address.startsWith("/upsell") ? `?sale=${saleId}` : ""}`;
      for (const init of [{}, as(cookie)])
        for (const choice of choicesOf(page, await visit(page, init))) await visit(choice, init);
    }
  }
  return found;
}

/** The forms of every page, each once, wherever it is shown. */
export async function allForms(app: App, shop: Shop): Promise<PageForm[]> {
  const found = new Map<string, PageForm>();
  for (const { page, html } of await allPages(app, shop)) {
    for (const form of formsOf(page, html)) {
      const shape = form.fields.map(([name, value]) =>
        name === "intent" ? `${name}=${value.split(/[ :]/)[0]}` : name,
      );
      const address = form.action.replace(/\?.*/, "").replace(/[\da-f]{8}(-[\da-f]+)+/, "");
      found.set(`${address} ${shape.join()}`, form);
    }
  }
  const forms = [...found.values()];
  // Deleting requests come last: the others need the rows.
  const deletes = ({ fields }: PageForm) =>
    fields.some(([name, value]) => name === "understood" || /delete|remove|leave/.test(value));
  return [...forms.filter((form) => !deletes(form)), ...forms.filter(deletes)];
}

function posted(shop: Shop, form: PageForm, what: string, fields: [string, string][]): OddRequest {
  const body = fields.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join("&");
  const headers = {
    ...as(sessionFor(form.action, shop)).headers,
    "Content-Type": "application/x-www-form-urlencoded",
  };
  return {
    what: `${what} in a form of ${form.page}`,
    path: form.action,
    init: { method: "POST", body, headers },
  };
}

export function sessionFor(address: string, { cookie, leaving }: Shop): string {
  return address.endsWith("logout") ? leaving : cookie;
}

function as(cookie: string) {
  return { headers: { Cookie: cookie } };
}

export function filled(address: string, params: Record<string, string>): string {
  return address.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "x");
}

/** Every query parameter that the app reads, beside its cursors. */
export function queryNames(): string[] {
  return [
    ...namesIn(/(?:\.(?:get|getAll|has)\(|_PARAMETER = )"([a-z_]+)"/gi),
    ...["utm_source", "src", "name", "email", "phone", "document", "nome", "tel", "cpf", "_data", "index"],
  ].filter((name, at, names) => names.indexOf(name) === at);
}

/** Where a list goes on, as `readShaped` reads it. */
export function cursorNames(): string[] {
  return namesIn(/: read\("([a-z_]+)"\)/g);
}

function namesIn(pattern: RegExp): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(`app/${file}`, "utf8").matchAll(pattern)])
    .map(([, name]) => name!);
}

/** The ways to each value in a body: `["orderBumps", "0", "name"]`. */
export function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((rest) => [key, ...rest]),
  ]);
}

/** A body's JSON with other JSON at one path. */
export function replacedAt(body: unknown, location: string[], json: string): string {
  const MARK = "<here>";
  const copy = structuredClone(body);
  let at = copy as Record<string, unknown>;
  for (const key of location.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[location.at(-1)!] = MARK;
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => json);
}
