import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { MINUTE } from "#app/kit/duration.ts";
import { KEY_PARAMETER } from "#app/kit/paths.ts";
import * as route from "#app/routes/api/description/openapi.ts";
import * as orders from "#app/routes/api/payments/pushinpay.ts";
import * as paymentStatus from "#app/routes/api/payments/pushinpay-status.ts";
import { REQUESTS } from "#app/server/limits/limits.ts";
import { buildGuide } from "#app/server/openapi/build-guide.server.ts";
import { describeWebhooks } from "#app/server/openapi/describe-webhooks.server.ts";
import { apiDocument } from "#app/server/openapi/document.server.ts";
import { resolveLazy } from "#app/server/openapi/method-spec.ts";
import { schemaOf } from "#app/server/openapi/schema.server.ts";
import { apiOperations, apiRoutes } from "#tests/integration/api/api-description.ts";
import { apiBodies as guardedBodies } from "#tests/integration/identity/guarded-table.ts";
import { ageSignIn } from "#tests/integration/identity/signed-in-ago.ts";
import { keyNeeds } from "#tests/integration/key-needs.ts";
import { openShop } from "#tests/integration/payments/support.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeCoupon, makeSeller, signedIn } from "#tests/support/make.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { call, refused } from "#tests/support/routes/call.ts";

type Answer = {
  description: string;
  headers?: Record<string, { description: string }>;
  content: { "application/json": { schema: { properties?: Record<string, { description?: string }> } } };
};

type Operation = {
  operationId: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required?: boolean }[];
  responses: Record<string, Answer>;
  requestBody?: {
    content: {
      "application/json": {
        schema: { properties?: object; anyOf?: object[]; oneOf?: object[] };
        example?: object;
      };
    };
  };
};

const all = await apiOperations();
const document = apiDocument(all, describeWebhooks()) as { paths: Record<string, Record<string, Operation>> };
const UNKNOWN_ID = "1c9e4f72-6a0d-4b3e-8f25-9d7b0a6e3c14";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What an address answers: its `Allow` header, on an unknown method. */
async function answered(module: object): Promise<string[]> {
  const refused = await call(module, "/", { method: "OPTIONS" });
  expect(refused.status).toBe(405);
  return (refused.headers.get("allow") ?? "").split(", ");
}

test("every method that an address of the API answers is in the description", async () => {
  for (const { address, module } of await apiRoutes()) {
    const methods = document.paths[address.replace(/:(\w+)/g, "{$1}")] ?? {};
    const described = Object.keys(methods).map((method) => method.toUpperCase());
    expect(described, address).toEqual(METHODS.filter((method) => described.includes(method)));
    expect([address, described.sort()]).toEqual([address, (await answered(module)).sort()]);
  }
  expect(Object.keys(document.paths).length).toBeGreaterThan(40);
});

test("the description names the scope that a key needs, as tests find it", () => {
  const documented: Record<string, Record<string, string>> = {};
  for (const { address, method, spec: says } of all)
    if (says.needs) documented[address] = { ...documented[address], [method]: says.needs };
  const needed = Object.entries(keyNeeds).filter(([address]) => address.startsWith("/api/"));
  expect(documented).toEqual(Object.fromEntries(needed));
});

test("states a key's scope and a session where OpenAPI has a field for them", () => {
  const { get, post } = document.paths["/api/settings/gateways"]!;
  expect(get!.security).toEqual([{ key: ["read"] }, { session: [] }]);
  expect(post!.security).toEqual([{ session: [] }]);
  expect(document.paths["/api/checkout/products/{productId}"]!.get!.security).toEqual([]);
});

test("an old session is refused with a code of its own where that is described, and nowhere else", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  await ageSignIn(seller, 11);
  const refusing: string[] = [];
  for (const { address, module } of await apiRoutes()) {
    const params = Object.fromEntries([...address.matchAll(/:(\w+)/g)].map(([, name]) => [name, UNKNOWN_ID]));
    const changes = all.filter((one) => one.address === address && one.method !== "GET" && one.spec.needs);
    for (const { method } of changes) {
      const answer = await call(module, "/", {
        ...{ method, params, headers },
        body: guardedBodies[address]?.body ?? {},
      });
      const { code } = (await answer.json()) as { code?: string };
      if (code === "recent_sign_in_required") refusing.push(`${method} ${address}`);
    }
  }
  const described = all.filter(({ address, method }) =>
    document.paths[address.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!.responses[
      "403"
    ]?.description.includes("recent_sign_in_required"),
  );
  expect(refusing).toEqual(described.map(({ address, method }) => `${method} ${address}`));
  for (const known of ["webhooks", "webhooks/:webhookId", "webhooks/:webhookId/secret", "gateways"])
    expect(
      refusing.some((one) => one.endsWith(` /api/settings/${known}`)),
      known,
    ).toBe(true);
  expect(refusing).toEqual(expect.arrayContaining(["POST /api/utmfy/settings", "POST /api/email/template"]));
});

