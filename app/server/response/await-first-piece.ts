/**
 * The same pieces once the first one was made: where that fails, as in a database that is away, the caller can still answer with what
 * went wrong. Later a failure can only break the file off.
 */
export async function awaitFirstPiece<T>(pieces: AsyncGenerator<T>): Promise<AsyncIterator<T>> {
  let first: IteratorResult<T> | null = await pieces.next();
  return {
    next: async () => {
      const piece = first ?? (await pieces.next());
      first = null;
      return piece;
    },
    return: () => pieces.return(undefined),
  };
}
