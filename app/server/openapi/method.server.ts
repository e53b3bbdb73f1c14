import { z } from "zod";
import { type Handler, json, type RouteArgs } from "#app/server/api/endpoint.server.ts";
import { checkJson, readJson } from "#app/server/api/read-json.server.ts";
import { type ApiAccess, type Lazy, type MethodSpec, resolveLazy } from "#app/server/openapi/method-spec.ts";
import {
  ifMatchVersion,
  orPreconditionFailed,
  readWithVersion,
  withEtag,
} from "#app/server/openapi/preconditions.server.ts";
import {
  type Filter,
  listFilters,
  refuseUnknownFilter,
  refuseUnknownRange,
} from "#app/server/openapi/query-filters.server.ts";
import { ageHeader, readReport } from "#app/server/request/read-report.server.ts";
import { requireApiSeller } from "#app/server/session/guards.server.ts";
import { requireOwner } from "#app/server/session/recent-sign-in.server.ts";

type Caller = Awaited<ReturnType<typeof requireApiSeller>>;

type MethodArgs<N, B> = RouteArgs & { seller: N extends ApiAccess ? Caller : null } & {
  /** The body by its schema. @throws Refusal invalid, too-large */
  read: () => Promise<B extends z.ZodType ? z.output<B> : never>;
  /** The same, with the object that was sent, which has no defaults of the schema. @throws Refusal invalid, too-large */
  readWithSent: () => Promise<{ fields: B extends z.ZodType ? z.output<B> : never; sent: object }>;
  /** The same for a `versioned` method, with the version that the caller saw. @throws Refusal invalid, too-large */
  readVersioned: () => Promise<{ fields: B extends z.ZodType ? z.output<B> : never; version?: string }>;
  /** Of a `conditional` method: the version that the caller saw. */
  ifMatch: string | undefined;
  /** Of a method with `ownerFor`: for what it names. @throws Refusal forbidden */
  requireOwner: () => void;
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
      const ifMatch = ifMatchVersion(request);
      const requireOwner = () => requireDescribedOwner(seller, spec);
      const readers = { read, readWithSent, readVersioned, ifMatch };
      const methodArgs = { ...args, ...readers, seller, requireOwner } as MethodArgs<N, B>;
      if (spec.isReport) return withAge(request, seller!.id, () => handle(methodArgs));
      if (!spec.versioned && !spec.conditional) return handle(methodArgs);
      const answer = await handle(methodArgs).catch(orPreconditionFailed(request));
      return spec.versioned ? withEtag(answer) : answer;
    },
    { spec: publicSpec as MethodSpec },
  );
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

async function callerFor(request: Request, { needs, recentSignIn }: MethodSpec): Promise<Caller | null> {
  if (!needs) return null;
  // What no key may do is refused for that reason, not for a missing scope that would not help.
  const caller = await requireApiSeller(request, needs === "session" ? null : needs);
  if (needs === "session" || (recentSignIn && !("scopes" in caller))) requireOwner(caller);
  return caller;
}

/** Only what the description says is refused like this: a handler that asks without `ownerFor` is a mistake. */
function requireDescribedOwner(caller: Caller | null, { ownerFor, summary }: MethodSpec): void {
  if (!caller || !ownerFor) throw new Error(`"${summary}" describes nothing that only its owner may do`);
  requireOwner(caller);
}
