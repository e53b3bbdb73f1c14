import { expectPublished } from "#tests/support/published.ts";

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
 * What a route's loader or action answers to a request, thrown or returned; what is no Response becomes a JSON one. What
 * the API answers must be what it publishes.
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
    headers: { ...headers, ...(body && !isForm ? { "Content-Type": "application/json" } : {}) },
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
