/**
 * A body whose errors are replaced by what `describe` makes of them: one that breaks off says as little about its file as a
 * request that failed.
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
