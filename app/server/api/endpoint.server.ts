import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { pick } from "#app/kit/pick.ts";
import { newRequestId, requestId } from "#app/platform/request-id.server.ts";
import { trackWork } from "#app/platform/shutdown.server.ts";
import { limitHeaders } from "#app/server/limits/limit-headers.server.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";

export type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Answers a method; `spec` is its part of the API's description. */
export type Handler = ((args: RouteArgs) => Promise<Response | object | null>) & { spec?: MethodSpec };

/** The loader and action of a resource route, with the specs of its methods. */
export type Endpoint = ((args: RouteArgs) => Promise<Response>) & {
  spec: Partial<Record<Method, MethodSpec>>;
};

/**
 * Creates the loader and action of a resource route: one handler per method; a plain object becomes JSON, a refusal an
 * error with its status (`errorJson`), an unknown method 405.
 */
export function endpoint(handlers: Partial<Record<Method, Handler>>): { loader: Endpoint; action: Endpoint } {
  async function handle(args: RouteArgs): Promise<Response> {
    const { method } = args.request;
    const handler = pick(handlers, method === "HEAD" ? "GET" : method);
    if (!handler)
      return errorJson({ status: 405, message: "Método não permitido" }, undefined, {
        Allow: Object.keys(handlers).join(", "),
      });
    try {
      const answer = await handler(args);
      return answer instanceof Response ? answer : json(answer, 200);
    } catch (error) {
      return error instanceof Response ? error : failureJson(error, args.request);
    }
  }
  const spec = Object.fromEntries(
    Object.entries(handlers).flatMap(([method, handler]) => (handler.spec ? [[method, handler.spec]] : [])),
  );
  const tracked = Object.assign(
    (args: RouteArgs) => trackWork(handle(args).then(addLimitHeaders(args.request))),
    { spec },
  );
  return { loader: tracked, action: tracked };
}

/** Adds the rate limit headers, if the request was counted. */
function addLimitHeaders(request: Request): (answer: Response) => Response {
  return (answer) => {
    for (const [name, value] of Object.entries(limitHeaders(request))) answer.headers.set(name, value);
    return answer;
  };
}

/** A JSON answer that is not cached. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return bufferedResponse(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}

/** An API answer for a thrown value; `extra` is added to it. */
export function failureJson(error: unknown, request: Request, extra: object = {}): Response {
  return errorJson(toFailure(error, request), extra);
}

/** A refusal as JSON with its status. */
export function errorJson(
  failure: Failure,
  extra: object = {},
  headers: Record<string, string> = {},
): Response {
  const { status, message, field, code } = failure;
  const body = {
    ...extra,
    error: message,
    message,
    ...(field ? { field } : {}),
    ...(code ? { code } : {}),
    request_id: failure.requestId ?? requestId() ?? newRequestId(),
  };
  return json(body, status, { ...retryHeaders(failure), ...headers });
}
