import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { PROGRAMS } from "#scripts/program.ts";
import { WRONG_SETTINGS } from "#tests/integration/harness/wrong-settings.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";

const COMMANDS: Record<string, readonly string[]> = {
  web: PROGRAMS.web,
  worker: PROGRAMS.worker,
  migrate: ["scripts/migrate.ts"],
  start: ["scripts/start.ts"],
  backup: ["scripts/backup.ts", "/tmp/nao-se-faz.gz"],
  restore: ["scripts/restore.ts", "/tmp/nao-se-faz.gz"],
  "retry-mails": ["scripts/retry-mails.ts", "2026-01-01"],
};

/** Every setting at once, each with a wrong value, and a folder that cannot be written. */
const wrong = {
  ...Object.fromEntries(Object.entries(WRONG_SETTINGS).map(([name, values]) => [name, values[0]!])),
  DATA_DIR: "/proc/x",
};

function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const environment = { PATH, HOME, ...env } as unknown as NodeJS.ProcessEnv;
  const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

const namesIn = (output: string) => [...output.matchAll(/^ {2}- (\w+): /gm)].map(([, name]) => name!).sort();

// Each takes seconds of processor time to load.
for (const [name, args] of Object.entries(COMMANDS)) {
  const ofEach = ["web", "worker", "migrate"].includes(name) ? test : longTest;
  ofEach(`${name} reports every wrong setting at once, once each, and exits`, async () => {
    const { code, output } = await run(args, wrong);
    expect(code, output).toBe(1);
    expect(output).toContain("O ambiente não permite iniciar:");
    expect(namesIn(output)).toEqual(Object.keys(wrong).sort());
    expect(output).not.toMatch(/node:internal|triggerUncaught|^ {4}at |Invalid/m);
  });
}

test.each(everyNth(2, ["minhaloja", ""]))(
  "npm start with APP_URL=%s and an invalid port reports both",
  async (APP_URL) => {
    const { code, output } = await run(COMMANDS.start!, { APP_URL, PORT: "abc", DATA_DIR: "/proc/x" });
    expect(code, output).toBe(1);
    expect(namesIn(output)).toEqual(expect.arrayContaining(["DATA_DIR", "PORT"]));
    expect(output).not.toMatch(/node:internal|^ {4}at /m);
  },
);
