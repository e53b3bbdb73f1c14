import { freePort } from "#scripts/ports.ts";
import { newBuyer, order } from "./buyer.ts";
import { figure, written } from "./figure.ts";
import { awaitEvent, rates, sendForm, sendJson } from "./http.ts";
import type { Stage } from "./stage.ts";

const BUYERS = 20;

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
    { atLeast: 0.2 },
    "",
    `${written(flows)}/s of ${written(floor)}/s, ${BUYERS} buyers at once`,
  );
}

async function buy(stage: Stage): Promise<void> {
  const { screen, transactionId } = await order(stage);
  const { open, told } = awaitEvent(`${screen}/events`, "completed");
  await open;
  await sendJson(`${stage.sandboxUrl}/control/transactions/${transactionId}/pay`);
  await told;
}
