import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const AT_ONCE = 6;

/** Takes a slot at an agreed moment and keeps it until all have taken theirs. */
const TAKER = `
  import { takeSlot } from ${JSON.stringify(join(process.cwd(), "tests/support/run/slots.ts"))};
  const [root, at] = process.argv.slice(1);
  while (Date.now() < Number(at));
  const { number } = takeSlot(root);
  console.log(number);
  setTimeout(() => {}, 1000);
`;

test("processes that take slots at once, beside locks of processes that are gone, each get their own", async () => {
  const root = mkdtempSync(join(tmpdir(), "slots-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let number = 0; number < AT_ONCE; number++) {
    mkdirSync(join(root, String(number)));
    // No process has this number: the system's highest is lower.
    writeFileSync(join(root, String(number), "owner.7"), "99999999");
  }
  const at = String(Date.now() + 1500);
  const taken = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", TAKER, root, at]),
    ),
  );
  const numbers = taken.map(({ stdout }) => Number(stdout));
  expect(new Set(numbers).size, `slots given: ${numbers.join(", ")}`).toBe(AT_ONCE);
});
