import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

let moment = Date.now();

/**
 * A version that has more migrations than ours.
 * @param more the statements of each by its name, in order
 * @returns the folder of all its migrations, and the creation time of each additional one
 */
export function laterVersion(more: Record<string, string[]>): { folder: string; times: number[] } {
  const folder = mkdtempSync(join(".cache", "later-"));
  cpSync("drizzle", folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8"));
  const times = Object.entries(more).map(([tag, statements]) => {
    writeFileSync(join(folder, `${tag}.sql`), statements.join(";\n--> statement-breakpoint\n"));
    moment += 1000;
    journal.entries.push({ idx: journal.entries.length, version: "7", when: moment, tag, breakpoints: true });
    return moment;
  });
  writeFileSync(file, JSON.stringify(journal));
  return { folder, times };
}
