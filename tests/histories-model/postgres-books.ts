import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { payByCard } from "#app/domain/card/pay-by-card.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordOverpaymentRefund, recordRefund } from "#app/domain/refund/record-reversal.server.ts";
import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import { sendAutomaticRefunds } from "#app/domain/refund/send-automatic-refunds.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { computeRefundedCents } from "#app/domain/sale/payments.ts";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { checkPendingCharges, checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { receiveWebhook } from "#app/domain/settlement/receive-webhook.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { seal } from "#app/platform/secrets.server.ts";
import type { Bank, Code } from "#tests/histories-model/bank.ts";
import { living, makeMortal } from "#tests/histories-model/dying.ts";
import { findForeignRows } from "#tests/histories-model/foreign-rows.ts";
import { readSellerViews } from "#tests/histories-model/postgres-views.ts";
import type { Books, OpenBooks } from "#tests/histories-model/run.ts";
import type { Harm, History, Step } from "#tests/histories-model/steps.ts";
import {
  providerOf,
  registerWatched,
  syncProvider,
  truthOf,
  type Watch,
  watchCallsOf,
  webhookBody,
  webhookHeader,
} from "#tests/histories-model/watched-providers.ts";
import { order } from "#tests/integration/payments/support.ts";
import { SECOND_SECRET } from "#tests/integration/providers/second-bank.ts";
import { startApp } from "#tests/support/app.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";

const ATTEMPT = { number: 1, last: false };
/** After this time a process that is making a code counts as dead. */
const UNTIL_DEATH_SHOWS = 5;
const UNTIL_SWEPT = 125;
/** Time added at the end, in seconds: webhooks arrive after the third pause. */
const PAUSES = [65, 125, 1900, 125, 3 * 3600, 86_400, 86_400, 3 * 86_400];
const WEBHOOKS_ARRIVE_AFTER = 2;
const MAX_REQUESTS = 8;
/** Time added by all histories: a process that resumes finds its own clock ahead too. */
let passedMs = 0;

/** The outside world for this file: the sandbox as PushinPay, the second provider, mortal processes, time that can pass. */
export async function openWorld(): Promise<{ open: OpenBooks }> {
  const { sandbox } = await startApp({ web: 0, worker: 0 });
  await sandbox.webhooks({ drop: true });
  // We check the rate limit ourselves: the sandbox does not know the history's time.
  await sandbox.gate({ enabled: false });
  makeMortal();
  const running = performance.now.bind(performance);
  performance.now = () => running() + passedMs;
  registerWatched(sandbox);
  await sql.unsafe(PASS);
  return { open: (bank, history) => openBooks(sandbox, bank, history) };
}

const CARD = {
  ...{ brand: "visa", instalments: 3, holderName: "Bia Souza", document: "52998224725" },
  deviceId: null,
};

const ACCOUNTS = {
  pushinpay: { apiKey: "1|sandbox-demo", webhookSecret: null },
  segundo: { apiKey: "segundo-banco", webhookSecret: SECOND_SECRET },
} as const;

/** Switches cards on at the second provider, which takes no PIX where `isOnly`. @returns its hook token */
async function takeCards(seller: { id: string }, isOnly: boolean): Promise<string> {
  const publicKeySealed = seal("publica");
  if (isOnly) {
    const { apiKey, webhookSecret } = ACCOUNTS.segundo;
    const secret = { webhookSecretSealed: seal(webhookSecret), publicKeySealed };
    const dates = { enabledAt: null, cardsEnabledAt: new Date() };
    return (await makeGateway(seller, { provider: "segundo", apiKey, ...secret, ...dates })).hookToken;
  }
  const [account] =
    await sql`update gateway_accounts set cards_enabled_at = now(), public_key_sealed = ${publicKeySealed}
    where seller_id = ${seller.id} and provider = 'segundo' returning hook_token`;
  return account!.hook_token;
}

