import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UNDOS, undo } from "../../bench/pipeline/undos.ts";

test("`bench -- pipeline` can undo each optimisation that docs/request-pipeline.md lists", () => {
  const [, table] = readFileSync("docs/request-pipeline.md", "utf8").split("## Optimisations");
  const listed = [...table!.matchAll(/^\| (?!name|---)([^|]+) \|/gm)].map(([, name]) => name);
  expect(Object.keys(UNDOS).sort()).toEqual(listed.sort());
  const build = readFileSync("build/index.js", "utf8");
  for (const name of Object.keys(UNDOS)) expect(undo(build, name), name).not.toBe(build);
});
