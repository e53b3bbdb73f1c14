import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { expect, test } from "vitest";
import { needBuild } from "#tests/support/run/need-build.ts";

needBuild();
const file = pathToFileURL(resolve("build/index.js")).href;
const build: ServerBuild = await import(/* @vite-ignore */ file);
const handle = createRequestHandler(build, "production");

/** Counts the turns of the event loop until told to stop. */
function countTurns() {
  let turns = 0;
  let goesOn = true;
  const next = () => {
    turns++;
    if (goesOn) setImmediate(next);
  };
  setImmediate(next);
  return {
    now: () => turns,
    stop() {
      goesOn = false;
    },
  };
}

test("screens asked for at once are rendered one at a time, and the event loop serves others in between", async () => {
  // What is loaded lazily is loaded.
  await handle(new Request("http://localhost/terms"));
  const loop = countTurns();
  const renderedAt = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const answer = await handle(new Request("http://localhost/terms"));
      expect(answer.status).toBe(200);
      const turn = loop.now();
      await answer.text();
      return turn;
    }),
  );
  loop.stop();
  expect(new Set(renderedAt).size).toBe(renderedAt.length);
});
