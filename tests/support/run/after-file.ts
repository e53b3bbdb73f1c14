const undoing: (() => unknown)[] = [];

/** Undoes something when the test file has ended: the next file may run in the same process. */
export function afterFile(undo: () => unknown): void {
  undoing.push(undo);
}

/** Sets an entry of an object of `#app` until the test file has ended. */
export function setForFile<T>(object: Record<string, T>, key: string, value: T): void {
  const before = Object.hasOwn(object, key) ? { value: object[key]! } : null;
  object[key] = value;
  afterFile(() => {
    if (before) object[key] = before.value;
    else delete object[key];
  });
}

/** Called by database.setup.ts. The last one is undone first. */
export async function undoFile(): Promise<void> {
  while (undoing.length > 0) await undoing.pop()!();
}
