import { expect } from "vitest";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { sendEvidence } from "#app/domain/refund/evidence/send-evidence.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { ANSWERS, FAULTS, history, type Step } from "#tests/integration/cards/card-steps.ts";
import { compareDisputes, type DisputeOutcome } from "#tests/integration/cards/compare-disputes.ts";
import { type cardShop, cardToken, checkPaid, orderCard } from "#tests/integration/cards/support.ts";
import { checkNow } from "#tests/integration/payments/support.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { fc } from "#tests/support/random.ts";

/** How many histories ended so. */
export type Played = Record<
  "paid" | "unpaid" | "overpaid" | "declined" | "lost" | "challenged" | DisputeOutcome,
  number
>;

/**
 * Plays random histories of orders that are paid with cards and PIX while answers get lost, and compares our books with the
 * provider's. A failure names the seed and the shortest history that fails.
 */
export async function holdForCards(
  app: App,
  shop: Awaited<ReturnType<typeof cardShop>>,
  runs: number,
): Promise<Played> {
  const played: Played = {
    ...{ paid: 0, unpaid: 0, overpaid: 0, declined: 0, lost: 0, challenged: 0 },
    ...{ disputed: 0, won: 0, chargedback: 0, evidence: 0 },
  };
  await fc.assert(
    fc.asyncProperty(history, (steps) => play(app, shop, steps, played)),
    {
      numRuns: Number(process.env.CARDS ?? runs),
      ...(process.env.CARDS_PATH ? { path: process.env.CARDS_PATH } : {}),
      endOnFailure: false,
    },
  );
  return played;
}

const once = { number: 1, last: false };
type Order = { id: string; status: string; status_detail: string };
/** A card that was charged, whatever its bank did with it later. */
const isCharged = ({ status }: Order) => status === "processed" || status === "charged_back";
/** What a contested order is for its sale. */
const DISPUTED_AS: Record<string, string> = {
  in_process: "disputed",
  settled: "chargedback",
  reimbursed: "completed",
};
/** Of orders whose card was challenged. */
const challenged = new Set<string>();

