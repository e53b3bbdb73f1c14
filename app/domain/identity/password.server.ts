import { availableParallelism } from "node:os";
import { setTimeout as later } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * argon2 occupies one of the four threads that file reads, name lookups and compression share, and a core for about 20
 * ms. So a process computes one or two hashes at once and leaves at least one core free.
 */
const hashLimit = pLimit(Math.max(1, Math.min(2, availableParallelism() - 1)));
/** More would wait for over a second: they are refused with a retry time. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

/** argon2id with the library's parameters (19 MiB, 2 passes), as OWASP advises. @throws Refusal unavailable */
export async function hashPassword(password: string): Promise<string> {
  refuseWhenBusy();
  return computeWithPause(() => hash(password));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches the hash. For an account without one it takes the same time and is always false.
 * @throws Refusal unavailable
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash("no password is this long and this useless");
  const storedHash = passwordHash ?? (await decoy);
  refuseWhenBusy();
  const isCorrect = await computeWithPause(() => verify(storedHash, password));
  return isCorrect && passwordHash !== null;
}

/**
 * Computes when a slot is free. While others wait, the slot pauses afterwards for as long as the computation took: a
 * flood gets half of the capacity.
 */
function computeWithPause<T>(compute: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    void hashLimit(async () => {
      const startedAt = performance.now();
      await compute().then(resolve, reject);
      if (hashLimit.pendingCount > 0) await later(performance.now() - startedAt);
    });
  });
}

/** Call before an attempt is counted: a busy server is not the client's fault. @throws Refusal unavailable */
export function refuseWhenBusy(): void {
  if (hashLimit.pendingCount < MAX_WAITING) return;
  throw new Refusal(
    "unavailable",
    `Muita gente está entrando agora. Tente de novo em ${RETRY_AFTER_SECONDS} segundos.`,
    undefined,
    RETRY_AFTER_SECONDS,
  );
}
