import { endPatiently, type Kept } from "#scripts/keep-running.ts";
import { type Program, program } from "#scripts/program.ts";

/**
 * Runs web, and beside it the next one, which has loaded all packages and waits: a restart takes as long as what is ours
 * takes to load. The port is free as soon as the one before is asked to stop; it finishes what it has in hand meanwhile.
 * One that ends by itself is started anew with the next restart.
 */
export function keepSpare(
  name: string,
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Kept {
  let listening = Promise.withResolvers<void>();
  let spare = prepare();
  let serving: Program | undefined;
  const going = new Set<Promise<void>>();

  function prepare(): Program {
    const one: Program = program(name, ["--import", "./scripts/dev/wait-for-word.ts", ...args], environment, {
      onLine(line) {
        if (line) console.log(`[${name}] ${line}`);
        if (one === serving && line.includes("[remix-serve] http")) listening.resolve();
      },
      onExit(code) {
        console.log(`[${name}] terminou (${code ?? "sinal"}); começa de novo com o que for salvo`);
        if (one === serving) listening.resolve();
      },
    });
    one.start();
    return one;
  }

  function end(one: Program) {
    const gone = endPatiently(one).then(() => void going.delete(gone));
    going.add(gone);
  }

  async function go() {
    if (serving) end(serving);
    listening = Promise.withResolvers();
    serving = spare.running ? spare : prepare();
    serving.tell("go");
    await listening.promise;
    // Only now, so that it takes nothing from the one that is waited for.
    spare = prepare();
  }

  void go();
  return {
    restart: go,
    async stop() {
      for (const one of [serving!, spare]) end(one);
      await Promise.all(going);
    },
  };
}
