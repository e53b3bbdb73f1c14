import { isStopping } from "#app/platform/shutdown.server.ts";

/** Before every row of a list that is read by time and id. `at` is text: a Date has no microseconds. */
export const FIRST_CURSOR = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * The batches of a list, each read after the last row of the one before: rows that stay in the list, since they are locked or
 * fail, do not hide others.
 * @param readAfter reads up to `batchSize` rows
 */
export async function* readBatches<Cursor, Row extends Cursor>(
  start: Cursor,
  batchSize: number,
  readAfter: (cursor: Cursor) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let cursor = start;
  for (;;) {
    const rows = await readAfter(cursor);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    cursor = rows.at(-1)!;
  }
}

/** The rows of these batches, one by one. None follows in a process that stops. */
export async function* readRows<Cursor, Row extends Cursor>(
  ...list: Parameters<typeof readBatches<Cursor, Row>>
): AsyncGenerator<Row> {
  for await (const rows of readBatches(...list))
    for (const row of rows) {
      if (isStopping()) return;
      yield row;
    }
}

/** The ids of these batches. None follows in a process that stops. */
export async function* readIds<Cursor, Row extends Cursor & { id: string }>(
  ...list: Parameters<typeof readBatches<Cursor, Row>>
): AsyncGenerator<string[]> {
  for await (const rows of readBatches(...list)) {
    if (isStopping()) return;
    yield rows.map(({ id }) => id);
  }
}