test("every method that is described with an ETag answers with the version that it is made of", () => {
  const versioned = all.filter(({ spec }) => spec.versioned);
  expect(versioned.length).toBeGreaterThan(15);
  for (const { address, method, spec } of versioned)
    expect(schemaOf(resolveLazy(spec.answer), "output").required, `${method} ${address}`).toContain(
      "version",
    );
});

test("what is read with a version is deleted with If-Match", () => {
  const read = all.filter(({ method, spec }) => method === "GET" && spec.versioned);
  const deleted = all.filter(
    ({ address, method }) => method === "DELETE" && read.some((one) => one.address === address),
  );
  expect(deleted.length).toBeGreaterThan(4);
  for (const { address, method } of deleted) {
    const { parameters } = document.paths[address.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
    expect(parameters, address).toContainEqual(expect.objectContaining({ name: "If-Match", in: "header" }));
  }
});

test("each method has an id of its own, and its address's parts are parameters", () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const named = operation.parameters.filter((one) => one.in === "path").map(({ name }) => `{${name}}`);
    expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test("a parameter that a method refuses to be without is required, and no other", () => {
  const required = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters }]) =>
      parameters.filter((one) => one.in !== "path" && one.required).map(({ name }) => [method, path, name]),
    ),
  );
  expect(required).toEqual([["put", "/api/uploads/{uploadId}", "offset"]]);
});

test("a parameter that has one value is refused with another, which would count as none", async () => {
  const params = { paymentId: UNKNOWN_ID };
  const status = async (query: string) => {
    const answer = await call(paymentStatus, `/${query}`, { params });
    return [answer.status, await answer.json()];
  };
  expect(await status("?ask=true")).toEqual([400, refused("ask: use 1", { field: "ask" })]);
  for (const known of ["", "?ask=", "?ask=1"]) expect((await status(known))[0], known).toBe(404);
});

test("a thank-you page's settings are described with the key that a purchase needs after a correction", () => {
  const { get } = document.paths["/api/thank-you/customization/{productId}"]!;
  const named = get!.parameters.filter((one) => one.in === "query").map(({ name }) => name);
  expect(named).toEqual(["sale", KEY_PARAMETER]);
});

