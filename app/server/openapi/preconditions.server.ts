import { z } from "zod";
import { STALE } from "#app/db/version.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { errorJson, json } from "#app/server/api/endpoint.server.ts";
import { readJson } from "#app/server/api/read-json.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";

/** The version a caller wants to replace. */
const VERSION = z.object({ version: z.string({ error: "A versão deve ser um texto" }).optional() });

/** The body of a `versioned` method, and the version that its caller wants to replace. @throws Refusal invalid, too-large */
export async function readWithVersion(request: Request, schema: z.ZodType, max?: number) {
  const body = await readJson(request, z.intersection(schema, VERSION), max);
  const { version, ...fields } = body as { version?: string };
  return { fields, version: ifMatchVersion(request) ?? version };
}

/**
 * The version in `If-Match`, or several with commas between them; undefined, for any version, if it is `*`. A proxy that
 * compresses an answer renames its ETag (Caddy to `"…-gzip"`), and the client sends that back.
 */
export function ifMatchVersion(request: Request): string | undefined {
  const named = request.headers.get("if-match")?.trim();
  if (named === "*") return undefined;
  const tags = named?.split(",").map((tag) => tag.trim());
  return tags?.map((tag) => tag.replace(/^(?:W\/)?"([0-9a-f]*)(?:-\w+)?"$/, "$1")).join(",");
}

/** RFC 9110 has its own status for an `If-Match` that does not match. */
export function orPreconditionFailed(request: Request): (error: unknown) => Response {
  return (error) => {
    const isUnmatched = error instanceof Refusal && error.code === STALE && request.headers.has("if-match");
    if (!isUnmatched) throw error;
    return errorJson({ ...toFailure(error, request), status: 412 });
  };
}

/** An answer with its version as `ETag`. */
export function withEtag(answer: Response | object | null): Response | object | null {
  const { version } = answer as { version?: string };
  return version ? json(answer, 200, { ETag: `"${version}"` }) : answer;
}