async function openBooks(
  sandbox: SandboxControl,
  bank: Bank,
  { provider, spare = false, cards = false, refunds = false }: History,
): Promise<Books> {
  const seller = await makeSeller({ refundsOverpayments: refunds });
  const hookTokens = new Map<string, string>();
  const others = spare ? (["pushinpay", "segundo"] as const).filter((one) => one !== provider) : [];
  for (const [position, name] of [provider, ...others].entries()) {
    const { apiKey, webhookSecret } = ACCOUNTS[name];
    const webhookSecretSealed = webhookSecret && seal(webhookSecret);
    const account = { provider: name, apiKey, webhookSecretSealed, position };
    hookTokens.set(name, (await makeGateway(seller, account)).hookToken);
  }
  if (cards) hookTokens.set("segundo", await takeCards(seller, !hookTokens.has("segundo")));
  const product = await makeProduct(seller);
  const recorded = new Map<string, number>();
  const run = randomUUID();
  const placed: string[][] = [[], []];
  let aheadMs = 0;
  let before = "";
  const watch: Watch = {
    bank,
    trouble: null,
    troubled: spare ? provider : null,
    cardAnswer: "approved",
    later: false,
    now: () => Date.now() + aheadMs,
    meanwhile: null,
    webhookUrls: new Map(),
  };
  watchCallsOf(watch);

  async function pass(seconds: number): Promise<void> {
    aheadMs += seconds * 1000;
    passedMs += seconds * 1000;
    await sql`select let_pass(${seller.id}::uuid, ${seconds}::int)`;
  }

  /** Runs one action of a process of ours; a Refusal is a normal answer. @returns whether it completed */
  async function ours(harm: Partial<Harm>, verb: () => Promise<unknown>): Promise<boolean> {
    watch.trouble = harm.trouble ?? null;
    let isRefused = false;
    const died = await living(harm.dies ?? null, () =>
      verb().catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        isRefused = true;
      }),
    );
    watch.trouble = null;
    if (died) await pass(UNTIL_DEATH_SHOWS);
    return !died && !isRefused;
  }

  async function tell(code: Code, says: string, harm: { dies?: number | null } = {}): Promise<void> {
    // A card's webhook has no address of its own.
    const url = watch.webhookUrls.get(code.providerId);
    const query = (name: string) => (url ? new URL(url).searchParams.get(name) : null);
    const by = providerOf(code);
    const body = webhookBody(by, code, says);
    const header = webhookHeader(by, body);
    const webhook = { provider: by, hookToken: hookTokens.get(by)!, body, header, query };
    const notified = await ours({ dies: harm.dies ?? null }, () => receiveWebhook(webhook));
    if (notified && says === truthOf(code)) code.isUntold = false;
  }

  /**
   * Runs the worker's scheduled checks, those of booked payments at their account's pace. A worker that dies releases its
   * charge when the lease ends.
   */
  async function work(harm: Partial<Harm> = {}): Promise<void> {
    for (const claimed of await claimChecks(100))
      await ours({ dies: harm.dies ?? null, trouble: harm.trouble ?? null }, () =>
        checkClaimedCharge(claimed),
      );
    for (let due = await claimPacedChecks(1); due[0]; due = await claimPacedChecks(1)) {
      const [claimed] = due;
      await ours(harm, () => pacedCheckQueue.handle(claimed));
      await pass(1);
    }
    await ours(harm, () => sendAutomaticRefunds.handle({}, ATTEMPT));
  }

  /** Asks once more about every booked payment: one that went back in full is not checked any more. */
  async function checkBooked(): Promise<void> {
    await pass(65);
    const booked =
      await sql`select id from charges where seller_id = ${seller.id} and paid_cents is not null`;
    for (const { id } of booked) await checkCharge(id, { evenIfUnchanged: true });
  }

  async function salesOf() {
    return sql<{ id: string }[]>`select id from sales where seller_id = ${seller.id} order by created_at`;
  }

  async function saleIdOf(n: number): Promise<string | null> {
    const all = await salesOf();
    return all[n % all.length]?.id ?? null;
  }

  async function chargeOf(code: Code | undefined) {
    const [row] = code
      ? await sql`select id, coalesce(paid_cents, amount_cents) as cents from charges where provider_id = ${code.providerId}`
      : [];
    return row ? { id: row.id as string, cents: row.cents as number } : null;
  }

  async function isUnbooked({ providerId, isVisible }: Code): Promise<boolean> {
    const [row] = await sql`select paid_cents from charges where provider_id = ${providerId}`;
    return isVisible && row?.paid_cents === null;
  }

  async function at<T>(found: T | null | undefined, what: (found: T) => Promise<unknown>): Promise<void> {
    if (found) await what(found);
  }

  /** Whether nothing blocks a refund: sale, other refunds, rate limit and provider. */
  async function mayGoBack(chargeId: string, code: Code, wanted: number | null): Promise<boolean> {
    const [row] = await sql<{ left: number; isWaiting: boolean; isFine: boolean }[]>`
      select (c.paid_cents - coalesce((select sum(r.amount_cents) from refunds r where r.charge_id = c.id and r.status = 'done'), 0))::int as left,
        exists (select from refunds r where r.charge_id = c.id and r.status = 'pending') as "isWaiting",
        (s.status = 'completed' or c.overpaid_at is not null or c.status = 'mispaid') as "isFine"
      from charges c inner join sales s on s.id = c.sale_id where c.id = ${chargeId} and c.paid_cents is not null`;
    const isSecond = providerOf(code) === "segundo";
    if (!row?.isFine || row.isWaiting || code.acceptedCents > 0 || code.isContested || !isSecond)
      return false;
    return row.left > 0 && row.left === code.paidCents - code.backCents && (wanted ?? 0) <= row.left;
  }

  async function decideReview(code: Code, how: "approve" | "decline"): Promise<void> {
    if (code.state === "in_review" && bank.answerCard(code, how === "approve" ? "approved" : "declined"))
      await syncProvider(sandbox, code, "answered");
  }

  async function take(step: Step): Promise<string[]> {
    const wrong: string[] = [];
    switch (step.do) {
      case "order":
        await ours(step, async () => {
          const before = placed[step.buyer]!;
          const { saleId } = await placeSale(
            order(product.id, {
              customer: {
                name: "Bia",
                email: `bia${step.buyer}-${run}@exemplo.com.br`,
                phone: null,
                document: spare || provider === "segundo" ? "52998224725" : null,
              },
              buyerContext: { client: `${run}/${step.buyer}`, userAgent: "test", placedSaleIds: before },
            }),
          );
          if (!before.includes(saleId)) before.push(saleId);
          await startPix(saleId);
        });
        return [];
      case "freeze":
        await at(await saleIdOf(step.sale), async (saleId) => {
          watch.meanwhile = async () => {
            await pass(step.meanwhile === "swept" ? UNTIL_SWEPT : UNTIL_DEATH_SHOWS);
            if (step.meanwhile === "swept") await sweepCharges.handle({}, ATTEMPT);
            else
              await ours({ trouble: step.meanwhile === "refused" ? "refused" : null }, () =>
                startPix(saleId),
              );
          };
          await ours({}, () => startPix(saleId));
          watch.meanwhile = null;
        });
        return [];
      case "code": {
        const saleId = await saleIdOf(step.sale);
        if (!saleId) return [];
        // As the button of the PIX page does.
        const made = await ours(step, async () => {
          const { summary } = await checkPendingCharges(saleId);
          if (summary.apiStatus !== "completed") await startPix(saleId);
        });
        const { buyer } = (await showPix(saleId))!.paymentSummary;
        const isStuck = made && ["making", "over", "failed", "closed"].includes(buyer);
        return isStuck ? [`the buyer got a code, and the page says ${buyer}`] : [];
      }
      case "card":
        await at(cards ? await saleIdOf(step.sale) : null, async (saleId) => {
          watch.cardAnswer = step.answer;
          await ours(step, () => payByCard(saleId, { ...CARD, token: randomUUID() }));
        });
        return [];
      case "review":
        await at(bank.visible(step.code), (code) => decideReview(code, step.how));
        return [];
      case "pay":
        await at(bank.visible(step.code), async (code) => {
          if (bank.pay(code, step.amount)) await syncProvider(sandbox, code, "paid", code.paidCents);
        });
        return [];
      case "correct":
        await at(bank.visible(step.code), async (code) => {
          if (bank.correct(code, providerOf(code) === "segundo"))
            await syncProvider(sandbox, code, "corrected", code.paidCents);
        });
        return [];
      case "end":
        await at(bank.visible(step.code), async (code) => {
          if (bank.end(code, step.how)) await syncProvider(sandbox, code, "ended");
        });
        return [];
      case "return":
        await at(bank.visible(step.code), async (code) => {
          const left = code.paidCents - code.backCents;
          const cents = step.part && providerOf(code) === "segundo" ? Math.ceil(left / 3) : left;
          if (bank.giveBack(code, cents)) await syncProvider(sandbox, code, "returned", cents);
        });
        return [];
      case "confirm":
        for (const code of bank.codes) {
          const cents = code.acceptedCents;
          if (cents > 0 && bank.giveBack(code, cents)) {
            code.acceptedCents = 0;
            await syncProvider(sandbox, code, "returned", cents);
          }
        }
        return [];
      case "news":
        await at(bank.codes[step.code % bank.codes.length], (code) =>
          tell(code, step.says === "truth" ? truthOf(code) : step.says, step),
        );
        return [];
      case "press":
        await at(await saleIdOf(step.sale), async (saleId) => {
          const charge = (await showPix(saleId))?.charge;
          if (charge) await ours(step, () => checkPix(charge.id, { asksProvider: true }));
        });
        return [];
      case "look":
        await at(await saleIdOf(step.sale), (saleId) => ours(step, () => checkSale(seller.id, saleId)));
        return [];
      case "work":
        await work(step);
        return [];
      case "sweep":
        await ours(step, () => sweepCharges.handle({}, ATTEMPT));
        return [];
      case "close":
        await ours(step, () => closeOrders.handle({}, ATTEMPT));
        return [];
      case "remind":
        await at(await saleIdOf(step.sale), (saleId) =>
          ours(step, () => remindBuyer({ saleId, number: 1, since: new Date() })),
        );
        return [];
      case "refund":
        await at(await chargeOf(bank.visible(step.code)), async ({ id, cents }) => {
          const code = bank.visible(step.code)!;
          const wanted = step.part ? Math.ceil(cents / 3) : null;
          const mustGoOut = !step.trouble && step.dies === null && (await mayGoBack(id, code, wanted));
          const before = code.backCents + code.acceptedCents;
          watch.later = step.later;
          await ours(step, () => refundCharge(seller.id, id, wanted));
          watch.later = false;
          if (mustGoOut && code.backCents + code.acceptedCents === before)
            wrong.push("a refund that could be asked for was not");
        });
        return wrong;
      case "record":
        await at(await saleIdOf(step.sale), (saleId) => ours(step, () => recordRefund(seller.id, saleId)));
        return [];
      case "record-extra":
        await at(await chargeOf(bank.visible(step.code)), ({ id }) =>
          ours(step, () => recordOverpaymentRefund(seller.id, id)),
        );
        return [];
      case "dispute":
        await at(bank.visible(step.code), async (code) => {
          const isDone = step.how === "contest" ? bank.contest(code) : bank.decide(code, step.how);
          if (isDone) await syncProvider(sandbox, code, step.how);
        });
        return [];
      case "record-dispute": {
        const { what } = step;
        await at(await saleIdOf(step.sale), (saleId) =>
          ours(step, () =>
            what === "open" ? recordDispute(seller.id, saleId) : recordDecision(seller.id, saleId, what),
          ),
        );
        return [];
      }
      case "wait":
        await pass(step.seconds);
        return [];
    }
  }

  return {
    isReal: true,
    recorded,
    take,
    async read() {
      const views = await readSellerViews(seller.id, before);
      const { seen } = views;
      before = views.before;
      for (const { providerId, refunds } of seen.sales.flatMap((sale) => sale.charges)) {
        const code = bank.find(providerId ?? "");
        if (code) code.isVisible = true;
        const last = refunds.findLastIndex((one) => "origin" in one && one.origin === "recorded");
        if (code && last >= 0)
          recorded.set(code.providerId, computeRefundedCents(refunds.slice(0, last + 1)));
      }
      return seen;
    },
    async rest() {
      for (const [n, code] of bank.codes.entries()) await decideReview(code, n % 2 ? "approve" : "decline");
      // While the worker still checks, a payment is found without a webhook.
      const isYoung = aheadMs < 12 * HOUR;
      for (const [n, seconds] of PAUSES.entries()) {
        await pass(seconds);
        await sweepCharges.handle({}, ATTEMPT);
        await work();
        await closeOrders.handle({}, ATTEMPT);
        if (n !== WEBHOOKS_ARRIVE_AFTER) continue;
        for (const code of bank.codes)
          if (code.isUntold && !(isYoung && (await isUnbooked(code)))) await tell(code, truthOf(code));
        await work();
      }
      // When the checks were given up, an action item remains: checking each code resolves it.
      for (const code of bank.codes.keys())
        for (const { id } of await salesOf()) if (code < MAX_REQUESTS) await checkSale(seller.id, id);
      await checkBooked();
      await pass(86_400);
      await closeOrders.handle({}, ATTEMPT);
    },
    async close() {
      watchCallsOf(null);
      await sql`delete from graphile_worker._private_jobs`;
      expect(await findForeignRows(), "rows that name another seller than what they belong to").toEqual([]);
      await sql`delete from sales where seller_id = ${seller.id}`;
      await sql`delete from report_marks where seller_id = ${seller.id}`;
      await sql`delete from funnel_marks where seller_id = ${seller.id}`;
    },
  };
}

