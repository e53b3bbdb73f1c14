import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fairQueue } from "#app/platform/fair-queue.server.ts";
import { isMetricsServer } from "#app/platform/serve-metrics.server.ts";
import { serialQueue } from "#app/server/limits/serial-queue.server.ts";
import { matchedRoute } from "#app/server/pipeline/guard-requests.server.ts";
import { messageClientKey } from "#app/server/request/client.server.ts";

/** Routes on a buyer's way to a purchase and its files, providers' webhooks, and health checks. */
const PRIORITY_ROUTES =
  /^\/(checkout(?!\/csp)|upsell|thank-you|download|pictures|api\/checkout|api\/payments|api\/webhooks|healthz|readyz)(\/|$)/;
/** Of these, the pages that are answered from memory, in less time than they would wait. */
const CACHED_ROUTES = /^\/((checkout|api\/checkout\/products)\/(:productId|s\/:slug)|healthz|readyz)$/;
/** Those that take a small part of the time that a page takes. */
const LIGHT_ROUTES = /^\/api\/webhooks\/|\/events$/;
/** Those whose answers may last for minutes. */
const LONG_ROUTES = /^\/(download|pictures)\/|\/events$/;

/** Whether requests of a route start before others. @param pattern e.g. `/checkout/:productId` */
export function isPriorityRoute(pattern: string): boolean {
  return PRIORITY_ROUTES.test(pattern);
}

/** Whether a request of a route waits for no other. @param pattern e.g. `/checkout/:productId` */
export function isCachedRoute(method: string | undefined, pattern: string): boolean {
  return method === "GET" && CACHED_ROUTES.test(pattern);
}

/**
 * Starts buyers' requests one in three turns of the event loop, in a fair order (`fairQueue`), so that a flood delays a
 * buyer by a few requests and not at each of the steps that an order takes. Starts all other requests one at a time, and
 * while a buyer is being answered, with pauses (`serialQueue`). Only their start waits: whatever they wait for afterwards,
 * the next one may start. The wrapper that is installed last runs first, so this is called after the others.
 */
export function scheduleRequests(): void {
  const { emit } = Server.prototype;
  let buyersInWork = 0;
  const startInTurn = fairQueue();
  const startQueued = serialQueue(() => buyersInWork > 0);
  Server.prototype.emit = function (this: Server, name: string, ...given: unknown[]) {
    const start = () => Reflect.apply(emit, this, [name, ...given]);
    if (name !== "request" || isMetricsServer(this)) return start();
    const [request, response] = given as [IncomingMessage, ServerResponse];
    const pattern = matchedRoute(request)?.pattern ?? "";
    // Usually answered before anything else could start.
    if (isCachedRoute(request.method, pattern)) return start();
    if (isPriorityRoute(pattern)) {
      if (!LONG_ROUTES.test(pattern)) {
        buyersInWork++;
        response.once("close", () => {
          buyersInWork--;
        });
      }
      const startUnlessClosed = () => {
        if (!response.closed) start();
      };
      startInTurn(messageClientKey(request), startUnlessClosed, LIGHT_ROUTES.test(pattern));
      return true;
    }
    void startQueued(async () => {
      if (!response.closed) start();
      // Counts what it does before the event loop goes on.
      await nextTurn();
    });
    return true;
  };
}
