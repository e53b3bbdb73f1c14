import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerAtDoor, type RouteModule } from "#app/web/door/answer-at-door.server.ts";
import { openFrontDoor } from "#app/web/door/front-door.server.ts";

/** A server of one route, answered at the door as long as this process lives: for tests in `tests/integration/door`. */
export async function serveAtDoor(module: RouteModule): Promise<{ port: number; close: () => void }> {
  openFrontDoor(() => ({ id: "own", address: "/own", params: {} }));
  answerAtDoor(
    () => module,
    () => {},
  );
  const server = createServer();
  await once(server.listen(0), "listening");
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
