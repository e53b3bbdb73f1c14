import { STOP_TIMEOUT } from "#app/platform/stop-timeout.ts";
import { type Program, program } from "#scripts/program.ts";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** A program that ran this long was healthy: after its next crash the wait is short again. */
const WELL_AFTER = 30_000;
/** Longer than the programs take to finish. */
const PATIENCE = STOP_TIMEOUT + 5000;

/** Both ask it to stop, and kill it if it does not. */
export type Supervised = { stop(): Promise<void>; restart(): Promise<void> };

/** Runs a program and restarts it whenever it exits by itself, with increasing waits. Prefixes its lines with its name. */
export function supervise(
  name: string,
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Supervised {
  let wait = FIRST_WAIT;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let ending = false;

  const child = program(name, args, environment, {
    onLine: (line) => line && console.log(`[${name}] ${line}`),
    onExit(code) {
      if (ending) return;
      if (Date.now() - startedAt > WELL_AFTER) wait = FIRST_WAIT;
      console.log(`[${name}] terminou (${code ?? "sinal"}); novo início em ${wait / 1000} s`);
      timer = setTimeout(start, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    },
  });

  function start() {
    startedAt = Date.now();
    child.start();
  }

  async function end() {
    clearTimeout(timer);
    await endPatiently(child);
  }

  start();
  return {
    stop() {
      ending = true;
      return end();
    },
    async restart() {
      await end();
      wait = FIRST_WAIT;
      if (!ending) start();
    },
  };
}

/** Asks a program to stop, and kills it if it does not. */
export async function endPatiently(one: Program): Promise<void> {
  const patience = setTimeout(() => void one.kill(), PATIENCE);
  await one.stop();
  clearTimeout(patience);
}
