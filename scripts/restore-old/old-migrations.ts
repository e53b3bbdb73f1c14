import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A migration of before 1.0. `when` it was made is how a backup names the newest that its database had run. */
export type OldMigration = { when: number; name: string; text: string };

const HEAD = /^--> migration (\d+) (\w+)$/m;

/** Those there were, in order: `old-schema.sql` is all their files, one after the other. */
export function oldMigrations(): OldMigration[] {
  const [, ...parts] = readOld("old-schema.sql").split(HEAD);
  const found: OldMigration[] = [];
  for (let i = 0; i < parts.length; i += 3)
    found.push({ when: Number(parts[i]), name: parts[i + 1]!, text: parts[i + 2]! });
  return found;
}

/** What makes the newest old schema that of 1.0. */
export function conversion(): string[] {
  return [readOld("convert.sql"), readOld("functions.sql")];
}

function readOld(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}
