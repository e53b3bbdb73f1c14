import { readFileSync } from "node:fs";

/** The part of a test or a suite that is read here. */
type Task = {
  readonly result?: { readonly errors?: readonly { message: string }[] };
  readonly tasks?: readonly Task[];
};

/** Vitest's message about a test or hook that timed out: its code may still run. */
const GIVEN_UP = /^(Hook|Test) timed out in /;

/** The test files of one process, one after another, and which of them may have left something running. */
export class FilesOfProcess {
  private count = 0;
  private path = "";
  private isAtWork = false;
  private readonly left: string[] = [];

  /** The next file. @returns whether this one is still current */
  begin(path: string): () => boolean {
    if (this.isAtWork) this.left.push(this.path);
    this.isAtWork = false;
    this.path = path;
    const own = ++this.count;
    return () => own === this.count;
  }

  /** Its first test is about to run: a file with only skipped tests has no such moment, and no end. */
  work(): void {
    this.isAtWork = true;
  }

  /** Its apps are closed and its database is gone. */
  end(file: Task): void {
    if (wasGivenUp(file)) this.left.push(this.path);
    this.isAtWork = false;
  }

  /** Printed below the failures of a file that ran after one that may have left something running. */
  words(): string {
    return this.left.length === 0
      ? ""
      : `\nBefore, in this process, a hook or test timed out or a last hook failed, and may have left something running: ${this.left.join(", ")}. Look there first.`;
  }
}

function wasGivenUp({ result, tasks = [] }: Task): boolean {
  return (result?.errors ?? []).some(({ message }) => GIVEN_UP.test(message)) || tasks.some(wasGivenUp);
}

/** Whether a file uses the worker that an earlier one left, and leaves its own. */
export function sharesWorker(file: string): boolean {
  return /\bkeepWorker: true|\bsharedApp\(/.test(readFileSync(file, "utf8"));
}
