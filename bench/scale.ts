import { availableParallelism } from "node:os";
import { note, written } from "./figure.ts";
import { BUYERS, buy } from "./flow.ts";
import { send } from "./http.ts";
import { type Stage, setStage } from "./stage.ts";

const WARM = 300;
const COUNTED = 600;
const PAGES = 4_000;
const CHECKOUT = "/checkout/s/curso-de-violao";

/**
 * Purchases and pages per second with 1, 2 and 4 web servers and workers on one PostgreSQL, with buyers, provider and
 * everything else on this machine, and who used the processor: the figures behind docs/scale.md.
 */
export async function benchScale(profiles: string | null): Promise<void> {
  note("cores of this machine", String(availableParallelism()));
  for (const each of [1, 2, 4]) {
    const stage = await setStage(profiles);
    try {
      const urls = await stage.open({ webs: each, workers: each });
      await measure(stage, urls, `${each} + ${each}`);
    } finally {
      await stage.close();
    }
  }
}

async function measure(stage: Stage, urls: string[], name: string): Promise<void> {
  const stages = urls.map((url) => ({ ...stage, url }));
  await several(WARM, (at) => buy(stages[at % stages.length]!));
  const before = stage.cpu();
  const seconds = await several(COUNTED, (at) => buy(stages[at % stages.length]!));
  await stage.idle();
  const after = stage.cpu();
  const used = Object.entries(after ?? {}).map(([who, time]) => [who, time - (before?.[who] ?? 0)] as const);
  const parts = used.map(([who, time]) => `${who} ${written(time / COUNTED)} ms`).join(", ");
  note(`purchases a second, ${name}`, `${written(COUNTED / seconds)}; of each: ${parts}`);
  await several(PAGES / 4, (at) => send(urls[at % urls.length]! + CHECKOUT));
  const pages = PAGES / (await several(PAGES, (at) => send(urls[at % urls.length]! + CHECKOUT)));
  note(`checkout pages a second, ${name}`, written(pages));
}

/** @returns the duration in seconds */
async function several(count: number, work: (at: number) => Promise<unknown>): Promise<number> {
  let at = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      while (at < count) await work(at++);
    }),
  );
  return (performance.now() - begun) / 1000;
}
