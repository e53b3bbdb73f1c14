import { buffer } from "node:stream/consumers";
import { createDeflate } from "node:zlib";
import { expect, test, vi } from "vitest";
import { ConfinedTimeout } from "#app/platform/confined/run-confined.server.ts";
import { stampInChildProcess } from "#app/platform/pdf/stamp-in-child-process.server.ts";
import { handmade, pdf, stampsOf } from "#tests/support/files/pdfs.ts";
import { longTest } from "#tests/support/run/ways.ts";

const TEXTS = { before: "Licenciado para", name: "Ana", after: "ana@exemplo.com.br · pedido 1a2b3c4d" };

const streamed = (bytes: Uint8Array) => [bytes] as unknown as AsyncIterable<Uint8Array>;
/** Its number of pages; a refused file is not opened. */
const pagesOf = (bytes: Uint8Array) =>
  stampInChildProcess(streamed(bytes), bytes.byteLength, TEXTS, async ({ pages }) => pages);

/** So many bytes of blanks, deflated. */
async function bomb(megabytes: number): Promise<string> {
  const deflate = createDeflate();
  const whole = buffer(deflate);
  const some = Buffer.alloc(1024 * 1024, " ");
  for (let each = 0; each < megabytes; each++) await new Promise((done) => deflate.write(some, done));
  deflate.end();
  return (await whole).toString("latin1");
}

test("a PDF comes back stamped, with its size", async () => {
  const source = await pdf(2);
  const { pages, size, bytes } = await stampInChildProcess(
    streamed(source),
    source.byteLength,
    TEXTS,
    async (options) => ({
      ...options,
      bytes: await buffer(options.bytes),
    }),
  );
  expect([pages, size]).toEqual([2, bytes.byteLength]);
  expect((await stampsOf(bytes))[1]![0]).toContain("Ana · ana@exemplo.com.br");
});

longTest("a PDF that unpacks to more than the memory is heavy", async () => {
  const blanks = await bomb(900);
  const stream = `9 0 obj\n<</Type/ObjStm/N 9/First 9/Filter/FlateDecode/Length ${blanks.length}>>\nstream\n${blanks}\nendstream\nendobj`;
  await expect(pagesOf(handmade(stream))).rejects.toMatchObject({ kind: "heavy" });
});

longTest("a PDF of more objects than the memory holds is heavy", async () => {
  const objects = handmade(`9 0 obj\n[${"[]".repeat(6_000_000)}]\nendobj`);
  await expect(pagesOf(objects)).rejects.toMatchObject({ kind: "heavy" });
});

test("a PDF that costs more processor time than it may is heavy; one that got too little of it is not at fault", async () => {
  const source = await pdf(1);
  const within = (limits: { processorMs: number; clockMs: number }) =>
    stampInChildProcess(streamed(source), source.byteLength, TEXTS, async ({ pages }) => pages, limits);
  await expect(within({ processorMs: 1, clockMs: 50_000 })).rejects.toMatchObject({ kind: "heavy" });
  await expect(within({ processorMs: 50_000, clockMs: 50 })).rejects.toThrow(ConfinedTimeout);
});

test("an interrupted run is an error, and nothing is stored", async () => {
  const keep = vi.fn();
  await expect(stampInChildProcess(streamed(await pdf(1)), 1_000_000, TEXTS, keep)).rejects.toThrow(
    "broke off",
  );
  expect(keep).not.toHaveBeenCalled();
});
