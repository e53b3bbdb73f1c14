import { type ChildProcess, spawn } from "node:child_process";
import { watch } from "node:fs";

/** `npm run dev`: what `npm start` runs, built and started anew a moment after a source file was saved. */
const SOURCES = ["app", "sandbox", "drizzle", "remix.config.js"];
const QUIET = 150;

let child: ChildProcess = start();
let timer: NodeJS.Timeout | undefined;
let stopping = false;

for (const source of SOURCES) watch(source, { recursive: true }, () => changed());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    stopping = true;
    if (child.exitCode !== null) process.exit(0);
    child.once("exit", (code) => process.exit(code ?? 0));
    child.kill("SIGTERM");
  });
}

function start(): ChildProcess {
  return spawn(process.execPath, ["scripts/start.ts"], { stdio: "inherit", detached: true });
}

/** Editors write a file in several steps: wait until it is quiet, then until the old one is gone. */
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (stopping) return;
    const again = () => {
      if (!stopping) child = start();
    };
    if (child.exitCode !== null) return again();
    child.removeAllListeners("exit").once("exit", again);
    child.kill("SIGTERM");
  }, QUIET);
}
