import { order } from "./buyer.ts";
import { figure, percentile, written } from "./figure.ts";
import { awaitEvent, send, sendForm, sendJson } from "./http.ts";
import type { Stage } from "./stage.ts";

const PAYMENTS = 100;
const EVERY = 100;

/**
 * At ten payments a second: how long a webhook waits for its response, and how long after its arrival the payment is
 * settled (committed) and its open page notified.
 */
export async function benchSettling(stage: Stage): Promise<void> {
  const { sandboxUrl, sql } = stage;
  // Paid at the provider without its webhook: the benchmark sends that itself, so that its arrival time is known.
  await sendJson(`${sandboxUrl}/control/webhooks`, { drop: true });
  const orders: Awaited<ReturnType<typeof order>>[] = [];
  while (orders.length < PAYMENTS)
    orders.push(...(await Promise.all(Array.from({ length: 10 }, () => order(stage)))));
  await stage.idle();
  const commits = new Map<string, (at: number) => void>();
  const subscription = await sql.listen("sale", (id) => commits.get(id)?.(performance.now()));
  const answered: number[] = [];
  const settled: number[] = [];
  const notified: number[] = [];
  await Promise.all(
    orders.map(async ({ screen, transactionId }, at) => {
      const page = awaitEvent(`${screen}/events`, "completed");
      await page.open;
      await sendJson(`${sandboxUrl}/control/transactions/${transactionId}/pay`);
      const { webhook_url } = JSON.parse(
        (await send(`${sandboxUrl}/control/transactions/${transactionId}`)).body.toString(),
      );
      const commit = new Promise<number>((done) => commits.set(screen.split("/").at(-1)!, done));
      await new Promise((later) => setTimeout(later, 1000 + at * EVERY));
      const arrival = performance.now();
      const answer = await sendForm(webhook_url, { id: transactionId.toUpperCase(), status: "paid" });
      if (answer.status !== 200) throw new Error(`the webhook was answered ${answer.status}`);
      answered.push(performance.now() - arrival);
      settled.push((await commit) - arrival);
      await page.received;
      notified.push(performance.now() - arrival);
    }),
  );
  await subscription.unlisten();
  await sendJson(`${sandboxUrl}/control/webhooks`, { drop: false });
  for (const [name, times, atMost] of [
    ["webhook to its answer, p95", answered, 500],
    ["webhook to settled, p95", settled, 1000],
    ["webhook to page notified, p95", notified, 1000],
  ] as const) {
    const p95 = percentile(times, 0.95);
    figure(name, p95, { atMost }, " ms", `p50 ${written(percentile(times, 0.5))} ms, ${PAYMENTS} payments`);
  }
}
