import { readdirSync, readFileSync } from "node:fs";
import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { ODD_JSON, ODD_TEXTS, percentEncoded } from "#tests/integration/outside/odd-values.ts";
import type { App } from "#tests/support/app.ts";
import { formsOf, type PageForm, tabsOf } from "#tests/support/clients/page-forms.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

/** A request with something odd in it, and a description of what and where. */
export type OddRequest = { what: string; path: string; init: RequestInit };

/** `leaving` is a separate session, for requests that end it. */
export type Shop = { cookie: string; leaving: string; params: Record<string, string> };
type Value = [string, string];
/** Which of many are sent: all of them, or a sample. */
type Pick = <T>(values: T[]) => T[];

/** A seller with one of everything, and the values for the addresses. */
export async function openOddShop(): Promise<Shop> {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { checkoutSlug: "violao" });
  await makeBump(product);
  await makeUpsell(product);
  const coupon = await makeCoupon(seller);
  const offer = await makeOffer(product);
  const gateway = await makeGateway(seller);
  const sale = await makeSale(product, { status: "completed" });
  const charge = await makeCharge(sale, { status: "paid" });
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${sale.id}`;
  await ensureHook(seller.id);
  const params = {
    productId: String(product.id),
    slug: "violao",
    saleId: sale.id,
    couponId: coupon.id,
    offerId: offer.id,
    paymentId: charge.id,
    lineId: line!.id,
    provider: "pushinpay",
    hookToken: gateway.hookToken,
    token: "x",
    signature: "x",
  };
  const [cookie, leaving] = [(await signedIn(seller)).Cookie, (await signedIn(seller)).Cookie];
  return { cookie, leaving, params };
}

/** Each address with each odd text in place of each part of it, and as the value of each query parameter. */
export async function oddAddresses(shop: Shop, pick: Pick): Promise<OddRequest[]> {
  const names = queryNames();
  return (await routeTable()).flatMap(({ address }) => {
    const parts = [...address.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const inPath = parts.flatMap((part) =>
      pick(ODD_TEXTS).map(([what, text]) => {
        const path = filled(address, { ...shop.params, [part]: percentEncoded(text.slice(0, 1000)) });
        return { what: `${what} as ${part} of ${address}`, path, init: {} };
      }),
    );
    const inQuery = pick(ODD_TEXTS).map(([what, text]) => {
      // All together within the server's limit for headers.
      const value = percentEncoded(text.slice(0, text.length > 1000 ? 10 : 30));
      const query = names.map((name) => `${name}=${value}`).join("&");
      return {
        what: `${what} in the query of ${address}`,
        path: `${filled(address, shop.params)}?${query}`,
        init: {},
      };
    });
    return [...inPath, ...inQuery].flatMap((request) => [
      request,
      { ...request, init: as(sessionFor(address, shop)) },
    ]);
  });
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

/** The forms of every page as a stranger and its seller see it, tabs too, each once. */
export async function allForms(app: App, { cookie, params }: Shop): Promise<PageForm[]> {
  const found = new Map<string, PageForm>();
  const visit = async (page: string, init: RequestInit): Promise<string> => {
    const answer = await app.fetch(page, init);
    const html = (answer.headers.get("content-type") ?? "").includes("text/html") ? await answer.text() : "";
    await answer.body?.cancel().catch(() => {});
    for (const form of formsOf(page, html)) {
      const shape = form.fields.map(([name, value]) =>
        name === "intent" ? `${name}=${value.split(/[ :]/)[0]}` : name,
      );
      found.set(`${form.action} ${shape.join()}`, form);
    }
    return html;
  };
  for (const { address, file } of await routeTable()) {
    if (file.startsWith("routes/api/") || address.endsWith("/events")) continue;
    const page = `${filled(address, params)}${address.startsWith("/upsell") ? `?sale=${params.saleId}` : ""}`;
    for (const init of [{}, as(cookie)])
      for (const tab of tabsOf(page, await visit(page, init))) await visit(tab, init);
  }
  const forms = [...found.values()];
  // Deleting requests come last: the others need the rows.
  const deletes = (form: PageForm) => form.fields.some(([, value]) => /delete|remove/.test(value));
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

/** Every query parameter that the app reads. */
export function queryNames(): string[] {
  const names = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(`app/${file}`, "utf8").matchAll(
        /(?:\.(?:get|getAll|has)\(|_PARAMETER = )"([a-z_]+)"/gi,
      ),
    ])
    .map(([, name]) => name!);
  return [
    ...new Set([
      ...names,
      "utm_source",
      "src",
      "name",
      "email",
      "phone",
      "document",
      "nome",
      "tel",
      "cpf",
      "_data",
      "index",
    ]),
  ];
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
