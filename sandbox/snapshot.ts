import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transaction } from "./transactions.ts";

/** Stores the charges across restarts, so that a code shown before one can still be paid after it. */
export interface Snapshot {
  load(): Transaction[];
  /** Writes soon; many changes share one write. */
  changed(): void;
  /** Writes pending changes at once. */
  flush(): void;
}

const DEBOUNCE = 200;

/** Without `dataDir` nothing is stored. `list` is called when the snapshot is written. */
export function createSnapshot(dataDir: string | undefined, list: () => Transaction[]): Snapshot {
  if (!dataDir) return { load: () => [], changed() {}, flush() {} };
  const path = join(dataDir, "sandbox.json");
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    if (!timer) return;
    clearTimeout(timer);
    timer = undefined;
    mkdirSync(dataDir as string, { recursive: true });
    // Written to a second file and renamed, so that a kill while writing leaves the earlier snapshot intact.
    writeFileSync(`${path}.part`, JSON.stringify({ transactions: list() }));
    renameSync(`${path}.part`, path);
  }

  return {
    load() {
      try {
        return (JSON.parse(readFileSync(path, "utf8")) as { transactions: Transaction[] }).transactions;
      } catch {
        // Without a readable snapshot the sandbox starts empty instead of failing.
        return [];
      }
    },
    changed() {
      timer ??= setTimeout(flush, DEBOUNCE).unref();
    },
    flush,
  };
}
