import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const AT_ONCE = 6;

/** Claims a slot at a given moment, and keeps it until its input ends. */
const TAKER = `
  import { claimSlot } from ${JSON.stringify(join(process.cwd(), "tests/support/run/slots.ts"))};
  const [root, at] = process.argv.slice(1);
  while (Date.now() < Number(at));
  const { number } = claimSlot(root);
  console.log(number);
  process.stdin.on("end", () => process.exit()).resume();
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
  const takers = Array.from({ length: AT_ONCE }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", TAKER, root, at], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  onTestFinished(() => takers.forEach((taker) => void taker.kill()));
  // None ends before all have claimed theirs.
  const numbers = await Promise.all(
    takers.map(async ({ stdout }) => Number(String((await once(stdout, "data"))[0]))),
  );
  for (const { stdin } of takers) stdin.end();
  expect(new Set(numbers).size, `slots given: ${numbers.join(", ")}`).toBe(AT_ONCE);
});
