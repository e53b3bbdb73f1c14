import { type ClientRequest, get } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { eventStream } from "#app/server/response/event-stream.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

test("a stream ends with its reader, also after a garbage collection", async () => {
  const left: Promise<void>[] = [];
  const loader = ({ request }: { request: Request }) => {
    const { body, ended } = eventStream(request);
    left.push(ended);
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const { port, close } = await servePipeline({ loader } as RouteModule);
  const url = `http://localhost:${port}/own`;
  const open = () =>
    new Promise<ClientRequest>((opened, fail) => {
      const sent = get(url, { agent: false }, (answer) => {
        answer.on("error", () => {}).resume();
        opened(sent);
      });
      sent.on("error", fail);
    });
  const readers = await Promise.all([open(), open(), open()]);
  for (let times = 0; times < 5; times++) {
    collect();
    await new Promise((later) => setImmediate(later));
  }
  for (const reader of readers) reader.destroy();
  await Promise.all(left);
  expect(left).toHaveLength(3);
  close();
});
