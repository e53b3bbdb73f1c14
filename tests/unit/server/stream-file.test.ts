import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { streamFile } from "#app/server/files/stream-file.server.ts";

const PIECE = 1000;
const PIECES = 20;

/** A file that is always ready to be read: each piece is written over the one before. */
async function* file() {
  const piece = Buffer.alloc(PIECE);
  for (let nth = 0; nth < PIECES; nth++) yield piece.fill(nth);
}

test("of many files sent at once one chunk is written per turn, and each arrives whole", async () => {
  const writtenIn: number[] = [];
  let pass = 0;
  let clock = setImmediate(function next() {
    pass++;
    clock = setImmediate(next);
  });
  const server = createServer((_, answer) => {
    const write = answer.write.bind(answer);
    answer.write = ((piece: Buffer, then: () => void) => {
      writtenIn.push(pass);
      return write(piece, then);
    }) as typeof write;
    void streamFile(file(), answer);
  });
  await once(server.listen(0), "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const whole = Buffer.concat(Array.from({ length: PIECES }, (_, nth) => Buffer.alloc(PIECE, nth)));
  const download = () =>
    new Promise<Buffer>((done, fail) => {
      get(url, { agent: false }, (answer) => buffer(answer).then(done, fail)).on("error", fail);
    });
  const came = await Promise.all(Array.from({ length: 30 }, download));
  clearImmediate(clock);
  server.close();
  expect(came.every((each) => each.equals(whole))).toBe(true);
  expect(writtenIn).toHaveLength(30 * PIECES);
  expect(new Set(writtenIn).size).toBe(writtenIn.length);
});

test("a file whose reader disconnects is not read on", async () => {
  const over = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      over.resolve();
    }
  }
  const server = createServer((_, answer) => void streamFile(endless(), answer));
  await once(server.listen(0), "listening");
  get(`http://localhost:${(server.address() as AddressInfo).port}`, { agent: false }, (answer) =>
    answer.once("data", () => answer.destroy()),
  );
  await over.promise;
  server.close();
});
