import { z } from "zod";
import { STALE } from "#app/db/version.server.ts";
import { requestedRange } from "#app/domain/reports/figures/period.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import {
  checkJson,
  errorJson,
  type Handler,
  json,
  type RouteArgs,
  readJson,
} from "#app/server/api/endpoint.server.ts";
import { type ApiAccess, type Lazy, type MethodSpec, resolveLazy } from "#app/server/openapi/method-spec.ts";
import { ageHeader, readReport } from "#app/server/request/read-report.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { requireApiSeller } from "#app/server/session/guards.server.ts";
import { requireOwner } from "#app/server/session/recent-sign-in.server.ts";

type Caller = Awaited<ReturnType<typeof requireApiSeller>>;

/** The version a caller wants to replace. */
const VERSION = z.object({ version: z.string({ error: "A versão deve ser um texto" }).optional() });

type MethodArgs<N, B> = RouteArgs & { seller: N extends ApiAccess ? Caller : null } & {
  /** The body by its schema. @throws Refusal invalid, too-large */
  read: () => Promise<B extends z.ZodType ? z.output<B> : never>;
  /** The same, with the object that was sent, which has no defaults of the schema. @throws Refusal invalid, too-large */
  readWithSent: () => Promise<{ fields: B extends z.ZodType ? z.output<B> : never; sent: object }>;
  /** The same for a `versioned` method, with the version that the caller saw. @throws Refusal invalid, too-large */
  readVersioned: () => Promise<{ fields: B extends z.ZodType ? z.output<B> : never; version?: string }>;
};

/**
 * An API method whose spec is enforced: the access in `needs` is checked before anything else, and `read` validates the
 * body by the published schema.
 * @param max maximal body size in bytes, if it differs from the default
 */
export function method<
  N extends ApiAccess | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: MethodSpec & { needs?: N; body?: Lazy<B>; max?: number },
  handle: (methodArgs: MethodArgs<N, B>) => Promise<Response | object | null>,
): Handler {
  const { max, ...publicSpec } = spec;
  // At the first request: the schemas of all routes would be converted when the process starts.
  let filters: Filter[] | undefined;
  return Object.assign(
    async (args: RouteArgs) => {
      const { request } = args;
      const seller = await callerFor(request, spec);
      refuseUnknownRange(request, spec);
      filters ??= listFilters(spec);
      refuseUnknownFilter(request, filters);
      const read = () => readJson(request, resolveLazy(spec.body) as z.ZodType, max);
      const readVersioned = () => readWithVersion(request, resolveLazy(spec.body) as z.ZodType, max);
      const readWithSent = async () => {
        const sent = await readJson(request, z.looseObject({}), max);
        return { fields: checkJson(sent, resolveLazy(spec.body) as z.ZodType), sent };
      };
      const methodArgs = { ...args, seller, read, readWithSent, readVersioned } as MethodArgs<N, B>;
      if (spec.isReport) return withAge(request, seller!.id, () => handle(methodArgs));
      return spec.versioned
        ? withEtag(await handle(methodArgs).catch(orPreconditionFailed(request)))
        : handle(methodArgs);
    },
    { spec: publicSpec as MethodSpec },
  );
}

/** Validates the period of every report first. @throws Refusal invalid */
function refuseUnknownRange(request: Request, { query }: MethodSpec): void {
  if (query && "range" in query.shape) requestedRange(new URL(request.url).searchParams.get("range"));
}

/** A parameter whose values are known: one of `choices`, or what fits the schema. */
type Filter = { name: string; choices: string[] | null; fits: (text: string) => boolean };

/** The parameters that choose among rows, by what is published of them: words of a list, numbers, ids and page cursors. */
function listFilters({ query }: MethodSpec): Filter[] {
  return Object.entries(query?.shape ?? {}).flatMap(([name, schema]): Filter[] => {
    if (name === "range" || PAGE_PARAMETERS.includes(name)) return [];
    const published = z.toJSONSchema(schema as z.ZodType, { io: "input" });
    const { type, format, pattern, const: only, enum: words } = published;
    const choices = words ?? (only === undefined ? undefined : [only]);
    if (pattern && !format) return [{ name, choices: null, fits: (text) => schema.safeParse(text).success }];
    if (choices) return [{ name, choices: choices.map(String), fits: (text) => choices.includes(text) }];
    if (type === "integer") return [{ name, choices: null, fits: (text) => /^\d{1,15}$/.test(text) }];
    return format === "uuid" ? [{ name, choices: null, fits: isUuid }] : [];
  });
}

/** Read with a default where they are none. */
const PAGE_PARAMETERS = ["limit", "offset"];

/** A client would take all rows for those it requested. @throws Refusal invalid */
function refuseUnknownFilter(request: Request, filters: Filter[]): void {
  if (filters.length === 0) return;
  const asked = new URL(request.url).searchParams;
  for (const { name, choices, fits } of filters) {
    const text = asked.get(name);
    if (!text || fits(text)) continue;
    const known = choices
      ? `use ${[choices.slice(0, -1).join(", "), choices.at(-1)].filter(Boolean).join(" ou ")}`
      : "valor desconhecido";
    throw new Refusal("invalid", `${name}: ${known}`, name);
  }
}

async function readWithVersion(request: Request, schema: z.ZodType, max?: number) {
  const body = await readJson(request, z.intersection(schema, VERSION), max);
  const { version, ...fields } = body as { version?: string };
  return { fields, version: ifMatchVersion(request) ?? version };
}

/**
 * The version in `If-Match`; undefined, for any version, if it is `*`. A proxy that compresses an answer renames its ETag
 * (Caddy to `"…-gzip"`), and the client sends that back.
 */
function ifMatchVersion(request: Request): string | undefined {
  const named = request.headers.get("if-match")?.trim();
  return named === "*" ? undefined : named?.replace(/^(?:W\/)?"([0-9a-f]*)(?:-\w+)?"$/, "$1");
}

/** RFC 9110 has its own status for an `If-Match` that does not match. */
function orPreconditionFailed(request: Request): (error: unknown) => Response {
  return (error) => {
    const isUnmatched = error instanceof Refusal && error.code === STALE && request.headers.has("if-match");
    if (!isUnmatched) throw error;
    return errorJson({ ...toFailure(error, request), status: 412 });
  };
}

async function withAge(
  request: Request,
  sellerId: string,
  handle: () => Promise<Response | object | null>,
): Promise<Response> {
  const { report, dataTime } = await readReport(request, sellerId, handle);
  const answer = report instanceof Response ? report : json(report);
  for (const [name, value] of Object.entries(ageHeader(dataTime))) answer.headers.set(name, value);
  return answer;
}

function withEtag(answer: Response | object | null): Response | object | null {
  const { version } = answer as { version?: string };
  return version ? json(answer, 200, { ETag: `"${version}"` }) : answer;
}

async function callerFor(request: Request, { needs, recentSignIn }: MethodSpec): Promise<Caller | null> {
  if (!needs) return null;
  // What no key may do is refused for that reason, not for a missing scope that would not help.
  const caller = await requireApiSeller(request, needs === "session" ? null : needs);
  if (needs === "session" || (recentSignIn && !("scopes" in caller))) requireOwner(caller);
  return caller;
}
