import { freePort } from "#scripts/ports.ts";
import { newBuyer, order } from "./buyer.ts";
import { figure, note, written } from "./figure.ts";
import { awaitEvent, rates, sendForm, sendJson } from "./http.ts";
import type { Stage } from "./stage.ts";

export const BUYERS = 20;

/**
 * Whole purchases with twenty buyers at once: submit, PIX shown, paid, settled with the mail queued, and the page told;
 * beside a bare server that inserts one order in one transaction on the same PostgreSQL.
 */
export async function benchFlow(stage: Stage): Promise<void> {
  const port = await freePort();
  await stage.run(["bench/floor.ts"], port);
  const [floor, flows] = await rates(
    () => sendForm(`http://localhost:${port}/`, newBuyer()),
    () => buy(stage),
    { atOnce: BUYERS, seconds: 6, rounds: 3 },
  );
  figure(
    "purchases, of a bare server's inserts",
    flows / floor,
    { atLeast: 0.04 },
    "",
    `${written(flows)}/s of ${written(floor)}/s, ${BUYERS} buyers at once`,
  );
  const steps = Object.entries(spent).map(([step, sum]) => `${step} ${written(sum / bought)} ms`);
  note("of a purchase, mean", steps.join(", "));
}

/** Milliseconds that purchases waited at each step, in all. */
const spent = { "submit and PIX shown": 0, listening: 0, "paid at the provider": 0, "settled and told": 0 };
let bought = 0;

/** One whole purchase, up to the page that is told. */
export async function buy(stage: Stage): Promise<void> {
  let since = performance.now();
  const waited = (step: keyof typeof spent) => {
    spent[step] += performance.now() - since;
    since = performance.now();
  };
  const { screen, transactionId } = await order(stage);
  waited("submit and PIX shown");
  const { open, told } = awaitEvent(`${screen}/events`, "completed");
  await open;
  waited("listening");
  await sendJson(`${stage.sandboxUrl}/control/transactions/${transactionId}/pay`);
  waited("paid at the provider");
  await told;
  waited("settled and told");
  bought++;
}
