import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import { isMetricsServer } from "#app/platform/serve-metrics.server.ts";
import { serialQueue } from "#app/server/limits/serial-queue.ts";
import { matchedRoute } from "#app/server/pipeline/guard-requests.server.ts";

/** Routes on a buyer's way to a purchase and its files, providers' webhooks, and health checks. */
const PRIORITY_ROUTES =
  /^\/(checkout(?!\/csp)|upsell|thank-you|download|pictures|api\/checkout|api\/payments|api\/webhooks|healthz|readyz)(\/|$)/;

/** Whether requests of a route start at once. @param pattern e.g. `/checkout/:productId` */
export function isPriorityRoute(pattern: string): boolean {
  return PRIORITY_ROUTES.test(pattern);
}

/**
 * Starts all other requests one at a time, with pauses between them while more wait, so that a flood of them delays a buyer by one
 * request and not by all. Only their start waits: whatever they wait for afterwards, the next one may start. The wrapper
 * that is installed last runs first, so this is called after the others.
 */
export function scheduleRequests(): void {
  const { emit } = Server.prototype;
  const startQueued = serialQueue();
  Server.prototype.emit = function (this: Server, name: string, ...given: unknown[]) {
    const start = () => Reflect.apply(emit, this, [name, ...given]);
    if (name !== "request" || isMetricsServer(this)) return start();
    const [request, response] = given as [IncomingMessage, ServerResponse];
    if (isPriorityRoute(matchedRoute(request)?.pattern ?? "")) return start();
    void startQueued(() => {
      if (!response.closed) start();
      // Counts what a request does before the event loop goes on.
      return new Promise<void>((done) => setImmediate(done));
    });
    return true;
  };
}
