type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/** Groups under way at once, where not said: one that waits for a lock holds up no other. */
const AT_ONCE = 3;

/**
 * Does the same work for many who come at once in few statements: whoever comes while others are under way waits for them
 * and goes with all who wait by then. Whoever comes alone goes at once. Where a group fails each is tried alone, so that
 * nobody fails because of another.
 * @param work gives one result for each item, in their order
 * @param atOnce groups under way at once: one, where all write the same row
 */
export function inGroups<T, R>(
  most: number,
  work: (items: T[]) => Promise<R[]>,
  atOnce = AT_ONCE,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;

  async function go(): Promise<void> {
    underWay += 1;
    for (let group = waiting.splice(0, most); group.length > 0; group = waiting.splice(0, most))
      await serve(group);
    underWay -= 1;
  }

  async function serve(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [at, { resolve }] of group.entries()) resolve(results[at]!);
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else await Promise.all(group.map((one) => serve([one])));
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < atOnce) void go();
    });
}
