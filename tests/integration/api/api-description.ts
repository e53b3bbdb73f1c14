import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ApiRoute,
  listOperations,
  type Operation,
  registerRoutes,
} from "#app/server/openapi/operations.server.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";

/** The API's routes with their code, as the running app has them from its build. */
export async function apiRoutes(): Promise<ApiRoute[]> {
  const rows = (await routeTable()).filter(({ address }) => address.startsWith("/api/"));
  return Promise.all(
    rows.map(async ({ address, file }) => ({
      address,
      module: await import(/* @vite-ignore */ pathToFileURL(resolve("app", file)).href),
    })),
  );
}

/** What every method of the API publishes about itself. */
export async function apiOperations(): Promise<Operation[]> {
  const routes = await apiRoutes();
  registerRoutes(() => routes);
  return listOperations();
}
