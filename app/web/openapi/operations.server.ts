import type { Endpoint, Method } from "#app/web/api.server.ts";
import type { Says } from "#app/web/openapi/says.ts";

/** A method of the API at its address, e.g. `/api/products/:productId`. */
export type Operation = { address: string; method: Method; says: Says };

/** A route with its code; `loader` is an `Endpoint` where it is one of the API's. */
export type ApiRoute = { address: string; module: object };

let routesOf: () => ApiRoute[] = () => [];
let known: Operation[] | undefined;

/** Tells where the routes are. They are looked at when they are first asked for: a build names them late. */
export function publishRoutes(routes: () => ApiRoute[]): void {
  routesOf = routes;
  known = undefined;
}

/** Every method that says what it is, in the order of the route table. */
export function operations(): Operation[] {
  known ??= routesOf().flatMap(operationsOf);
  return known;
}

function operationsOf({ address, module }: ApiRoute): Operation[] {
  const { loader } = module as { loader?: Partial<Endpoint> };
  return Object.entries(loader?.says ?? {}).map(([method, says]) => ({
    address,
    method: method as Method,
    says,
  }));
}