test("a list is described with a link to its previous page where it can be read backwards", () => {
  const paged = all.filter(({ spec }) => spec.paged);
  const backwards = (spec: (typeof paged)[number]["spec"]) => "after" in spec.query!.shape;
  expect(new Set(paged.map(({ spec }) => backwards(spec)))).toEqual(new Set([true, false]));
  for (const { address, method, spec } of paged) {
    const { responses } = document.paths[address.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
    expect(responses["200"]!.headers!.Link!.description.includes('"prev"'), address).toBe(backwards(spec));
  }
});

test("an order's code says when there is none, also of an order that is repeated after it expired", () => {
  const answer = document.paths["/api/payments/pushinpay"]!.post!.responses["200"]!;
  const { pix_key } = answer.content["application/json"].schema.properties!;
  expect(pix_key!.description).toMatch(/pagamento.*cartão.*expirou/);
});

test("an order says after how many unknown coupons valid ones are refused, too, and that others are not", async () => {
  const { description } = document.paths["/api/payments/pushinpay"]!.post!;
  const [many, within] = REQUESTS["unknown-coupon-typed"];
  expect(description).toContain(`Depois de ${many} cupons desconhecidos em ${within / MINUTE} minutos`);
  const { seller, product } = await openShop();
  const { code } = await makeCoupon(seller);
  const headers = { "X-Forwarded-For": newAddress() };
  const body = { ...apiBodies["POST /api/payments/pushinpay"], product_id: product.id, order_bumps: [] };
  const order = async (coupon: string, more = {}) => {
    const answer = await call(orders, "/", { method: "POST", headers, body: { ...body, coupon, ...more } });
    return [answer.status, ((await answer.json()) as { field?: string }).field];
  };
  for (let n = 0; n < many; n++) expect(await order(`CHUTE${n}`)).toEqual([409, "coupon"]);
  expect(await order(code)).toEqual([429, "coupon"]);
  expect(await order("", { customer_name: "" })).toEqual([400, "customer_name"]);
});

test("a payment is described as completed also once it was returned, and each of its standings by name", () => {
  const { get } = document.paths["/api/payments/pushinpay/status/{paymentId}"]!;
  const { status, standing } = get!.responses["200"]!.content["application/json"].schema.properties!;
  expect(status!.description).toMatch(/completed.*devolvido.*standing é paid/);
  for (const name of ["payable", "over", "mispaid", "paid", "returned"])
    expect(standing!.description).toContain(`${name}: `);
});

test("the guide names every word that a parameter may be, also where it is described", () => {
  const entries = buildGuide().flatMap((group) => group.entries);
  const named: string[] = [];
  for (const { address, method, spec } of all) {
    if (!spec.query) continue;
    const { properties } = schemaOf(spec.query, "input") as {
      properties: Record<string, { enum?: string[] }>;
    };
    const { query } = entries.find((entry) => entry.address === address && entry.method === method)!;
    for (const { name, text } of query)
      for (const word of properties[name]!.enum ?? []) {
        expect(text, `${address} ${name}`).toContain(word);
        named.push(word);
      }
  }
  expect(named).toEqual(expect.arrayContaining(["90d", "card", "phone"]));
});

test("what is left out means what is written: an offer's largest quantity, a token that Hotmart's form sends", () => {
  const { post } = document.paths["/api/products/{productId}/offers"]!;
  expect(post!.requestBody!.content["application/json"].schema.properties).toMatchObject({
    min_quantity: { description: "Vazio: 1" },
    max_quantity: { description: "Vazio: a mínima" },
  });
  const { put } = document.paths["/api/settings/webhooks/{webhookId}"]!;
  expect(put!.description).toMatch(
    /formato da Hotmart.*muda de host, ou passa a ele vindo do da Kiwify.*recusada \(400\)/,
  );
});

/** Its body has no fields of its own: products' numbers are its keys. */
const MAP = "/api/utmfy/product-tracking";

test("the readable guide has the fields of every body, of one with variants those of all", () => {
  const entries = buildGuide().flatMap((group) => group.entries);
  expect(entries).toHaveLength(all.length);
  const bodyOf = (address: string, method = "POST") =>
    entries.find((entry) => entry.address === address && entry.method === method)!.body;
  const empty = all.filter(({ address, method, spec }) => spec.body && bodyOf(address, method).length === 0);
  expect(empty.map(({ address }) => address)).toEqual([MAP]);
  expect(bodyOf("/api/products/:productId/content")).toMatchObject([
    { name: "name", required: true },
    { name: "url", required: false },
    { name: "kind", required: true, text: "link, text" },
    { name: "for", required: false },
    { name: "html", required: false },
  ]);
  expect(bodyOf("/api/sessions").map(({ name }) => name)).toEqual(["email", "password", "code", "state"]);
});

test("every field that tests send in a body is in its schema", () => {
  /** Stored with the order: whatever query the checkout's address carried. */
  const open = ["utm_source"];
  for (const { address, method, spec: says } of all) {
    if (!says.body) continue;
    const { requestBody } = document.paths[address.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
    const { schema } = requestBody!.content["application/json"];
    const fields = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) =>
      Object.keys((one as { properties?: object }).properties ?? {}),
    );
    const sent = Object.keys(apiBodies[`${method} ${address}`]!).filter((name) => !open.includes(name));
    if (address !== MAP) expect(fields, `${method} ${address}`).toEqual(expect.arrayContaining(sent));
  }
});

test("the published examples fit their schemas and leave nothing to fill in", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { requestBody } of Object.values(methods)) {
      const { schema, example } = requestBody?.content["application/json"] ?? {};
      if (example) expect(ajv.validate(schema!, example), `${path} ${ajv.errorsText()}`).toBe(true);
    }
  }
  expect(JSON.stringify(document)).not.toMatch(/"\$[A-Z]/);
  expect(JSON.stringify(document)).not.toContain("x-required");
  const { schema } = document.paths["/api/products"]!.post!.requestBody!.content["application/json"];
  expect(schema).toMatchObject({ required: ["name", "price", "file_url"] });
});

test("is one document, answered with 304 to a client that has it", async () => {
  const first = await call(route, "/api/openapi.json");
  expect(first.headers.get("content-type")).toBe("application/json");
  expect(await first.json()).toEqual(JSON.parse(JSON.stringify(document)));
  const etag = first.headers.get("etag")!;
  const again = await call(route, "/api/openapi.json", { headers: { "If-None-Match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("a default in a body is of something new or replaced whole, never of a setting that was not sent", () => {
  /** Their summaries say that a PUT replaces all; `for` names the list that a content's items are in. */
  const whole = [
    "POST /api/payments/pushinpay",
    "POST /api/products/:productId/content",
    "PUT /api/products/:productId/content",
    "POST /api/products/:productId/offers",
    "POST /api/uploads",
    "POST /api/checkout/links",
    "POST /api/settings/webhooks",
    "PUT /api/settings/webhooks/:webhookId",
    "POST /api/settings/webhooks/:webhookId/replay",
    "POST /api/utmfy/test",
  ];
  const withDefaults = all.flatMap(({ address, method }) => {
    const { requestBody } = document.paths[address.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
    const schema = JSON.stringify(requestBody?.content["application/json"]?.schema ?? {});
    return schema.includes('"default":') ? [`${method} ${address}`] : [];
  });
  expect(withDefaults).toEqual(whole);
});
