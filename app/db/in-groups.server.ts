type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

type How = {
  /** Groups under way at once, 3 where not said: one that waits for a lock holds up no other. One, where all write the same row. */
  atOnce?: number;
  /** How long the first waits for others to come, in milliseconds; where not said only for those of the same moment. */
  gather?: number;
};

/**
 * Does the same work for many who come at once in few statements: those of one moment go together, and whoever comes while
 * others are under way waits for them and goes with all who wait by then. Where a group fails each is tried alone, so that
 * nobody fails because of another.
 * @param work gives one result for each item, in their order
 */
export function inGroups<T, R>(
  most: number,
  work: (items: T[]) => Promise<R[]>,
  { atOnce = 3, gather = 0 }: How = {},
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let isGathering = false;

  function comeTogether(): void {
    isGathering = true;
    const leave = () => {
      isGathering = false;
      if (underWay < atOnce) void go();
    };
    if (gather > 0) setTimeout(leave, gather);
    else setImmediate(leave);
  }

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
      if (!isGathering && underWay < atOnce) comeTogether();
    });
}
