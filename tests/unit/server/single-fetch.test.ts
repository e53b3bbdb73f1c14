import { encodeViaTurboStream } from "@remix-run/server-runtime/dist/single-fetch.js";
import { expect, test } from "vitest";
import { fc } from "#tests/support/random.ts";
import { readAnswer } from "#tests/unit/server/single-fetch.ts";

/** Pieces of the stream's own format, for texts that look like it. */
const PIECE = fc.constantFrom(
  ...[
    '["',
    '"]',
    '","',
    "{",
    "}",
    '"_1":2',
    "_1",
    "-5",
    "P",
    "P1:",
    "E1:",
    "Z",
    "SanitizedError",
    "ErrorResponse",
  ],
  ...[
    "SingleFetchRedirect",
    "Function",
    "__proto__",
    "__type",
    "\\",
    "\n",
    "\r\n",
    "\u2028",
    "</script>",
    "é",
    "😀",
  ],
);
const text = fc.oneof(
  fc.array(PIECE, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);
/** What a loader returns: keys are ours, texts anybody's. */
const loaded = fc.record({
  name: text,
  list: fc.array(text, { maxLength: 5 }),
  rows: fc.array(fc.record({ text, again: text, none: fc.constant(null) }), { maxLength: 3 }),
});

test("any text arrives in the browser unchanged, whatever of the stream's format it contains", async () => {
  await fc.assert(
    fc.asyncProperty(loaded, async (data) => {
      const value = { "routes/seller/sale/sale": { data } };
      const stream = encodeViaTurboStream(value, new AbortController().signal, 0, "production" as never);
      const answer = new Response(stream, { headers: { "Content-Type": "text/x-script; charset=utf-8" } });
      expect(await readAnswer(answer)).toEqual(value);
    }),
  );
});
