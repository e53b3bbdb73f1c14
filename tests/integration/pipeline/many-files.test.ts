import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { sendFile } from "#app/server/files/send-file.server.ts";
import type { RouteModule } from "#app/server/pipeline/serve-resource-routes.server.ts";
import { currentResponse } from "#app/server/pipeline/socket-request.server.ts";
import { servePipeline } from "#tests/integration/pipeline/serve-route.ts";

const PIECES = [200_000, 200_000, 300, 200_000, 1, 200_000, 10_000];
const WHOLE = Buffer.concat(PIECES.map((length, nth) => Buffer.alloc(length, nth)));

/** A file that is always ready to be read: each piece is written over the one before. */
async function* file() {
  const piece = Buffer.alloc(200_000);
  for (const [nth, length] of PIECES.entries()) yield piece.fill(nth).subarray(0, length);
}

const answerWith = (request: Request) =>
  sendFile(request, {
    ...{ saleId: "sale", tag: "tag", name: "aula.mp4", size: WHOLE.length, contentType: "video/mp4" },
    ...{ modifiedAt: new Date(), read: async () => file(), countDownload: async () => {} },
  });

test("of many files sent at once one piece is written per turn, and each arrives whole", async () => {
  const writtenIn: number[] = [];
  let turn = 0;
  let clock = setImmediate(function next() {
    turn++;
    clock = setImmediate(next);
  });
  const loader = async ({ request }: { request: Request }) => {
    const response = currentResponse()!;
    const write = response.write.bind(response);
    response.write = ((piece: Buffer) => {
      writtenIn.push(turn);
      return write(piece);
    }) as typeof write;
    return answerWith(request);
  };
  const { port, close } = await servePipeline({ loader } as RouteModule);
  const download = () =>
    new Promise<Buffer>((done, fail) => {
      get(`http://localhost:${port}/own`, { agent: false }, (answer) => buffer(answer).then(done, fail)).on(
        "error",
        fail,
      );
    });
  const came = await Promise.all(Array.from({ length: 15 }, download));
  clearImmediate(clock);
  close();
  expect(came.every((each) => each.equals(WHOLE))).toBe(true);
  expect(writtenIn).toHaveLength(15 * PIECES.length);
  expect(new Set(writtenIn).size).toBe(writtenIn.length);
});

test("a file is whole under any server, whoever reads its answer and however late", async () => {
  const answer = await answerWith(new Request("http://localhost/own"));
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body!) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(WHOLE)).toBe(true);
});
