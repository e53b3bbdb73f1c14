import { freePort } from "#scripts/ports.ts";
import { newBuyer, order } from "./buyer.ts";
import { figure, note, written } from "./figure.ts";
import { awaitEvent, rates, sendForm, sendJson } from "./http.ts";
import type { Stage } from "./stage.ts";

export const BUYERS = 20;

/**
 * Whole purchases by twenty buyers at once: submitted, PIX shown, paid, settled with the mail queued, page notified;
 * compared with a bare server that inserts one order per transaction on the same PostgreSQL.
 */
export async function benchFlow(stage: Stage): Promise<void> {
  const port = await freePort();
  await stage.run(["bench/floor.ts"], port);
  const [baseline, flows] = await rates(
    () => sendForm(`http://localhost:${port}/`, newBuyer()),
    () => buy(stage),
    { atOnce: BUYERS, seconds: 6, rounds: 3 },
  );
  figure(
    "purchases, of a bare server's inserts",
    flows / baseline,
    { atLeast: 0.04 },
    "",
    `${written(flows)}/s of ${written(baseline)}/s, ${BUYERS} buyers at once`,
  );
  const steps = Object.entries(spent).map(([step, sum]) => `${step} ${written(sum / bought)} ms`);
  note("of a purchase, mean", steps.join(", "));
}

/** Total milliseconds that purchases waited at each step. */
const spent = {
  "submit and PIX shown": 0,
  listening: 0,
  "paid at the provider": 0,
  "settled and notified": 0,
};
let bought = 0;

/** One whole purchase, until its page is notified. @returns the URL of its PIX screen */
export async function buy(stage: Pick<Stage, "url" | "sandboxUrl">): Promise<string> {
  let since = performance.now();
  const waited = (step: keyof typeof spent) => {
    spent[step] += performance.now() - since;
    since = performance.now();
  };
  const { screen, transactionId } = await order(stage);
  waited("submit and PIX shown");
  const { open, received } = awaitEvent(`${screen}/events`, "completed");
  await open;
  waited("listening");
  await sendJson(`${stage.sandboxUrl}/control/transactions/${transactionId}/pay`);
  waited("paid at the provider");
  await received;
  waited("settled and notified");
  bought++;
  return screen;
}
