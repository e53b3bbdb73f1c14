import type { Sql } from "postgres";
import { insideTransaction } from "#app/db/one-connection.server.ts";
import type { Pool } from "#app/db/pool.server.ts";
import { type Session, types } from "#app/db/session.server.ts";

type How = { prepare?: boolean };
type Values = Parameters<Sql["unsafe"]>[1];

/** As much of the driver as Drizzle asks of it. A statement is sent when it is awaited; `values()` gives rows as lists. */
export type Driver = Pick<Sql, "unsafe">;

/**
 * The driver as Drizzle knows it, over a pool of ours: a statement takes a connection for as long as it runs, a transaction
 * one for as long as it is open.
 * @param keepPlans whether connections keep what Postgres made of a statement; Drizzle itself has no name for any
 */
export function driver(pool: Pool, keepPlans: boolean): Driver {
  return {
    options: types,
    unsafe: (text: string, values?: Values, how?: How) =>
      lazily((asLists) => pool.use((session) => send(session, text, values, keeping(how), asLists))),
    begin: (work: (inner: Driver) => unknown) => pool.use((session) => begin(session, work)),
  } as unknown as Driver;

  function keeping(how: How = {}): How {
    return keepPlans ? { ...how, prepare: true } : how;
  }

  function begin(session: Session, work: (inner: Driver) => unknown): Promise<unknown> {
    const words = { enter: "begin", leave: "commit", undo: "rollback" };
    return insideTransaction(() => scope(session, () => true, work, words));
  }

  /** A transaction, or a part of one that can be undone by itself. */
  async function scope(
    session: Session,
    isAroundOpen: () => boolean,
    work: (inner: Driver) => unknown,
    { enter, leave, undo }: Record<"enter" | "leave" | "undo", string>,
  ): Promise<unknown> {
    const say = (words: string) => session.ask((client) => client.unsafe(words));
    const failures: unknown[] = [];
    let isLeft = false;
    const isOpen = () => !isLeft && isAroundOpen();
    const inner = {
      options: types,
      unsafe: (text: string, values?: Values, how?: How) =>
        lazily(async (asLists) => {
          if (!isOpen()) throw new Error("the transaction is over");
          return send(session, text, values, keeping(how), asLists).catch((error) => {
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
    await say(enter);
    let result: unknown;
    try {
      result = await work(inner);
      // Postgres has undone all of it: whoever caught the error must not take the rest for kept.
      if (failures.length > 0) throw failures[0];
    } catch (error) {
      isLeft = true;
      await say(undo).catch(() => session.close());
      throw codeOf(error) === "25P02" && failures.length > 0 ? failures[0] : error;
    }
    isLeft = true;
    const { command } = await say(leave);
    // A statement that nobody waited for failed meanwhile: Postgres answers the commit, but keeps nothing.
    if (command === "ROLLBACK") throw failures[0] ?? new Error("the transaction was undone");
    return result;
  }
}

function send(session: Session, text: string, values: Values, how: How, asLists: boolean): Promise<unknown> {
  return session.ask<unknown>((client) => {
    const query = client.unsafe(text, values, how);
    return asLists ? query.values() : query;
  });
}

function lazily(ask: (asLists: boolean) => Promise<unknown>) {
  let asked: Promise<unknown> | undefined;
  const answer = (asLists: boolean) => {
    asked ??= ask(asLists);
    return asked;
  };
  return {
    values: () => answer(true),
    // biome-ignore lint/suspicious/noThenProperty: sent when it is awaited, as the driver's own queries are
    then: (...handlers: Parameters<Promise<unknown>["then"]>) => answer(false).then(...handlers),
    catch: (handler: (error: unknown) => unknown) => answer(false).catch(handler),
    finally: (handler: () => void) => answer(false).finally(handler),
  };
}

function codeOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code ?? cause?.code;
}
