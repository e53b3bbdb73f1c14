import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The lines that a process writes which logs this. @param fields code of them */
function logged(fields: string): string {
  const code = `import { log } from "#app/platform/log.server.ts";
    log.info(${fields}, "said");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", LOG_LEVEL: "info" },
  });
  expect(stderr).toBe("");
  return stdout;
}

test("a secret or a document logged by mistake is redacted, what is beside it is not", () => {
  const names = ["authorization", "password", "token", "apiKey", "document"];
  const secrets = Object.fromEntries(names.map((name) => [name, `secret ${name}`]));
  const line = logged(JSON.stringify({ customer: secrets, saleId: "7" }));
  const [{ customer, saleId }] = [JSON.parse(line)];
  expect(customer).toEqual(Object.fromEntries(names.map((name) => [name, "[oculto]"])));
  expect(saleId).toBe("7");
  expect(line).not.toContain("secret");
});

test("an error of a lost connection is logged without the connection", () => {
  const line = logged(
    `{ err: Object.assign(new Error("lost"), { code: "57P01", client: { secretKey: "secret", password: "secret" } }) }`,
  );
  expect(JSON.parse(line).err).toMatchObject({ message: "lost", code: "57P01" });
  expect(line).not.toContain("secret");
});

test("the values of a statement are in no line, also where several errors were put together", () => {
  const code = `import { DrizzleQueryError } from "drizzle-orm";
    import { log } from "#app/platform/log.server.ts";
    const one = new DrizzleQueryError("select 1", ["bia@exemplo.com.br"], new Error("lock timeout"));
    log.error({ err: new AggregateError([one, new AggregateError([one], "inner")], "outer") }, "said");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", LOG_LEVEL: "info" },
  });
  expect(stderr).toBe("");
  expect(stdout).toContain("lock timeout");
  expect(stdout).not.toContain("bia@");
});

test("a message for others has the causes of a failed statement, and none of its values", () => {
  const code = `import { DrizzleQueryError } from "drizzle-orm";
    import { messageWithoutValues } from "#app/platform/log.server.ts";
    const failed = new DrizzleQueryError("select 1", ["bia@exemplo.com.br"], new Error("lock timeout"));
    console.log(messageWithoutValues(new Error("not cleaned", { cause: failed })));
    console.log(messageWithoutValues("gone"));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect([stdout, stderr]).toEqual(["not cleaned: Failed query: select 1: lock timeout\ngone\n", ""]);
});

test("of many errors put together the first ten are logged, and how many follow", () => {
  const line = logged(
    `{ err: new AggregateError(Array.from({ length: 13 }, (_, n) => new Error("no " + n)), "outer") }`,
  );
  const { err } = JSON.parse(line);
  expect(err.aggregateErrors.map(({ message }: Error) => message).at(-1)).toBe("no 9");
  expect([err.aggregateErrors.length, err.moreErrors]).toEqual([10, 3]);
});

test("a process whose log finds no room goes on, and says how many lines were lost once there is room again", () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  const file = join(folder, "log");
  const code = `import { closeSync, openSync } from "node:fs";
    import { log, logConsole } from "#app/platform/log.server.ts";
    logConsole();
    for (const line of ["one", "two"]) log.info(line);
    await new Promise((resolve) => setTimeout(resolve));
    log.fatal("three");
    closeSync(1);
    openSync(${JSON.stringify(file)}, "w");
    log.info("four");`;
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: "", LOG_LEVEL: "info" },
  });
  closeSync(full);
  expect([status, stderr]).toEqual([0, ""]);
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ msg: "four" }, { msg: "lines of the log were lost", lines: 3 }]);
  rmSync(folder, { recursive: true });
});