/** Time passes for one seller: every moment of their books moves back. */
const PASS = `
create or replace function let_pass(who uuid, seconds int) returns void language sql as $$
  update payment_webhooks set received_at = received_at - make_interval(secs => seconds),
    handled_at = handled_at - make_interval(secs => seconds)
  where charge_id in (select c.id from charges c inner join sales s on s.id = c.sale_id where s.seller_id = who);
  update refunds set requested_at = requested_at - make_interval(secs => seconds),
    accepted_at = accepted_at - make_interval(secs => seconds), send_at = send_at - make_interval(secs => seconds), ended_at = ended_at - make_interval(secs => seconds)
  where charge_id in (select c.id from charges c inner join sales s on s.id = c.sale_id where s.seller_id = who);
  update paced_checks set scheduled_at = scheduled_at - make_interval(secs => seconds) where seller_id = who;
  update gateway_accounts set next_paced_check_at = next_paced_check_at - make_interval(secs => seconds) where seller_id = who;
  update charge_events set at = at - make_interval(secs => seconds) where seller_id = who;
  update charges set created_at = created_at - make_interval(secs => seconds), expires_at = expires_at - make_interval(secs => seconds),
    creating_until = creating_until - make_interval(secs => seconds), paid_at = paid_at - make_interval(secs => seconds),
    overpaid_at = overpaid_at - make_interval(secs => seconds), last_checked_at = last_checked_at - make_interval(secs => seconds),
    next_check_at = next_check_at - make_interval(secs => seconds)
  where sale_id in (select id from sales where seller_id = who);
  update sales set created_at = created_at - make_interval(secs => seconds), completed_at = completed_at - make_interval(secs => seconds),
    refunded_at = refunded_at - make_interval(secs => seconds) where seller_id = who;
  update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => seconds);
$$`;
