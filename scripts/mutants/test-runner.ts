import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { SECOND } from "#app/kit/duration.ts";
import type { Answer, Request } from "#scripts/mutants/run-tests.ts";

/** A run that takes longer is stopped: the fault makes something wait, or never end. */
const MAX_SECONDS = 240;
const MAX_LONG_SECONDS = 900;

/** Runs tests in one copy of the sources. */
export class TestRunner {
  private readonly copy: string;
  private process: ChildProcess | undefined;
  private changed: string[] = [];

  /** @param copy its folder */
  constructor(copy: string) {
    this.copy = copy;
  }

  /** Says that a source of the copy is another than at the last run. */
  change(file: string): void {
    this.changed.push(file);
  }

  /** Ends what stays between two runs: the next one begins with its own PostgreSQL template. */
  async end(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || hasEnded(child)) return;
    child.disconnect();
    await once(child, "exit");
  }

  async build(): Promise<boolean> {
    const build = spawn(process.execPath, ["scripts/build.ts"], { cwd: this.copy, stdio: "ignore" });
    const [status] = await once(build, "exit");
    return status === 0;
  }

  /** @param files paths of tests, relative to the copy @returns those that failed, or whatever else did; null if it was stopped */
  async run(files: string[], { everyWay = false } = {}): Promise<string[] | null> {
    if (files.length === 0) return [];
    if (!this.process || hasEnded(this.process)) this.process = this.start();
    const child = this.process;
    const ends = new AbortController();
    const { signal } = ends;
    const seconds = everyWay ? MAX_LONG_SECONDS : MAX_SECONDS;
    const stop = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), seconds * SECOND);
    child.send({ files, changed: this.changed.splice(0), everyWay } satisfies Request);
    const answer = await Promise.race([
      once(child, "message", { signal }).then(([answer]) => (answer as Answer).failed),
      once(child, "exit", { signal }).then(([status, killed]) => (killed ? null : [`exit code ${status}`])),
    ]);
    ends.abort();
    clearTimeout(stop);
    return answer;
  }

  private start(): ChildProcess {
    // A process group of its own: its children end with it.
    return fork("scripts/mutants/run-tests.ts", { cwd: this.copy, stdio: "ignore", detached: true });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
