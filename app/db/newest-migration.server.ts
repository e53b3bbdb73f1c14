import { readFileSync } from "node:fs";

/** The creation time of this version's newest migration, as the database records it. Unix milliseconds. */
export function newestMigration(): number {
  return Math.max(...migrationTimes());
}

/** The creation time of the first: a database with an older record is from an incompatible version. */
export function firstMigration(): number {
  return Math.min(...migrationTimes());
}

function migrationTimes(): number[] {
  const journal = JSON.parse(readFileSync("drizzle/meta/_journal.json", "utf8")) as {
    entries: { when: number }[];
  };
  return journal.entries.map(({ when }) => when);
}
