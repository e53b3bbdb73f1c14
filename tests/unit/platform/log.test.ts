import { spawnSync } from "node:child_process";
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

test("of many errors put together the first ten are logged, and how many follow", () => {
  const line = logged(
    `{ err: new AggregateError(Array.from({ length: 13 }, (_, n) => new Error("no " + n)), "outer") }`,
  );
  const { err } = JSON.parse(line);
  expect(err.aggregateErrors.map(({ message }: Error) => message).at(-1)).toBe("no 9");
  expect([err.aggregateErrors.length, err.moreErrors]).toEqual([10, 3]);
});
