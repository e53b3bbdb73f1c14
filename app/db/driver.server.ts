import type { Sql } from "postgres";
import { insideTransaction } from "#app/db/one-connection.server.ts";
import type { Pool } from "#app/db/pool.server.ts";
import { type Session, types } from "#app/db/session.server.ts";

type QueryOptions = { prepare?: boolean };
type Values = Parameters<Sql["unsafe"]>[1];

/** The part of the driver that Drizzle uses. A statement is sent when it is awaited; `values()` gives rows as lists. */
export type Driver = Pick<Sql, "unsafe">;

/**
 * The driver's interface over our own pool: a statement uses a connection while it runs, a transaction while it is open.
 * @param preparesStatements whether connections cache prepared statements; Drizzle itself names none
 */
export function driver(pool: Pool, preparesStatements: boolean): Driver {
  return {
    options: types,
    unsafe: (text: string, values?: Values, queryOptions?: QueryOptions) =>
      lazily((asArrays) =>
        pool.use((session) => send(session, text, values, withPrepare(queryOptions), asArrays)),
      ),
    begin: (work: (inner: Driver) => unknown) => pool.use((session) => begin(session, work)),
  } as unknown as Driver;

  function withPrepare(queryOptions: QueryOptions = {}): QueryOptions {
    return preparesStatements ? { ...queryOptions, prepare: true } : queryOptions;
  }

  function begin(session: Session, work: (inner: Driver) => unknown): Promise<unknown> {
    const statements = { enter: "begin", leave: "commit", undo: "rollback" };
    return insideTransaction(() => scope(session, () => true, work, statements));
  }

  /** A transaction or a savepoint. */
  async function scope(
    session: Session,
    isParentOpen: () => boolean,
    work: (inner: Driver) => unknown,
    { enter, leave, undo }: Record<"enter" | "leave" | "undo", string>,
  ): Promise<unknown> {
    const execute = (statements: string) => session.run((client) => client.unsafe(statements));
    const failures: unknown[] = [];
    let isLeft = false;
    const isOpen = () => !isLeft && isParentOpen();
    const inner = {
      options: types,
      unsafe: (text: string, values?: Values, queryOptions?: QueryOptions) =>
        lazily(async (asArrays) => {
          if (!isOpen()) throw new Error("the transaction is over");
          return send(session, text, values, withPrepare(queryOptions), asArrays).catch((error) => {
            failures.push(error);
            throw error;
          });
        }),
      savepoint: (inside: (inner: Driver) => unknown) =>
        scope(session, isOpen, inside, {
          enter: "savepoint s",
          leave: "release savepoint s",
          undo: "rollback to savepoint s; release savepoint s",
        }),
    } as unknown as Driver;
    await execute(enter);
    let result: unknown;
    try {
      result = await work(inner);
      // Postgres has rolled everything back: a caller that caught the error must not assume the rest was committed.
      if (failures.length > 0) throw failures[0];
    } catch (error) {
      isLeft = true;
      await execute(undo).catch(() => session.close());
      throw codeOf(error) === "25P02" && failures.length > 0 ? failures[0] : error;
    }
    isLeft = true;
    const { command } = await execute(leave);
    // A statement that was not awaited failed meanwhile: Postgres answers the commit with a rollback.
    if (command === "ROLLBACK") throw failures[0] ?? new Error("the transaction was undone");
    return result;
  }
}

function send(
  session: Session,
  text: string,
  values: Values,
  queryOptions: QueryOptions,
  asArrays: boolean,
): Promise<unknown> {
  return session.run<unknown>((client) => {
    const query = client.unsafe(text, values, queryOptions);
    return asArrays ? query.values() : query;
  });
}

function lazily(query: (asArrays: boolean) => Promise<unknown>) {
  let sent: Promise<unknown> | undefined;
  const result = (asArrays: boolean) => {
    sent ??= query(asArrays);
    return sent;
  };
  return {
    values: () => result(true),
    // biome-ignore lint/suspicious/noThenProperty: sent when it is awaited, as the driver's own queries are
    then: (...handlers: Parameters<Promise<unknown>["then"]>) => result(false).then(...handlers),
    catch: (handler: (error: unknown) => unknown) => result(false).catch(handler),
    finally: (handler: () => void) => result(false).finally(handler),
  };
}

function codeOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code ?? cause?.code;
}
