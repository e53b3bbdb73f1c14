import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import { parseOutside } from "#app/kit/outside-json.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { finish } from "#app/platform/shutdown.server.ts";
import { readBytes } from "#app/web/door/read-bytes.server.ts";
import { retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { sayIssue } from "#app/web/say-issue.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Handler = (args: Args) => Promise<Response | object | null>;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The loader and action of a resource route: one handler a method, a plain object becomes JSON, a refusal becomes
 * `{"error": "<Portuguese>"}` with its status and, where programs need it, its `code`, an unknown method 405.
 */
export function endpoint(handlers: Partial<Record<Method, Handler>>) {
  async function handle(args: Args): Promise<Response> {
    const { method } = args.request;
    const handler = pick(handlers, method === "HEAD" ? "GET" : method);
    if (!handler)
      return json({ error: "Método não permitido" }, 405, { Allow: Object.keys(handlers).join(", ") });
    try {
      const answer = await handler(args);
      return answer instanceof Response ? answer : json(answer, 200);
    } catch (error) {
      if (error instanceof Response) return error;
      const failure = toFailure(error, args.request);
      const { status, message, field, code, requestId } = failure;
      return json(
        {
          error: message,
          ...(field ? { field } : {}),
          ...(code ? { code } : {}),
          ...(requestId ? { request_id: requestId } : {}),
        },
        status,
        retryHeaders(failure),
      );
    }
  }
  const finished = (args: Args) => finish(handle(args));
  return { loader: finished, action: finished };
}

/** A JSON answer that nobody keeps. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: { "Cache-Control": "no-store", ...headers },
  });
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
