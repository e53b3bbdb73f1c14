import { AsyncLocalStorage } from "node:async_hooks";
import { pool } from "#app/db/client.server.ts";
import type { Driver } from "#app/db/driver.server.ts";

/** One process for the length of a step: how many statements and calls it lives for. */
type Life = { left: number; isDead: boolean };

const lives = new AsyncLocalStorage<Life>();

/**
 * Called before each statement and call of the app. After the process dies here, everything it still attempts has no
 * effect.
 */
export function mayDie(): void {
  const life = lives.getStore();
  if (!life) return;
  if (life.left-- <= 0) life.isDead = true;
  if (life.isDead) throw new Error("the process is dead");
}

/**
 * Runs what a process does, and kills it before its n-th statement or call. An open transaction is rolled back, as
 * Postgres does when the client is gone.
 * @returns whether it died
 */
export async function living(diesBefore: number | null, run: () => Promise<unknown>): Promise<boolean> {
  const life: Life = { left: diesBefore ?? Number.POSITIVE_INFINITY, isDead: false };
  try {
    await lives.run(life, run);
  } catch (error) {
    if (!life.isDead) throw error;
  }
  return life.isDead;
}

type Begin = (work: (inner: Driver) => unknown) => Promise<unknown>;

/** Lets the app's own connections die. Once a file. */
export function makeMortal(): void {
  const ours = pool as Driver & { begin: Begin };
  const { unsafe, begin } = ours;
  ours.unsafe = mortal(unsafe);
  ours.begin = async (work) => {
    mayDie();
    return begin(async (inner) => {
      inner.unsafe = mortal(inner.unsafe);
      const result = await work(inner);
      // The last chance: all is written, nothing is committed.
      mayDie();
      return result;
    });
  };
}

function mortal(unsafe: Driver["unsafe"]): Driver["unsafe"] {
  return ((...calls: Parameters<Driver["unsafe"]>) => {
    mayDie();
    return unsafe(...calls);
  }) as Driver["unsafe"];
}
