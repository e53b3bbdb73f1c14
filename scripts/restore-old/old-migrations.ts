import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A migration from before 1.0. A backup names its database's newest migration by `when`. */
export type OldMigration = { when: number; name: string; text: string };

const HEAD = /^--> migration (\d+) (\w+)$/m;

/** All of them in order: `old-schema.sql` is their files concatenated. */
export function oldMigrations(): OldMigration[] {
  const [, ...parts] = readOld("old-schema.sql").split(HEAD);
  const found: OldMigration[] = [];
  for (let i = 0; i < parts.length; i += 3)
    found.push({ when: Number(parts[i]), name: parts[i + 1]!, text: parts[i + 2]! });
  return found;
}

/** The statements that convert the newest old schema to that of 1.0. */
export function conversion(): string[] {
  return [readOld("convert.sql"), readOld("functions.sql")];
}

function readOld(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}
