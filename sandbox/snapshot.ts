import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transaction } from "./transactions.ts";

/** Keeps the PIX charges over a restart, so that a code shown before it can still be paid after it. */
export interface Snapshot {
  load(): Transaction[];
  /** Writes soon; many changes make one write. */
  changed(): void;
  /** Writes at once what is not yet written. */
  flush(): void;
}

const DEBOUNCE = 200;

/** `dataDir` absent: nothing is kept. `list` is asked at the moment of writing. */
export function createSnapshot(dataDir: string | undefined, list: () => Transaction[]): Snapshot {
  if (!dataDir) return { load: () => [], changed() {}, flush() {} };
  const path = join(dataDir, "sandbox.json");
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dataDir as string, { recursive: true });
    // Written beside and renamed, so that a kill in the middle leaves the earlier snapshot whole.
    writeFileSync(`${path}.part`, JSON.stringify({ transactions: list() }));
    renameSync(`${path}.part`, path);
  }

  return {
    load() {
      try {
        return (JSON.parse(readFileSync(path, "utf8")) as { transactions: Transaction[] }).transactions;
      } catch {
        // No snapshot yet, or one that cannot be read: a sandbox starts empty rather than not at all.
        return [];
      }
    },
    changed() {
      timer ??= setTimeout(flush, DEBOUNCE).unref();
    },
    flush,
  };
}
