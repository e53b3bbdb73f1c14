import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { needBuild } from "#tests/support/run/need-build.ts";

needBuild();
const file = pathToFileURL(resolve("build/index.js")).href;
const build: ServerBuild = await import(/* @vite-ignore */ file);
const handle = createRequestHandler(build, "production");

/** Counts the passes of the event loop until stopped. */
function countPasses() {
  let passes = 0;
  let goesOn = true;
  const next = () => {
    passes++;
    if (goesOn) setImmediate(next);
  };
  setImmediate(next);
  return {
    now: () => passes,
    stop() {
      goesOn = false;
    },
  };
}

test("concurrent screens are rendered one at a time, and the event loop serves others in between", async () => {
  // Loads what is loaded lazily.
  await handle(new Request("http://localhost/terms"));
  const loop = countPasses();
  const renderedAt = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const answer = await handle(new Request("http://localhost/terms"));
      expect(answer.status).toBe(200);
      const pass = loop.now();
      await answer.text();
      return pass;
    }),
  );
  loop.stop();
  expect(new Set(renderedAt).size).toBe(renderedAt.length);
});
