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
 * A transaction inside another (a savepoint) does not exist: nothing uses one.
 * @param preparesStatements whether connections cache prepared statements; Drizzle itself names none
 */
export function driver(pool: Pool, preparesStatements: boolean): Driver {
  const unsafeOn =
    (run: <T>(work: (session: Session) => Promise<T>) => Promise<T>) =>
    (text: string, values?: Values, queryOptions: QueryOptions = {}) =>
      lazily((asArrays) => {
        const prepared = preparesStatements ? { ...queryOptions, prepare: true } : queryOptions;
        return run((session) => send(session, text, values, prepared, asArrays));
      });
  return {
    options: types,
    unsafe: unsafeOn((work) => pool.use(work)),
    begin: (work: (inner: Driver) => unknown) =>
      pool.use((session) => insideTransaction(() => begin(session, work))),
  } as unknown as Driver;

  async function begin(session: Session, work: (inner: Driver) => unknown): Promise<unknown> {
    const execute = (statement: string) => session.run((client) => client.unsafe(statement));
    let failure: unknown;
    let isOver = false;
    const unsafe = unsafeOn(async (sendOn) => {
      if (isOver) throw new Error("the transaction is over");
      return sendOn(session).catch((error) => {
        failure ??= error;
        throw error;
      });
    });
    await execute("begin");
    try {
      const result = await work({ options: types, unsafe } as unknown as Driver);
      isOver = true;
      const { command } = await execute("commit");
      // A statement failed, and its error was caught or not awaited: Postgres has undone everything.
      if (command === "ROLLBACK") throw failure ?? new Error("the transaction was undone");
      return result;
    } catch (error) {
      isOver = true;
      await execute("rollback").catch(() => session.close());
      throw codeOf(error) === "25P02" ? (failure ?? error) : error;
    }
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
