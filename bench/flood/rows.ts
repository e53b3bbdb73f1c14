import { readFileSync } from "node:fs";
import { choicesOf, formsOf, type PageForm } from "#tests/support/clients/page-forms.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { send } from "../http.ts";
import type { Shop } from "./shop.ts";

/** A row of the route table with one method that it answers. */
export type Row = { address: string; method: string; file: string };
export type Shot = { method: string; path: string; type?: string; body?: string; accept: string };

/** Every row of the route table with every method that its file answers, deletions last. */
export async function floodRows(): Promise<Row[]> {
  const rows = (await routeTable()).flatMap(({ address, file }) =>
    methodsOf(address, readFileSync(`app/${file}`, "utf8")).map((method) => ({ address, method, file })),
  );
  const deletes = ({ method }: Row) => method === "DELETE";
  return [...rows.filter((row) => !deletes(row)), ...rows.filter(deletes)];
}

function methodsOf(address: string, source: string): string[] {
  const has = (name: string) =>
    new RegExp(`export (async )?function ${name}\\b|export \\{[^}]*\\b${name}\\b`).test(source);
  const isEndpoint = source.includes("= endpoint(");
  // Its methods are declared in another file.
  const isElsewhere = /= endpoint\((?!\{)/.test(source);
  const answers = (method: string) => isElsewhere || new RegExp(`\\b${method}: `).test(source);
  // A screen without a loader is rendered as well.
  const isRead = isEndpoint ? answers("GET") : has("loader") || source.includes("export default");
  const isPosted = isEndpoint ? answers("POST") : has("action");
  const others = address.startsWith("/api/")
    ? CHANGES.filter((method) => `${method} ${address}` in apiBodies)
    : isPosted
      ? ["POST"]
      : [];
  return isRead ? ["GET", ...others] : others;
}

const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];

/**
 * The requests for a row, slightly different for each copy.
 * @param forms the forms of its page, sent in rotation
 */
export function shotsAt(row: Row, shop: Shop, forms: PageForm[]): ((copy: number) => Shot)[] {
  const { address, method } = row;
  const path = filled(address, method === "DELETE" ? { ...shop.params, ...shop.spare } : shop.params);
  const isApi = address.startsWith("/api/");
  const accept = isApi ? "application/json" : "text/html,application/xhtml+xml,*/*;q=0.8";
  const base = { method, path, accept };
  if (method === "GET") {
    const sale = `sale=${shop.params[address.startsWith("/upsell") ? "upsellSaleId" : "saleId"]}`;
    return [
      () => ({ ...base, path: `${path}?${sale}` }),
      (copy) => ({
        ...base,
        path: `${path}?${sale}&range=1y&tab=${TABS[copy % TABS.length]}&utm_source=${copy}`,
      }),
    ];
  }
  if (isApi) {
    const body = apiBodies[`${method} ${address}`] ?? {};
    return [(copy) => ({ ...base, type: "application/json", body: JSON.stringify(own(body, copy, shop)) })];
  }
  const type = "application/x-www-form-urlencoded";
  const sent = forms.length > 0 ? forms : [{ page: path, action: path, fields: Object.entries(USUAL) }];
  return sent.map((form) => (copy) => {
    const fields = form.fields.map(([name, value]): [string, string] => [name, ownText(value, copy)]);
    return { ...base, path: pathOf(form.action, path), type, body: new URLSearchParams(fields).toString() };
  });
}

const TABS = ["vendas", "emails", "funnel", "seguranca", "domain", "x"];

/** Common form fields, for rows without a form on any page. */
const USUAL = {
  name: "Bia Compradora",
  customer_name: "Bia Compradora",
  email: "pessoa-x@exemplo.com.br",
  customer_email: "pessoa-x@exemplo.com.br",
  password: "uma senha comprida",
  customer_phone: "11987654321",
  customer_document: "52998224725",
  html_content: "<p>{{customer_name}}</p>".repeat(200),
  custom_header: "<p>Oi</p>".repeat(200),
  intent: "save",
};

/** A body that is unique per copy: an existing product, and a different person each time. */
function own(value: unknown, copy: number, shop: Shop): unknown {
  if (typeof value === "string") return value.replace(/^ana@/, `ana-${process.pid}-${copy}@`);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => own(one, copy, shop));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name === "product_id") return [name, Number(shop.params.productId)];
      return [name, name === "order_bumps" ? [] : own(inner, copy, shop)];
    }),
  );
}

function ownText(value: string, copy: number): string {
  return value.replace(/^pessoa-[\w-]+@/, `pessoa-${process.pid}-${copy}@`);
}

function pathOf(action: string, path: string): string {
  return action.startsWith("/") ? action : path;
}

/** Pages before a payment are opened with a sale that waits for one, all others with a paid one. */
export function filled(address: string, given: Record<string, string>): string {
  const params = address.startsWith("/checkout/") ? { ...given, saleId: given.openSaleId! } : given;
  return address.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "x");
}

/** Buttons that must not be clicked: the rows after them would find nothing. */
const ENDS = /delete|remove|end-|revoke|close|logout|rotate|forget|leave/;

/**
 * The forms of every page by the path they post to, from pages fetched with these cookies. A preview is sent the fields of
 * the form beside it.
 */
export async function formsByPath(url: string, shop: Shop, cookie: string): Promise<Map<string, PageForm[]>> {
  const found = new Map<string, PageForm>();
  const visit = async (page: string): Promise<string> => {
    const answer = await send(url + page, { headers: { Cookie: cookie, Accept: "text/html" } });
    const isPage = (answer.headers["content-type"] ?? "").includes("text/html");
    const html = isPage ? answer.body.toString() : "";
    for (const form of formsOf(page, html)) {
      if (form.fields.some(([name, value]) => name === "intent" && ENDS.test(value))) continue;
      found.set(
        `${form.action} ${form.fields.map(([name, value]) => (name === "intent" ? value : name))}`,
        form,
      );
    }
    return html;
  };
  for (const { address, file } of await routeTable()) {
    if (file.startsWith("routes/api/") || address.endsWith("/events") || /logout|export/.test(address))
      continue;
    const page = `${filled(address, shop.params)}${address.startsWith("/upsell") ? `?sale=${shop.params.upsellSaleId}` : ""}`;
    const choices = choicesOf(page, await visit(page));
    for (const tab of choices.filter((choice) => choice.includes("?tab="))) await visit(tab);
  }
  const forms = new Map<string, PageForm[]>();
  const add = (path: string, form: PageForm) => forms.set(path, [...(forms.get(path) ?? []), form]);
  for (const form of found.values()) {
    const path = pathOf(form.action, form.page).split("?", 1)[0]!;
    add(path, form);
    if (/customization$|\/settings\/email$/.test(path))
      add(`${path}/preview`, { ...form, action: `${path}/preview` });
  }
  return forms;
}
