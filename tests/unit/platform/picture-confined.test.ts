import { expect, test } from "vitest";
import { ConfinedTimeout } from "#app/platform/confined/run-confined.server.ts";
import { processPicture } from "#app/platform/picture/process-picture.server.ts";
import { photo } from "#tests/support/files/photos.ts";

const streamed = (bytes: Uint8Array) => [bytes] as unknown as AsyncIterable<Uint8Array>;

test("a picture that costs more processor time than it may is heavy", async () => {
  const limits = { processorMs: 100, clockMs: 50_000 };
  await expect(processPicture(streamed(await photo(900, 600)), "product", limits)).rejects.toMatchObject({
    kind: "heavy",
  });
});

test("a picture that got too little of a busy machine's time is not at fault", async () => {
  const limits = { processorMs: 50_000, clockMs: 50 };
  await expect(processPicture(streamed(await photo(900, 600)), "product", limits)).rejects.toThrow(
    ConfinedTimeout,
  );
});
