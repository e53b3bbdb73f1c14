import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** The lines that a process writes which logs this. */
function logged(fields: object): string {
  const code = `import { log } from "#app/platform/log.server.ts";
    log.info(${JSON.stringify(fields)}, "said");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", LOG_LEVEL: "info" },
  });
  expect(stderr).toBe("");
  return stdout;
}

test("a secret or a document logged by mistake is redacted, what is beside it is not", () => {
  const names = ["authorization", "password", "token", "apiKey", "document"];
  const line = logged({
    customer: Object.fromEntries(names.map((name) => [name, `secret ${name}`])),
    saleId: "7",
  });
  const [{ customer, saleId }] = [JSON.parse(line)];
  expect(customer).toEqual(Object.fromEntries(names.map((name) => [name, "[oculto]"])));
  expect(saleId).toBe("7");
  expect(line).not.toContain("secret");
});
