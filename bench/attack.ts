import { ATTACKS, type Attack } from "./attacks.ts";
import { newBuyer } from "./buyer.ts";
import { figure, missed, note, percentile, written } from "./figure.ts";
import { send, sendForm } from "./http.ts";
import type { Stage } from "./stage.ts";

const CHECKOUT = "/checkout/s/curso-de-violao";
const BUYERS = 120;
const EVERY = 100;
const AIM = 5;

type Times = { page: number[]; order: number[] };

/**
 * How much longer buyers wait during an attack: the checkout's p95 compared with the p95 at rest, measured just before.
 * @param only words from the attacks' names; empty means all
 */
export async function benchAttack(stage: Stage, only: Set<string> = new Set()): Promise<void> {
  await visit(stage);
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (only.size > 0 && !name.split(/[ ,]/).some((word) => only.has(word))) continue;
    const rest = await visit(stage);
    const { under, summary, load } = await visitUnder(stage, attack);
    for (const kind of ["page", "order"] as const) {
      const [calm, harried] = [percentile(rest[kind], 0.95), percentile(under[kind], 0.95)];
      const parts = `p95 ${written(harried)} ms, at rest ${written(calm)} ms`;
      figure(`${kind} under ${name}`, harried / calm, { atMost: AIM }, " times", parts);
    }
    note("result", summary);
    if (load) note("cores used, buyers' share included", load);
  }
}

/** Buyers arrive at a fixed pace during the attack, whether or not earlier ones were served. */
async function visitUnder(stage: Stage, attack: Attack) {
  const end = new AbortController();
  const running = await attack(stage, end.signal);
  const [since, before] = [performance.now(), stage.cpu()];
  const under = await visit(stage);
  const load = coresUsed(before, stage.cpu(), performance.now() - since);
  end.abort();
  return { under, summary: await running.summary, load };
}

/** Average share of a core used by each program; depends little on other load on the machine. */
function coresUsed(before: ReturnType<Stage["cpu"]>, after: ReturnType<Stage["cpu"]>, passed: number) {
  if (!before || !after) return null;
  return Object.entries(after)
    .map(([name, time]) => `${name} ${written((time - before[name]!) / passed)}`)
    .join(", ");
}

async function visit({ url }: Stage): Promise<Times> {
  const times: Times = { page: [], order: [] };
  const refused: string[] = [];
  const one = async () => {
    let since = performance.now();
    const page = await send(url + CHECKOUT, { headers: { "Accept-Encoding": "gzip" } });
    times.page.push(performance.now() - since);
    since = performance.now();
    const order = await sendForm(url + CHECKOUT, newBuyer());
    times.order.push(performance.now() - since);
    if (page.status !== 200 || order.status !== 303) refused.push(`${page.status}, ${order.status}`);
  };
  const buyers: Promise<void>[] = [];
  while (buyers.length < BUYERS) {
    buyers.push(one().catch((error) => void refused.push(String(error))));
    await new Promise((later) => setTimeout(later, EVERY));
  }
  await Promise.all(buyers);
  if (refused.length > 0) {
    note("buyers not served", `${refused.length}: ${refused[0]}`);
    missed.push("buyers are served");
  }
  return times;
}
