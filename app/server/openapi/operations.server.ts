import type { Endpoint, Method } from "#app/server/api/endpoint.server.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";

/** An API method at its path, e.g. `/api/products/:productId`. */
export type Operation = { address: string; method: Method; spec: MethodSpec };

/** A route with its module; `loader` is an `Endpoint` for API routes. */
export type ApiRoute = { address: string; module: object };

let loadRoutes: () => ApiRoute[] = () => [];
let cached: Operation[] | undefined;

/** Registers the routes. They are read at their first use, since the build sets them late. */
export function registerRoutes(routes: () => ApiRoute[]): void {
  loadRoutes = routes;
  cached = undefined;
}

/** Every method with a spec, in the order of the route table. */
export function listOperations(): Operation[] {
  cached ??= loadRoutes().flatMap(operationsOf);
  return cached;
}

function operationsOf({ address, module }: ApiRoute): Operation[] {
  const { loader } = module as { loader?: Partial<Endpoint> };
  return Object.entries(loader?.spec ?? {}).map(([method, spec]) => ({
    address,
    method: method as Method,
    spec,
  }));
}
