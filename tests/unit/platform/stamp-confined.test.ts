import { buffer } from "node:stream/consumers";
import { createDeflate } from "node:zlib";
import { expect, test, vi } from "vitest";
import { stampConfined } from "#app/platform/pdf/stamp-confined.server.ts";
import { handmade, pdf, stampsOf } from "#tests/support/files/pdfs.ts";

/** On a busy machine a process of its own takes its time. */
vi.setConfig({ testTimeout: 60_000 });

const WORDS = { before: "Licenciado para", name: "Ana", after: "ana@exemplo.com.br · pedido 1a2b3c4d" };

const streamed = (bytes: Uint8Array) => [bytes] as unknown as AsyncIterable<Uint8Array>;
/** How many pages it has; a file that was to be refused is not looked at. */
const pagesOf = (bytes: Uint8Array) =>
  stampConfined(streamed(bytes), bytes.byteLength, WORDS, async ({ pages }) => pages);

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
  const { pages, size, bytes } = await stampConfined(
    streamed(source),
    source.byteLength,
    WORDS,
    async (kept) => ({
      ...kept,
      bytes: await buffer(kept.bytes),
    }),
  );
  expect([pages, size]).toEqual([2, bytes.byteLength]);
  expect((await stampsOf(bytes))[1]![0]).toContain("Ana · ana@exemplo.com.br");
});

test("what becomes more than memory holds is heavy, whatever it is made of", async () => {
  const blanks = await bomb(900);
  const stream = `9 0 obj\n<</Type/ObjStm/N 9/First 9/Filter/FlateDecode/Length ${blanks.length}>>\nstream\n${blanks}\nendstream\nendobj`;
  await expect(pagesOf(handmade(stream))).rejects.toMatchObject({ kind: "heavy" });
  const objects = handmade(`9 0 obj\n[${"[]".repeat(6_000_000)}]\nendobj`);
  await expect(pagesOf(objects)).rejects.toMatchObject({ kind: "heavy" });
});

test("what broke off on its way is an error, and nothing is kept", async () => {
  const keep = vi.fn();
  await expect(stampConfined(streamed(await pdf(1)), 1_000_000, WORDS, keep)).rejects.toThrow("broke off");
  expect(keep).not.toHaveBeenCalled();
});
