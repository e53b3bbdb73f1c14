import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { guardRequests } from "#app/server/pipeline/guard-requests.server.ts";
import { type RouteModule, serveResourceRoutes } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { afterFile } from "#tests/support/run/after-file.ts";

/** A server of one route through the request pipeline, for tests in `tests/integration/pipeline`. */
export async function servePipeline(module: RouteModule): Promise<{ port: number; close: () => void }> {
  afterFile(guardRequests(() => ({ id: "own", pattern: "/own", params: {} })));
  afterFile(
    serveResourceRoutes(
      () => module,
      () => {},
    ),
  );
  const server = createServer();
  await once(server.listen(0), "listening");
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
