import { expect, test } from "vitest";
import { FilesOfProcess } from "#tests/support/run/files-of-process.ts";

const passed = {
  tasks: [{ result: {} }, { tasks: [{ result: { errors: [{ message: "expected 1 to be 2" }] } }] }],
};
const timedOut = (what: string) => ({
  message: `${what} timed out in 120000ms.\nIf this is a long-running one …`,
});

function ran(path: string, file: object | undefined, files = new FilesOfProcess()): FilesOfProcess {
  files.begin(path);
  files.work();
  if (file) files.end(file);
  return files;
}

test("files that ended and files of which no test ran are not named by those after them", () => {
  const files = ran("a.test.ts", passed);
  files.begin("skipped.test.ts");
  files.begin("b.test.ts");
  files.work();
  expect(files.words()).toBe("");
});

test.each([
  ["whose hook timed out", { result: { errors: [timedOut("Hook")] } }],
  ["whose test in a group timed out", { tasks: [{ tasks: [{ result: { errors: [timedOut("Test")] } }] }] }],
  ["that did not come to its end", undefined],
])("a file %s is named by all after it in its process, and not by itself", (_, file) => {
  const files = ran("a.test.ts", undefined);
  expect(files.words()).toBe("");
  if (file) files.end(file);
  for (const next of ["b.test.ts", "c.test.ts"]) {
    ran(next, passed, files);
    expect(files.words()).toMatch(/running: a\.test\.ts\./);
  }
});

test("a file whose last hook continues after its timeout learns that the next one has begun", () => {
  const files = new FilesOfProcess();
  const isFirstsTurn = files.begin("a.test.ts");
  expect(isFirstsTurn()).toBe(true);
  const isSecondsTurn = files.begin("b.test.ts");
  expect([isFirstsTurn(), isSecondsTurn()]).toEqual([false, true]);
});
