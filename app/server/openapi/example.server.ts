import type { Example } from "#app/server/openapi/method-spec.ts";
import type { Operation } from "#app/server/openapi/operations.server.ts";
import { cookieName } from "#app/server/session/cookie-name.server.ts";

/** Values for the `$NAME` placeholders of examples. */
export type ExampleValues = Record<
  | "PRODUCT"
  | "SLUG"
  | "OFFER"
  | "COUPON"
  | "SALE"
  | "PAYMENT"
  | "UPLOAD"
  | "ITEM"
  | "PICTURE"
  | "WEBHOOK"
  | "DELIVERY"
  | "EMAIL"
  | "PASSWORD"
  | "KEY"
  | "SESSION",
  string
>;

/** Values in the published examples. */
export const SAMPLE_VALUES: ExampleValues = {
  PRODUCT: "12",
  SLUG: "curso-de-violao",
  OFFER: "1c9e4f72-6a0d-4b3e-8f25-9d7b0a6e3c14",
  COUPON: "a7c3e9d1-5b2f-4e8a-9d6c-3f1b7e0a4c58",
  SALE: "6f1d3c1e-58a5-4a7e-9d57-1f6f0c2b8a10",
  PAYMENT: "b2a4e0c6-7d3f-4a52-8a0e-5c9e1d7f3b21",
  UPLOAD: "3b7c0d5e-92a4-4c1f-8e6d-0f5a7b9c2d43",
  ITEM: "d4e8a1c6-2f5b-4d9e-b3a7-8c6f0e1d5a27",
  WEBHOOK: "c0a1f7d2-4b6e-4f0a-9c3d-2e8b5a716f94",
  DELIVERY: "5e9d2b71-0c4f-4d3a-8b6e-7f1a2c9d8e05",
  PICTURE: "8f2e6b1d-47c3-4b9a-a5d0-6c1e3f7a9b25",
  EMAIL: "vendedor@exemplo.com.br",
  PASSWORD: "sua senha",
  KEY: "SUA_CHAVE",
  SESSION: `${cookieName("sessao")}=SUA_SESSAO`,
};

/** The idempotency key in examples. */
export const SAMPLE_IDEMPOTENCY_KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324";

/** A request for `fetch`. `body` is JSON, or bytes as text if `isBytes`. */
export type ExampleRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  isBytes: boolean;
};

/** The request of a method's example, with `values` filled in; null if the method has none. */
export function exampleRequest(
  { address, method, spec }: Operation,
  base: string,
  values: ExampleValues,
): ExampleRequest | null {
  if (!spec.example) return null;
  const { params = {}, query, body }: Example = fillExample(spec.example, values);
  const given = new Map(Object.entries(params));
  const path = address.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(given.get(name) ?? "")),
  );
  const sent = body ?? (spec.body ? {} : null);
  const headers: Record<string, string> = {};
  if (spec.needs === "session") headers.Cookie = values.SESSION;
  else if (spec.needs) headers.Authorization = `Bearer ${values.KEY}`;
  const isBytes = spec.bytes !== undefined;
  if (sent !== null) headers["Content-Type"] = isBytes ? "application/octet-stream" : "application/json";
  if (spec.headers) headers["Idempotency-Key"] = SAMPLE_IDEMPOTENCY_KEY;
  return {
    method,
    url: base + path + (query ? `?${new URLSearchParams(query)}` : ""),
    headers,
    body: sent === null ? null : isBytes ? String(sent) : JSON.stringify(sent, null, 2),
    isBytes,
  };
}

/** The same as a `curl` command. Example values contain no single quote. */
export function curlText({ method, url, headers, body, isBytes }: ExampleRequest): string {
  const parts = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [isBytes ? "--data-binary @arquivo" : `-d '${body}'`]),
  ];
  return parts.join(" \\\n  ");
}

/** An example with `values` filled in. */
export function fillExample<T>(example: T, values: ExampleValues): T {
  return fill(example, new Map(Object.entries(values).map(([name, value]) => [`$${name}`, value]))) as T;
}

/** A product's number becomes a number if it is the whole value. */
function fill(part: unknown, values: Map<string, string>): unknown {
  if (typeof part === "string") {
    const value = values.get(part) ?? part;
    return part === "$PRODUCT" ? Number(value) : value;
  }
  if (Array.isArray(part)) return part.map((one) => fill(one, values));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => [values.get(name) ?? name, fill(one, values)]),
  );
}
