import { z } from "zod";
import { STALE } from "#app/db/version.server.ts";
import { askedRange } from "#app/domain/reports/figures/period.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { type Args, errorJson, type Handler, json, readJson } from "#app/web/api.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { type Late, type Need, now, type Says } from "#app/web/openapi/says.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

type Caller = Awaited<ReturnType<typeof requireApiSeller>>;

/** What a caller may name of what it means to replace. */
const VERSION = z.object({ version: z.string({ error: "A versão deve ser um texto" }).optional() });

type Given<N, B> = Args & { seller: N extends Need ? Caller : null } & {
  /** The body by its schema. @throws Refusal invalid, too-large */
  read: () => Promise<B extends z.ZodType ? z.output<B> : never>;
  /** The same of a `versioned` method, with the version that the caller looked at. @throws Refusal invalid, too-large */
  readVersioned: () => Promise<{ fields: B extends z.ZodType ? z.output<B> : never; version?: string }>;
};

/**
 * A method of the API that says what it needs, takes and answers. What it says is what is done: the caller is asked for
 * what `needs` names before anything else, and `read` reads the body by the schema that is published.
 * @param max the most bytes a body may have, where it is not the usual
 */
export function method<N extends Need | undefined = undefined, B extends z.ZodType | undefined = undefined>(
  says: Says & { needs?: N; body?: Late<B>; max?: number },
  handle: (given: Given<N, B>) => Promise<Response | object | null>,
): Handler {
  const { max, ...told } = says;
  return Object.assign(
    async (args: Args) => {
      const { request } = args;
      const seller = await callerFor(request, says);
      refuseUnknownRange(request, says);
      const read = () => readJson(request, now(says.body) as z.ZodType, max);
      const readVersioned = () => readWithVersion(request, now(says.body) as z.ZodType, max);
      const given = { ...args, seller, read, readVersioned } as Given<N, B>;
      return says.versioned ? withTag(await handle(given).catch(orUnmatched(request))) : handle(given);
    },
    { says: told as Says },
  );
}

/** Every report's period is read here first. @throws Refusal invalid */
function refuseUnknownRange(request: Request, { query }: Says): void {
  if (query && "range" in query.shape) askedRange(new URL(request.url).searchParams.get("range"));
}

async function readWithVersion(request: Request, schema: z.ZodType, max?: number) {
  const body = await readJson(request, z.intersection(schema, VERSION), max);
  const { version, ...fields } = body as { version?: string };
  return { fields, version: matched(request) ?? version };
}

/** The version that `If-Match` names; any will do where it is `*`. */
function matched(request: Request): string | undefined {
  const named = request.headers.get("if-match")?.trim();
  return named === "*" ? undefined : named?.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/** RFC 9110 has a status of its own for an `If-Match` that is none. */
function orUnmatched(request: Request): (error: unknown) => Response {
  return (error) => {
    const isUnmatched = error instanceof Refusal && error.code === STALE && request.headers.has("if-match");
    if (!isUnmatched) throw error;
    return errorJson({ ...toFailure(error, request), status: 412 });
  };
}

function withTag(answer: Response | object | null): Response | object | null {
  const { version } = answer as { version?: string };
  return version ? json(answer, 200, { ETag: `"${version}"` }) : answer;
}

async function callerFor(request: Request, { needs, recent }: Says): Promise<Caller | null> {
  if (!needs) return null;
  // What no key may do is refused for that, not for a scope that would change nothing.
  const caller = await requireApiSeller(request, needs === "session" ? null : needs);
  if (needs === "session" || (recent && !("scopes" in caller))) requireOwner(caller);
  return caller;
}
