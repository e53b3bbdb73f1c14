import { readFileSync } from "node:fs";

/** When the newest migration this version knows was made, as the database records it once it is run. Unix milliseconds. */
export function newestMigration(): number {
  return Math.max(...madeAt());
}

/** The same of the first: what a database recorded before it is of a version that this one cannot take over. */
export function firstMigration(): number {
  return Math.min(...madeAt());
}

function madeAt(): number[] {
  const journal = JSON.parse(readFileSync("drizzle/meta/_journal.json", "utf8")) as {
    entries: { when: number }[];
  };
  return journal.entries.map(({ when }) => when);
}
