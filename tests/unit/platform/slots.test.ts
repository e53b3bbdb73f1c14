import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const AT_ONCE = 6;

/** Claims a slot at a given moment and keeps it until all have claimed theirs. */
const TAKER = `
  import { claimSlot } from ${JSON.stringify(join(process.cwd(), "tests/support/run/slots.ts"))};
  const [root, at] = process.argv.slice(1);
  while (Date.now() < Number(at));
  const { number } = claimSlot(root);
  console.log(number);
  setTimeout(() => {}, 1000);
`;

test("processes that claim slots at once, beside locks of dead processes, each get their own", async () => {
  const root = mkdtempSync(join(tmpdir(), "slots-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let number = 0; number < AT_ONCE; number++) {
    mkdirSync(join(root, String(number)));
    // No process has this number: the system's highest is lower.
    writeFileSync(join(root, String(number), "owner.7"), "99999999");
  }
  const at = String(Date.now() + 1500);
  const slots = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", TAKER, root, at]),
    ),
  );
  const numbers = slots.map(({ stdout }) => Number(stdout));
  expect(new Set(numbers).size, `slots given: ${numbers.join(", ")}`).toBe(AT_ONCE);
});
