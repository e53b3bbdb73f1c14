/**
 * A body whose failure to arrive is described by `describe`: nothing is known about the file then, as where the request for
 * it failed.
 */
export function describeFailures(
  body: AsyncIterable<Uint8Array>,
  describe: (error: unknown) => unknown,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: () =>
          chunks.next().catch((error) => {
            throw describe(error);
          }),
        return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
