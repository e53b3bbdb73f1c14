import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { parseOutside } from "#app/kit/outside-json.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { newRequestId, requestId } from "#app/platform/request-id.server.ts";
import { finish } from "#app/platform/shutdown.server.ts";
import { readBytes } from "#app/web/door/read-bytes.server.ts";
import { wholeAnswer } from "#app/web/door/whole-answer.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { limitHeaders } from "#app/web/limits/limit-headers.server.ts";
import type { Says } from "#app/web/openapi/says.ts";
import { sayIssue } from "#app/web/say-issue.server.ts";

export type Args = LoaderFunctionArgs | ActionFunctionArgs;
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What answers a method; `says` is what the API's description tells of it. */
export type Handler = ((args: Args) => Promise<Response | object | null>) & { says?: Says };

/** The loader and action of a resource route, and what each of its methods says of itself. */
export type Endpoint = ((args: Args) => Promise<Response>) & { says: Partial<Record<Method, Says>> };

/**
 * The loader and action of a resource route: one handler a method, a plain object becomes JSON, a refusal becomes an
 * error with its status (`errorJson`), an unknown method 405.
 */
export function endpoint(handlers: Partial<Record<Method, Handler>>): { loader: Endpoint; action: Endpoint } {
  async function handle(args: Args): Promise<Response> {
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
      return error instanceof Response ? error : failed(error, args.request);
    }
  }
  const says = Object.fromEntries(
    Object.entries(handlers).flatMap(([method, handler]) => (handler.says ? [[method, handler.says]] : [])),
  );
  const finished = Object.assign((args: Args) => finish(handle(args).then(limited(args.request))), { says });
  return { loader: finished, action: finished };
}

/** Tells how much of a limit is left, where the request was counted. */
function limited(request: Request): (answer: Response) => Response {
  return (answer) => {
    for (const [name, value] of Object.entries(limitHeaders(request))) answer.headers.set(name, value);
    return answer;
  };
}

/** A JSON answer that nobody keeps. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return wholeAnswer(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}

/** What was thrown as the API's answer; `more` stands beside it. */
export function failed(error: unknown, request: Request, more: object = {}): Response {
  return errorJson(toFailure(error, request), more);
}

/** A "no" of the API, as JSON with its status. */
export function errorJson(
  failure: Failure,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const { status, message, field, code } = failure;
  const body = {
    ...more,
    error: message,
    message,
    ...(field ? { field } : {}),
    ...(code ? { code } : {}),
    request_id: failure.requestId ?? requestId() ?? newRequestId(),
  };
  return json(body, status, { ...retryHeaders(failure), ...headers });
}

/**
 * The request's JSON body by a schema, cleaned (`parseOutside`).
 * @throws Refusal invalid: what is wrong with the whole, else the first field; too-large above `max` bytes
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
  max?: number,
): Promise<z.output<T>> {
  const body = await readBody(request, max);
  const result = schema.safeParse(body, { error: sayIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ path }) => path.length === 0) ?? issues[0]!;
  throw new Refusal("invalid", issue.message, issue.path.join(".") || undefined);
}

async function readBody(request: Request, max?: number): Promise<unknown> {
  const text = await readText(request, max);
  try {
    return parseOutside(text === "" ? "{}" : text);
  } catch {
    throw new Refusal("invalid", "O corpo do pedido não é um JSON válido");
  }
}

const MAX_BODY = 256 * 1024;

/** The request's body as it came, for what is signed: its reader cleans it. @throws Refusal too-large where it is longer than `max` bytes */
export async function readText(request: Request, max = MAX_BODY): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, max));
}
