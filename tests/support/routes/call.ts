import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "#app/server/api/endpoint.server.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";

export type RouteModule = { loader?: unknown; action?: unknown };
type Handler = (args: { request: Request; params: Record<string, string>; context: object }) => unknown;

export type Call = {
  method?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  /** An object is sent as JSON, FormData and URLSearchParams as a form. */
  body?: unknown;
};

/**
 * A route's loader or action called with a request, returned or thrown; what is no Response becomes a JSON one. Each
 * call is a client of its own, unless its headers name one: a client's counts stay in memory after the file that used
 * them up. The API's answers must be as published.
 */
export async function call(route: RouteModule, path: string, options: Call = {}): Promise<Response> {
  const answer = await ask(route, path, options);
  await expectPublished(route, options.method ?? "GET", answer);
  return answer;
}

async function ask(route: RouteModule, path: string, options: Call): Promise<Response> {
  const { method = "GET", params = {}, headers = {}, body } = options;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  const request = new Request(new URL(path, "http://localhost:3000"), {
    method,
    headers: {
      "X-Forwarded-For": newAddress(),
      ...headers,
      ...(body && !isForm ? { "Content-Type": "application/json" } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const handler = (method === "GET" ? route.loader : route.action) as Handler | undefined;
  if (!handler) return new Response("no handler", { status: 405 });
  try {
    return asResponse(await handler({ request, params, context: {} }));
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

/** `data(value, init)` is how page routes answer with a status. */
function asResponse(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  if (answer && typeof answer === "object" && "type" in answer && answer.type === "DataWithResponseInit") {
    const { data, init } = answer as unknown as { data: unknown; init: ResponseInit | number | null };
    return Response.json(data ?? null, typeof init === "number" ? { status: init } : (init ?? {}));
  }
  return Response.json(answer ?? null);
}

type Answer = { loader?: unknown };

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new WeakMap<z.ZodType, ValidateFunction>();

/** Expects an answer of the API to match its published schema; a route without one may answer anything. */
export async function expectPublished(route: Answer, method: string, answer: Response): Promise<void> {
  const published = (route.loader as Partial<Pick<Endpoint, "spec">> | undefined)?.spec ?? {};
  if (Object.keys(published).length === 0 || answer.status === 304) return;
  // Loaded here: a page's test needs no environment.
  const [{ schemaOf }, { refusalBody: refusal }, { resolveLazy: now }] = await Promise.all([
    import("#app/server/openapi/schema.server.ts"),
    import("#app/server/openapi/answers.server.ts"),
    import("#app/server/openapi/method-spec.ts"),
  ]);
  const says = (published as Partial<Record<string, MethodSpec>>)[method];
  if (answer.headers.has("ratelimit-limit"))
    expect(says?.rateLimited, `${method} ${says?.summary}: its limit is not described`).toBeTruthy();
  const isFine = answer.status < 400;
  if (isFine) expect(answer.status, `${method} status`).toBe(says?.status ?? 200);
  const schema = isFine ? now(says!.answer) : refusal;
  let fits = compiled.get(schema);
  if (!fits) {
    fits = ajv.compile(schemaOf(schema, "output"));
    compiled.set(schema, fits);
  }
  const body = await answer.clone().json();
  fits(body);
  expect(fits.errors ?? [], `${method} ${says?.summary} ${answer.status} ${JSON.stringify(body)}`).toEqual(
    [],
  );
}

/** The API's body for a refusal; `more` is added to it. */
export function refused(text: unknown, more: object = {}) {
  return { error: text, message: text, request_id: expect.any(String), ...more };
}
