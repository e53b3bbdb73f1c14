import { expect, test } from "vitest";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { readByteRange } from "#app/server/files/byte-range.ts";
import { type SentFile, sendFile } from "#app/server/files/send-file.server.ts";

const CONTENT = Buffer.from("uma apostila");
const MODIFIED_AT = new Date("2026-03-10T12:30:15.678Z");
/** The same in a header, which has whole seconds. */
const LAST_MODIFIED = "Tue, 10 Mar 2026 12:30:15 GMT";

async function* contentOf(from: number, to: number) {
  yield CONTENT.subarray(from, to + 1);
}

/** Answers a request for a file of a sale that no other test uses. */
function send(headers: Record<string, string> = {}, file: Partial<SentFile> = {}): Promise<Response> {
  return sendFile(new Request("http://localhost:3000/download", { headers }), {
    ...{ saleId: crypto.randomUUID(), tag: "v1", name: "apostila.txt", contentType: "text/plain" },
    ...{ size: CONTENT.length, modifiedAt: MODIFIED_AT },
    read: async (from, to) => contentOf(from, to),
    countDownload: async () => {},
    ...file,
  });
}

test.each<[string | null, ReturnType<typeof readByteRange>]>([
  ["bytes=0-0", { from: 0, to: 0 }],
  ["bytes=2-5", { from: 2, to: 5 }],
  ["bytes=9-9", { from: 9, to: 9 }],
  ["bytes=4-", { from: 4, to: 9 }],
  ["bytes=4-99", { from: 4, to: 9 }],
  ["bytes=-3", { from: 7, to: 9 }],
  ["bytes=-99", { from: 0, to: 9 }],
  [" Bytes=3-4 ", { from: 3, to: 4 }],
  ["bytes=-0", "none"],
  ["bytes=10-", "none"],
  ["bytes=10-12", "none"],
  ["bytes=5-4", null],
  ["bytes=-", null],
  ["bytes=0-1,3-4", null],
  ["lines=0-1", null],
  ["", null],
  [null, null],
])("of a file of ten bytes the range %j is %j", (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range);
});

test("a client that has a part by its date gets the rest of the same file, and the whole of another", async () => {
  expect((await send()).headers.get("last-modified")).toBe(LAST_MODIFIED);
  const continued = (date: string) => send({ Range: "bytes=4-", "If-Range": date });
  const rest = await continued(LAST_MODIFIED);
  expect([rest.status, await rest.text()]).toEqual([206, "apostila"]);
  for (const date of ["Tue, 10 Mar 2026 12:30:14 GMT", "Tue, 10 Mar 2026 12:30:16 GMT", "ontem"]) {
    const whole = await continued(date);
    expect([whole.status, await whole.text()], date).toEqual([200, "uma apostila"]);
  }
});

test("a sale has twenty downloads at once; the next client is asked to come back in half a minute", async () => {
  const saleId = crypto.randomUUID();
  for (let open = 0; open < 20; open++) expect((await send({}, { saleId })).status).toBe(200);
  await expect(send({}, { saleId })).rejects.toMatchObject({ kind: "too-many", retryAfter: 30 });
});

test("a download that fails before its first byte uses no slot, and closes what it opened", async () => {
  const saleId = crypto.randomUUID();
  let closed = 0;
  const opened: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true, value: undefined }),
      return: async () => {
        closed += 1;
        return { done: true, value: undefined };
      },
    }),
  };
  const read = () => Promise.reject(new Error("no storage"));
  const countDownload = () => Promise.reject(new Error("no download left"));
  for (let attempt = 0; attempt < 15; attempt++) {
    await expect(send({}, { saleId, read })).rejects.toThrow("no storage");
    await expect(send({}, { saleId, read: async () => opened, countDownload })).rejects.toThrow("left");
  }
  expect(closed).toBe(15);
  expect((await send({}, { saleId })).status).toBe(200);
});

test("a file's name is sent in plain letters, and exactly beside them", () => {
  const sent = attachmentDisposition("L'été (2ª ed.)*.pdf");
  expect(sent).toContain(`filename="L'ete (2_ ed.)*.pdf"`);
  expect(sent).toContain("filename*=UTF-8''L%27%C3%A9t%C3%A9%20%282%C2%AA%20ed.%29%2A.pdf");
});
