import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { METRICS_TYPE, metricsText, watchProcess } from "#app/platform/metrics.server.ts";

const ours = new WeakSet<Server>();

/** Whether a request came to the server of the metrics: it is neither logged nor counted as a visitor's. */
export function isForMetrics(server: Server): boolean {
  return ours.has(server);
}

/**
 * Serves `/metrics` and `/healthz` on a port of their own, beside whatever the process does. It never keeps the process
 * alive, and a port in use is an error in the log: selling goes on.
 * @param port undefined: nothing is served
 * @param process.isWell what `/healthz` answers: 200 or 503
 * @param process.more further metrics, as text, asked for at each look
 */
export function serveMetrics(
  port: number | undefined,
  process: { isWell?: () => boolean; more?: () => Promise<string> } = {},
): void {
  if (port === undefined) return;
  watchProcess();
  const server = createServer((request, response) => {
    answer(request, response, process).catch((err) => {
      log.error({ err }, "metrics not told");
      say(response, 500, "");
    });
  });
  ours.add(server);
  server.on("error", (err) => log.error({ err, port }, "metrics are not served"));
  server.listen(port, env.METRICS_HOST, () => log.info({ host: env.METRICS_HOST, port }, "metrics served"));
  server.unref();
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { isWell = () => true, more = async () => "" }: { isWell?: () => boolean; more?: () => Promise<string> },
): Promise<void> {
  if (method !== "GET" && method !== "HEAD") return say(response, 405, "");
  const path = url.split("?", 1)[0];
  if (path === "/healthz") return isWell() ? say(response, 200, "ok\n") : say(response, 503, "not working\n");
  if (path !== "/metrics") return say(response, 404, "");
  const [own, further] = await Promise.all([metricsText(), more()]);
  say(response, 200, own + further, METRICS_TYPE);
}

function say(
  response: ServerResponse,
  status: number,
  body: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
}
