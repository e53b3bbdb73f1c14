import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { collectProcessMetrics, METRICS_CONTENT_TYPE, metricsText } from "#app/platform/metrics.server.ts";

const metricsServers = new WeakSet<Server>();

/** Whether a server is the metrics server: its requests are neither logged nor counted. */
export function isMetricsServer(server: Server): boolean {
  return metricsServers.has(server);
}

/**
 * Serves `/metrics` and `/healthz` on their own port. It never keeps the process alive, and a port in use is only
 * logged, so that sales go on.
 * @param port undefined: nothing is served
 * @param process.isHealthy what `/healthz` answers: 200 or 503
 * @param process.moreMetrics further metrics as text, read at each scrape
 */
export function serveMetrics(
  port: number | undefined,
  process: { isHealthy?: () => boolean; moreMetrics?: () => Promise<string> } = {},
): void {
  if (port === undefined) return;
  collectProcessMetrics();
  const server = createServer((request, response) => {
    handleRequest(request, response, process).catch((err) => {
      log.error({ err }, "metrics could not be read");
      respond(response, 500, "");
    });
  });
  metricsServers.add(server);
  server.on("error", (err) => log.error({ err, port }, "metrics are not served"));
  server.listen(port, env.METRICS_HOST, () => log.info({ host: env.METRICS_HOST, port }, "metrics served"));
  server.unref();
}

async function handleRequest(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  {
    isHealthy = () => true,
    moreMetrics = async () => "",
  }: { isHealthy?: () => boolean; moreMetrics?: () => Promise<string> },
): Promise<void> {
  if (method !== "GET" && method !== "HEAD") return respond(response, 405, "");
  const path = url.split("?", 1)[0];
  if (path === "/healthz")
    return isHealthy() ? respond(response, 200, "ok\n") : respond(response, 503, "not working\n");
  if (path !== "/metrics") return respond(response, 404, "");
  const [own, otherMetrics] = await Promise.all([metricsText(), moreMetrics()]);
  respond(response, 200, own + otherMetrics, METRICS_CONTENT_TYPE);
}

function respond(
  response: ServerResponse,
  status: number,
  body: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
}
