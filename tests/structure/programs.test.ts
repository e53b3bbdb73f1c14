import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROGRAMS } from "#scripts/program.ts";

const read = (file: string) => readFileSync(file, "utf8");

test("package.json, the Dockerfile and compose.yaml start web and worker alike", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const [web, worker] = [PROGRAMS.web, PROGRAMS.worker].map((args) => ["node", ...args]);
  expect(scripts.serve.split(" ")).toEqual(web);
  expect(scripts.worker.split(" ")).toEqual(worker);
  expect(JSON.parse(/^CMD (\[.+\])$/m.exec(read("Dockerfile"))![1]!)).toEqual(web);
  expect(read("compose.yaml")).toContain(`command: [${worker!.map((word) => `"${word}"`).join(", ")}]`);
});
