import { availableParallelism } from "node:os";
import { newBuyer, order, transactionOf } from "./buyer.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { awaitEvent, send, sendForm } from "./http.ts";
import { Lean } from "./lean.ts";
import type { Stage } from "./stage.ts";

const ALONE = 100;
/** Orders until V8 has compiled the code they run. */
const WARM = 300;
const RUSH = 300;

/**
 * How long a single buyer waits from the submit to the PIX screen, without the provider's time: with a warm web process,
 * and, as a note, with one that has just started.
 */
export async function benchAlone(stage: Stage): Promise<void> {
  const fresh = await orderAlone(stage, ALONE);
  await orderAlone(stage, WARM - ALONE);
  const warm = await orderAlone(stage, ALONE);
  const parts = `the provider took ${written(warm.took)} ms; ${written(fresh.own)} ms for the first ${ALONE}`;
  figure("one buyer, submit to PIX, without provider", warm.own, { atMost: 10 }, " ms", parts);
  // Nobody pays these: their charge checks, due in a minute and a half, would be counted in later measurements.
  await stage.sql`update charges set next_check_at = null where status = 'open'`;
}

/** Orders one after the other. @returns medians in milliseconds: `took` the provider's time, `own` all else */
async function orderAlone({ url, sql }: Stage, count: number): Promise<{ own: number; took: number }> {
  const [clock] = await sql`select now() as since`;
  const waited: number[] = [];
  while (waited.length < count) {
    const begun = performance.now();
    const answer = await sendForm(`${url}/checkout/s/curso-de-violao`, newBuyer());
    transactionOf((await send(url + answer.headers.location)).body.toString());
    waited.push(performance.now() - begun);
  }
  const [made] =
    await sql`select percentile_cont(0.5) within group (order by (data ->> 'tookMs')::float8) as took
    from charge_events where kind = 'made' and at > ${clock!.since}`;
  return { own: percentile(waited, 0.5) - made!.took, took: made!.took };
}

/** How long buyers who pay at the same moment wait until their page is notified, compared with what settling them costs. */
export async function benchRush(stage: Stage): Promise<void> {
  const { sandboxUrl } = stage;
  const orders: Awaited<ReturnType<typeof order>>[] = [];
  while (orders.length < RUSH)
    orders.push(...(await Promise.all(Array.from({ length: 10 }, () => order(stage)))));
  const pages = orders.map(({ screen }) => awaitEvent(`${screen}/events`, "completed"));
  await Promise.all(pages.map(({ open }) => open));
  await stage.idle();
  const before = stage.cpu();
  const begun = performance.now();
  const notified = pages.map(async (page) => {
    await page.received;
    return performance.now() - begun;
  });
  await payAll(
    sandboxUrl,
    orders.map(({ transactionId }) => transactionId),
  );
  const p95 = percentile(await Promise.all(notified), 0.95);
  const after = stage.cpu();
  await stage.idle();
  if (!before || !after) return note("paid to notified, at once", `p95 ${written(p95)} ms`);
  const used = Object.entries(after).reduce((sum, [name, time]) => sum + time - before[name]!, 0);
  const baseline = used / availableParallelism();
  const parts = `p95 ${written(p95)} ms, ${RUSH} buyers; ${written(used / RUSH)} ms of processor each`;
  figure("paid to notified, of the processor time it takes", p95 / baseline, { atMost: 1.5 }, "", parts);
}

/**
 * As fast as the sandbox accepts them, over few keep-alive connections: three hundred new ones would cost as much as what
 * is measured.
 */
async function payAll(sandboxUrl: string, ids: string[]): Promise<void> {
  const lean = new Lean(sandboxUrl);
  const pay = async (id: string) => {
    const head = `POST /control/transactions/${id}/pay HTTP/1.1\r\nHost: stand-in\r\nContent-Type: application/json`;
    const status = await lean.send(`${head}\r\nContent-Length: 2\r\n\r\n{}`);
    if (status >= 400) throw new Error(`${id} was not paid: ${status}`);
  };
  const left = ids.values();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const id of left) await pay(id);
    }),
  );
  lean.close();
}