async function play(
  app: App,
  shop: Awaited<ReturnType<typeof cardShop>>,
  steps: Step[],
  played: Played,
): Promise<void> {
  await app.sandbox.post("/faults", { service: "mercadopago", mode: "reset", times: 0 });
  const saleId = await orderCard(shop.product.id);
  for (const one of steps) await take(one);
  // In the end every answer comes, and what is in review or challenged is decided.
  await app.sandbox.post("/faults", { service: "mercadopago", mode: "reset", times: 0 });
  await take({ does: "decide", approve: steps.length % 2 === 0 });
  await take({ does: "challenge", answer: ANSWERS[steps.length % ANSWERS.length]! });
  for (let round = 0; round < 2; round++) {
    await take({ does: "later" });
    await take({ does: "check" });
    await take({ does: "sweep" });
  }
  await compare();

  async function take(one: Step): Promise<void> {
    switch (one.does) {
      case "card": {
        const fault = FAULTS[one.fault];
        if (fault)
          await app.sandbox.post("/faults", { service: "mercadopago", route: "create", times: 1, ...fault });
        await app.sandbox.post("/mercadopago", { threeDs: one.isChallenged ? "on_risk" : "never" });
        const presses = one.twice ? 2 : 1;
        await Promise.all(
          Array.from({ length: presses }, async () => pay(await cardToken(app, one.holder), one.holder)),
        );
        return;
      }
      case "pix": {
        const chargeId = await unlessRefused(async () => (await startPix(saleId)).chargeId);
        if (!chargeId || !one.isPaid) return;
        const [charge] = await sql`select provider_id, method from charges where id = ${chargeId}`;
        if (charge!.method === "pix") await app.sandbox.pay(charge!.provider_id).catch(() => {});
        return;
      }
      case "decide":
        for (const { id } of (await ordersOf(saleId)).filter(({ status }) => status === "processing"))
          await app.sandbox.decideCard(id, one.approve ? "approve" : "decline");
        return;
      case "contest":
      case "verdict": {
        const charged = (await ordersOf(saleId)).find(isCharged);
        if (!charged) return;
        const days = one.does === "contest" && one.wantsEvidence ? 10 : null;
        const action = one.does === "contest" ? "chargeback" : one.isWon ? "reject" : "accept";
        // What cannot happen any more is refused.
        await app.sandbox.post(`/transactions/${charged.id}/${action}`, { days }).catch(() => {});
        return;
      }
      case "evidence": {
        const fault = FAULTS[one.fault];
        if (fault)
          await app.sandbox.post("/faults", {
            ...{ service: "mercadopago", route: "documentation", times: 1 },
            ...fault,
          });
        await Promise.all([1, 2].map(() => unlessRefused(() => sendEvidence(shop.seller.id, saleId))));
        await app.sandbox.post("/faults", {
          service: "mercadopago",
          route: "documentation",
          mode: "reset",
          times: 0,
        });
        return;
      }
      case "challenge":
        for (const { id } of (await ordersOf(saleId)).filter(({ status }) => status === "action_required")) {
          challenged.add(id);
          if (one.answer === "expire") await app.sandbox.expire(id);
          else await app.sandbox.answerChallenge(id, one.answer);
        }
        return;
      case "later":
        await sql`update charges set created_at = created_at - interval '20 minutes', last_checked_at = null
          where sale_id = ${saleId}`;
        await sql`update disputes set evidence_sent_at = evidence_sent_at - interval '20 minutes' where sale_id = ${saleId}`;
        return;
      case "check":
        await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
        for (const { id } of await sql`select id from charges where sale_id = ${saleId}`) await checkNow(id);
        for (const {
          id,
        } of await sql`select id from charges where sale_id = ${saleId} and method = 'card' and status = 'paid'`)
          await checkPaid(id);
        return;
      case "sweep":
        await sweepCharges.handle({}, once);
    }
  }

  function pay(token: string, holderName: string) {
    const card = {
      token,
      brand: "visa",
      instalments: 3,
      holderName,
      document: "12345678909",
      deviceId: null,
    };
    return unlessRefused(() => payByCard(saleId, card));
  }

  /** What the provider has of this sale: one order at most for each of its charges. */
  async function ordersOf(sale: string): Promise<(Order & { chargeId: string })[]> {
    const charges = await sql`select id, reference from charges where sale_id = ${sale} and method = 'card'`;
    const found = charges.map(async ({ id: chargeId, reference }) => {
      const query = new URLSearchParams({
        begin_date: new Date(0).toISOString(),
        end_date: new Date(Date.now() + 60_000).toISOString(),
        external_reference: reference,
      });
      const answer = await fetch(`${app.sandbox.url}/mercadopago/v1/orders?${query}`, {
        headers: { authorization: `Bearer ${shop.apiKey}` },
      });
      return ((await answer.json()) as { data: Order[] }).data.map((order) => ({ ...order, chargeId }));
    });
    return (await Promise.all(found)).flat();
  }

  async function compare(): Promise<void> {
    const orders = await ordersOf(saleId);
    const charges = await sql`select id, method, status, amount_cents, paid_cents, overpaid_at from charges
      where sale_id = ${saleId} order by created_at`;
    const [sale] = await sql`select status, payment_method as method from sales where id = ${saleId}`;
    const ofCard = charges.filter(({ method }) => method === "card");
    const state = JSON.stringify({
      sale,
      charges,
      orders: orders.map(({ id, status, chargeId }) => ({ id, status, chargeId })),
    });
    expect(new Set(orders.map(({ chargeId }) => chargeId)).size, `one order per charge: ${state}`).toBe(
      orders.length,
    );
    for (const charge of ofCard) {
      const order = orders.find(({ chargeId }) => chargeId === charge.id);
      const expected = !order ? "failed" : isCharged(order) ? "paid" : "declined";
      expect(charge.status, `card ${charge.id} as its provider says: ${state}`).toBe(expected);
      if (charge.status === "paid") expect(charge.paid_cents, state).toBe(charge.amount_cents);
    }
    const approved = orders.filter(isCharged);
    expect(
      approved.length,
      `no card is charged while another one of the order may be: ${state}`,
    ).toBeLessThanOrEqual(1);
    const paid = charges.filter(({ status }) => status === "paid");
    const counting = paid.filter(({ overpaid_at }) => overpaid_at === null);
    expect(counting.length, `one payment counts: ${state}`).toBe(paid.length > 0 ? 1 : 0);
    const contested = orders.find(
      (order) => order.status === "charged_back" && order.chargeId === counting[0]?.id,
    );
    const paidAs = contested ? DISPUTED_AS[contested.status_detail]! : "completed";
    expect(sale!.status, state).toBe(paid.length > 0 ? paidAs : sale!.status);
    const found = await compareDisputes(app, saleId, {
      saleStatus: paidAs,
      contestedId: contested?.id,
      state,
    });
    for (const outcome of found) played[outcome]++;
    if (paid.length > 0) expect(sale!.method, state).toBe(counting[0]!.method);
    else expect(["pending", "failed"], state).toContain(sale!.status);
    played[paid.length > 0 ? "paid" : "unpaid"]++;
    if (paid.length > 1) played.overpaid++;
    if (ofCard.some(({ status }) => status === "declined")) played.declined++;
    if (steps.some((one) => one.does === "card" && one.fault !== "none")) played.lost++;
    if (orders.some(({ id }) => challenged.has(id))) played.challenged++;
  }
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
