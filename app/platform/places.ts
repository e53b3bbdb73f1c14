/** Gives a place back; a second call does nothing. */
export type Leave = () => void;

/**
 * Places by name in this process, at most so many of each.
 * @returns takes one; what that returns gives it back, and is null where none is free
 */
export function places(most: number): (name: string) => Leave | null {
  const taken = new Map<string, number>();
  return (name) => {
    const before = taken.get(name) ?? 0;
    if (before >= most) return null;
    taken.set(name, before + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = taken.get(name)! - 1;
      if (left > 0) taken.set(name, left);
      else taken.delete(name);
    };
  };
}
