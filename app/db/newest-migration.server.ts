import { readFileSync } from "node:fs";

/** When the newest migration this version knows was made, as the database records it once it is run. Unix milliseconds. */
export function newestMigration(): number {
  const journal = JSON.parse(readFileSync("drizzle/meta/_journal.json", "utf8")) as {
    entries: { when: number }[];
  };
  return Math.max(...journal.entries.map((e) => e.when));
}
