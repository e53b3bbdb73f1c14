import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oldMigrations } from "#scripts/restore-old/old-migrations.ts";

/**
 * `node scripts/restore-old/make-baseline.ts`: regenerates `drizzle/` from the schema and `functions.sql`. Only until 1.0
 * is released; after that each change of the schema is a migration of its own.
 */
const JOURNAL = join("meta", "_journal.json");
const FILE = "0000_baseline.sql";

mkdirSync(".cache", { recursive: true });
const made = mkdtempSync(join(".cache", "baseline-"));
try {
  execFileSync(
    process.execPath,
    [
      ...["node_modules/drizzle-kit/bin.cjs", "generate", "--dialect=postgresql", "--casing=snake_case"],
      ...["--schema=./app/db/schema/*.server.ts", `--out=${made}`, "--name=baseline"],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  // No need for CONCURRENTLY: the table is created in the same transaction.
  const tables = readFileSync(join(made, FILE), "utf8").replace(
    /(CREATE (?:UNIQUE )?INDEX) CONCURRENTLY/g,
    "$1",
  );
  const functions = readFileSync("scripts/restore-old/functions.sql", "utf8");
  const text = `${tables.trimEnd()}--> statement-breakpoint\n${functions}`;
  const journal = JSON.parse(readFileSync(join(made, JOURNAL), "utf8"));
  const before = earlier();
  const newestOld = Math.max(...oldMigrations().map(({ when }) => when));
  if (before?.text === text && before.when > newestOld) console.log("drizzle/ is as it would be made.");
  else {
    // Later than any migration of an older schema state, so that such a database is refused and not mistaken for this one.
    journal.entries[0].when = Math.max(Date.now(), newestOld + 1, (before?.when ?? 0) + 1);
    rmSync("drizzle", { recursive: true, force: true });
    mkdirSync(join("drizzle", "meta"), { recursive: true });
    writeFileSync(join("drizzle", FILE), text);
    writeFileSync(join("drizzle", JOURNAL), `${JSON.stringify(journal, null, 2)}\n`);
    const snapshot = join("meta", "0000_snapshot.json");
    writeFileSync(join("drizzle", snapshot), readFileSync(join(made, snapshot)));
    console.log("drizzle/ is made anew.");
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}

function earlier(): { text: string; when: number } | null {
  if (!existsSync(join("drizzle", FILE))) return null;
  const { entries } = JSON.parse(readFileSync(join("drizzle", JOURNAL), "utf8"));
  if (entries.length > 1)
    throw new Error("drizzle/ holds migrations beside the baseline: move them to restore-old/ first");
  return { text: readFileSync(join("drizzle", FILE), "utf8"), when: entries[0].when };
}
