import { availableParallelism } from "node:os";
import { setTimeout as later } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * argon2 takes one of the four threads that reading files, looking up names and compressing take turns on, and a core
 * for some 20 ms. So a process computes one or two at once and leaves at least one core to what else it does.
 */
const turns = pLimit(Math.max(1, Math.min(2, availableParallelism() - 1)));
/** Who comes after these would wait for more than a second: they are asked to come back. */
const WAITING = 20;
const COME_BACK = 5;

/** argon2id with the library's parameters (19 MiB, 2 passes), as OWASP advises. @throws Refusal unavailable */
export async function hashPassword(password: string): Promise<string> {
  refuseWhenBusy();
  return withRest(() => hash(password));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one hashed. An account without one costs the same time and is always no.
 * @throws Refusal unavailable
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash("no password is this long and this useless");
  const kept = passwordHash ?? (await decoy);
  refuseWhenBusy();
  const right = await withRest(() => verify(kept, password));
  return right && passwordHash !== null;
}

/**
 * Computes when it is its turn. While others wait, the turn after it comes only after a rest as long: a flood takes half
 * of what its turns could.
 */
function withRest<T>(compute: () => Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    void turns(async () => {
      const since = performance.now();
      await compute().then(done, fail);
      if (turns.pendingCount > 0) await later(performance.now() - since);
    });
  });
}

/** Asked before a try is counted: being busy is not the fault of whoever came. @throws Refusal unavailable */
export function refuseWhenBusy(): void {
  if (turns.pendingCount < WAITING) return;
  throw new Refusal(
    "unavailable",
    `Muita gente está entrando agora. Tente de novo em ${COME_BACK} segundos.`,
    undefined,
    COME_BACK,
  );
}
