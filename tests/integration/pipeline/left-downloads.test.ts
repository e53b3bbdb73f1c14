import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { sendFile } from "#app/server/files/send-file.server.ts";
import { limitExport } from "#app/server/limits/limit-exports.server.ts";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { currentResponse } from "#app/server/pipeline/socket-request.server.ts";
import { streamText } from "#app/server/response/stream-text.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";
import { until } from "#tests/support/until.ts";

let answered = 0;

async function* bytes() {
  yield new TextEncoder().encode("uma apostila");
}

async function* rows() {
  yield "uma linha";
}

const ways: Record<string, (request: Request) => Promise<Response>> = {
  file: (request) =>
    sendFile(request, {
      ...{ saleId: "sale", tag: "tag", name: "apostila.txt", size: 12, contentType: "text/plain" },
      ...{ modifiedAt: new Date(), read: async () => bytes(), countDownload: async () => {} },
    }),
  export: async () => streamText(limitExport("seller", rows()), { "Content-Type": "text/csv" }),
};

const loader = async ({ request }: { request: Request }) => {
  const { pathname } = new URL(request.url);
  const [, way, isLate] = pathname.split("/");
  if (isLate) await once(currentResponse()!, "close");
  answered++;
  return ways[way!]!(request);
};
const { port } = await servePipeline({ loader } as RouteModule);

test.for(Object.keys(ways))("clients that left before their %s was answered hold no place", async (way) => {
  answered = 0;
  const left = Array.from({ length: 25 }, async () => {
    const socket = connect(port, "localhost");
    await once(socket, "connect");
    socket.write(`GET /${way}/late HTTP/1.1\r\nHost: localhost\r\n\r\n`, () => socket.destroy());
  });
  await Promise.all(left);
  await until(() => answered === 25);
  const answer = await fetch(`http://localhost:${port}/${way}`);
  expect([answer.status, await answer.text()]).toEqual([200, way === "file" ? "uma apostila" : "uma linha"]);
});
