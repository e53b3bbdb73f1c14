import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { currentResponse } from "#app/server/pipeline/socket-request.server.ts";
import { pullStream } from "#app/server/response/pull-stream.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";

const PIECE = 1000;
const PIECES = 20;

/** A file that is always ready to be read. */
async function* file() {
  for (let nth = 0; nth < PIECES; nth++) yield Buffer.alloc(PIECE, nth);
}

test("of many files sent at once one piece is written per turn, and each arrives whole", async () => {
  const writtenIn: number[] = [];
  let turn = 0;
  let clock = setImmediate(function next() {
    turn++;
    clock = setImmediate(next);
  });
  const loader = async () => {
    const response = currentResponse()!;
    const write = response.write.bind(response);
    response.write = ((piece: Buffer) => {
      writtenIn.push(turn);
      return write(piece);
    }) as typeof write;
    return new Response(pullStream(file(), (piece) => piece));
  };
  const { port, close } = await servePipeline({ loader } as RouteModule);
  const whole = Buffer.concat(Array.from({ length: PIECES }, (_, nth) => Buffer.alloc(PIECE, nth)));
  const download = () =>
    new Promise<Buffer>((done, fail) => {
      get(`http://localhost:${port}/own`, { agent: false }, (answer) => buffer(answer).then(done, fail)).on(
        "error",
        fail,
      );
    });
  const came = await Promise.all(Array.from({ length: 30 }, download));
  clearImmediate(clock);
  close();
  expect(came.every((each) => each.equals(whole))).toBe(true);
  expect(writtenIn).toHaveLength(30 * PIECES);
  expect(new Set(writtenIn).size).toBe(writtenIn.length);
});
