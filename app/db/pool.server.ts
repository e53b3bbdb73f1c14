import type { Limits } from "#app/db/limits.server.ts";
import { refuseSecondConnection } from "#app/db/one-connection.server.ts";
import { connectionTimeouts, measurePool } from "#app/db/pool-metrics.server.ts";
import { openSession, type Session } from "#app/db/session.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** How long to wait for a free connection. */
const ACQUIRE_TIMEOUT = 5 * SECOND;
const IDLE_TIMEOUT = MINUTE;
/** An older connection is closed once it is free: this frees its memory in Postgres, and poolers may move. */
const MAX_AGE = 45 * MINUTE;

/** Every connection was in use until the timeout. */
export class NoFreeConnection extends Error {
  readonly code = "NO_FREE_CONNECTION";
  constructor(name: string) {
    super(`no free connection of ${name} within ${ACQUIRE_TIMEOUT / SECOND} s`);
    this.name = "NoFreeConnection";
  }
}

export type Pool = {
  /** Runs work with a connection of its own. @throws NoFreeConnection where none became free in time */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Takes no more work, and closes each connection when it is free or the time is over. */
  end(milliseconds: number): Promise<void>;
};

/**
 * At most `max` connections, opened on demand; waiting requests are served in order.
 * @param address the server's, the primary's by default
 */
export function openPool(name: string, max: number, limits: Limits, address?: string): Pool {
  const free: { session: Session; timer: NodeJS.Timeout }[] = [];
  const waiting = new Set<(session: Session) => void>();
  const all = new Map<Session, number>();
  let isEnding = false;

  function acquire(): Promise<Session> {
    const found = free.pop();
    if (found) clearTimeout(found.timer);
    if (found) return Promise.resolve(found.session);
    if (isEnding) return Promise.reject(new NoFreeConnection(name));
    if (all.size < max) return Promise.resolve(open());
    return waitForFree();
  }

  function open(): Session {
    const session = openSession(name, limits, () => retire(session), address);
    all.set(session, Date.now());
    return session;
  }

  /** Frees a lost connection's slot at once, even while its work goes on: that can send nothing any more. */
  function retire(session: Session) {
    if (!all.delete(session)) return;
    const at = free.findIndex((one) => one.session === session);
    if (at >= 0) clearTimeout(free.splice(at, 1)[0]!.timer);
    serveNext(open);
  }

  function serveNext(find: () => Session): boolean {
    const [next] = waiting;
    if (!next) return false;
    waiting.delete(next);
    next(find());
    return true;
  }

  function waitForFree(): Promise<Session> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(serve);
        connectionTimeouts.inc({ pool: name });
        reject(new NoFreeConnection(name));
      }, ACQUIRE_TIMEOUT);
      const serve = (session: Session) => {
        clearTimeout(timer);
        resolve(session);
      };
      waiting.add(serve);
    });
  }

  function release(session: Session) {
    const openedAt = all.get(session);
    if (openedAt === undefined) return;
    if (isEnding || Date.now() - openedAt > MAX_AGE) return void session.close();
    if (serveNext(() => session)) return;
    free.push({ session, timer: setTimeout(() => void session.close(), IDLE_TIMEOUT).unref() });
  }

  measurePool(name, max, () => ({ inUse: all.size - free.length, waiting: waiting.size }));

  return {
    async use(work) {
      refuseSecondConnection();
      const session = await acquire();
      try {
        return await work(session);
      } finally {
        release(session);
      }
    },
    async end(milliseconds) {
      isEnding = true;
      const deadline = Date.now() + milliseconds;
      for (const { session } of [...free]) void session.close();
      while (all.size > 0 && Date.now() < deadline) await new Promise((later) => setTimeout(later, 20));
      await Promise.all([...all.keys()].map((session) => session.close()));
    },
  };
}
