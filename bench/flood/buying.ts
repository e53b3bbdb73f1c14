import { newBuyer, transactionOf } from "../buyer.ts";
import { percentile } from "../figure.ts";
import { send, sendForm, sendJson } from "../http.ts";
import type { Stage } from "../stage.ts";
import type { Shop } from "./shop.ts";

/** Milliseconds between checkout openings, and between purchases. */
const PAGE_EVERY = 100;
const ORDER_EVERY = 250;
/** Purchases paid in one run: what a payment causes is work for the seller. */
const PAID = 2;
/** No work may wait longer, in seconds. */
export const LONGEST_WAIT = 10;
const GIVE_UP = 30_000;

/** Milliseconds for each step of a buyer; seconds from a payment until its webhook is delivered and its mail sent. */
export type Bought = {
  page: number[];
  order: number[];
  pix: number[];
  delivered: number[];
  refused: string[];
};

/** For `seconds`, opens a checkout ten times a second and orders four times, of which two are paid. */
export async function buyFor(stage: Stage, shop: Shop, seconds: number): Promise<Bought> {
  const { url } = stage;
  const path = `${url}/checkout/s/${shop.other.slug}`;
  const bought: Bought = { page: [], order: [], pix: [], delivered: [], refused: [] };
  const timed = async <T>(step: "page" | "order" | "pix", once: Promise<T>): Promise<T> => {
    const since = performance.now();
    const answer = await once;
    bought[step].push(performance.now() - since);
    return answer;
  };
  const open = async () => {
    const page = await timed("page", send(path, { headers: { "Accept-Encoding": "gzip" } }));
    if (page.status !== 200) bought.refused.push(`page ${page.status}`);
  };
  let orders = 0;
  const buy = async () => {
    const number = orders++;
    const order = await timed("order", sendForm(path, newBuyer()));
    if (order.status !== 303) return void bought.refused.push(`order ${order.status}`);
    const screen = await timed("pix", send(url + order.headers.location));
    if (screen.status !== 200) return void bought.refused.push(`PIX ${screen.status}`);
    if (number % ORDERS_PER_PAID === 0)
      bought.delivered.push(await pay(stage, order.headers.location!, screen.body.toString()));
  };
  const ORDERS_PER_PAID = Math.max(1, Math.floor((seconds * 1000) / ORDER_EVERY / PAID));
  const running: Promise<void>[] = [];
  const begin = (once: () => Promise<void>) =>
    running.push(once().catch((error) => void bought.refused.push(String(error))));
  const begun = performance.now();
  for (let due = 0; due < seconds * 1000; due += PAGE_EVERY / 2) {
    const early = due - (performance.now() - begun);
    if (early > 1) await new Promise((later) => setTimeout(later, early));
    if (due % PAGE_EVERY === 0) begin(open);
    if (due % ORDER_EVERY === 0) begin(buy);
  }
  await Promise.all(running);
  return bought;
}

/**
 * Pays a PIX. @returns seconds until the seller's webhook is delivered and the buyer's mail sent; infinite if they never
 * are
 */
async function pay({ sandboxUrl, sql }: Stage, location: string, screen: string): Promise<number> {
  const saleId = location.split("/").at(-1)!.split("?", 1)[0]!;
  // A real buyer never pays at the moment when the PIX is created and its webhook is still being delivered.
  await waitFor(async () => {
    const [row] =
      await sql`select exists (select from deliveries where sale_id = ${saleId} and status = 'queued') as is_waiting`;
    return !row!.is_waiting;
  });
  await sendJson(`${sandboxUrl}/control/transactions/${transactionOf(screen)}/pay`);
  const since = performance.now();
  const isDone = await waitFor(async () => {
    const [row] = await sql`
      select exists (select from mails where sale_id = ${saleId} and kind = 'purchase' and status = 'sent')
        and exists (select from deliveries where sale_id = ${saleId} and event = 'sale.paid' and status = 'sent') as done`;
    return row!.done;
  });
  return isDone ? (performance.now() - since) / 1000 : Number.POSITIVE_INFINITY;
}

async function waitFor(holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + GIVE_UP; performance.now() < end; ) {
    if (await holds()) return true;
    await new Promise((later) => setTimeout(later, 50));
  }
  return false;
}

/** The 95th percentiles of several runs combined. */
export function p95Of(runs: Bought[]): { page: number; order: number; pix: number } {
  const all = (step: "page" | "order" | "pix") =>
    percentile(
      runs.flatMap((run) => run[step]),
      0.95,
    );
  return { page: all("page"), order: all("order"), pix: all("pix") };
}
