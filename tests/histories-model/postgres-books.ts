import { randomUUID } from "node:crypto";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { closeOrders } from "#app/domain/pix/close-orders.server.ts";
import { showPix } from "#app/domain/pix/show-pix.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { recordDecision, recordDispute } from "#app/domain/refund/record-dispute.server.ts";
import { recordRefund, recordSurplusRefund } from "#app/domain/refund/record-reversal.server.ts";
import { requestRefund } from "#app/domain/refund/request-refund.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { checkCharge, claimChecks } from "#app/domain/settlement/check-charge.server.ts";
import { askAboutSale, checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { checkSale } from "#app/domain/settlement/check-sale.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { takeWebhook } from "#app/domain/settlement/take-webhook.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { seal } from "#app/platform/secrets.server.ts";
import type { Bank, Code } from "#tests/histories-model/bank.ts";
import { living, makeMortal } from "#tests/histories-model/dying.ts";
import { lookAt } from "#tests/histories-model/postgres-views.ts";
import type { Books } from "#tests/histories-model/run.ts";
import type { Harm, History, Step } from "#tests/histories-model/steps.ts";
import {
  newsBody,
  newsHeader,
  registerWatched,
  tellProvider,
  truthOf,
  type Watch,
  watchCallsOf,
} from "#tests/histories-model/watched-providers.ts";
import { order } from "#tests/integration/payments/support.ts";
import { SECOND_SECRET } from "#tests/integration/providers/second-bank.ts";
import { startApp } from "#tests/support/app.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";

const ATTEMPT = { number: 1, last: false };
/** Nobody can tell a maker of a code from a dead one sooner than this. */
const UNTIL_DEATH_SHOWS = 5;
const UNTIL_SWEPT = 125;
/** What passes in the end, in seconds: the news come after the third pause. */
const PAUSES = [65, 125, 1900, 125, 3 * 3600, 86_400, 86_400, 3 * 86_400];
const NEWS_COME_AFTER = 2;
const MOST_PRESSES = 8;
/** What passed in all histories: a process that wakes up finds its own clock ahead too. */
let passedMs = 0;

/** The outside world for this file: the sandbox as PushinPay, the second provider, mortal processes, time that can pass. */
export async function openWorld(): Promise<{
  open: (bank: Bank, provider: History["provider"]) => Promise<Books>;
}> {
  const { sandbox } = await startApp({ web: 0, worker: 0 });
  await sandbox.webhooks({ drop: true });
  // We watch the gate ourselves: the sandbox's knows nothing of a history's time.
  await sandbox.gate({ enabled: false });
  makeMortal();
  const running = performance.now.bind(performance);
  performance.now = () => running() + passedMs;
  registerWatched(sandbox);
  await sql.unsafe(PASS);
  return { open: (bank, provider) => openBooks(sandbox, bank, provider) };
}

async function openBooks(sandbox: SandboxControl, bank: Bank, provider: History["provider"]): Promise<Books> {
  const seller = await makeSeller();
  const apiKey = provider === "segundo" ? "segundo-banco" : "1|sandbox-demo";
  const webhookSecretSealed = provider === "segundo" ? seal(SECOND_SECRET) : null;
  const { hookToken } = await makeGateway(seller, { provider, apiKey, webhookSecretSealed });
  const product = await makeProduct(seller);
  const recorded = new Set<string>();
  const run = randomUUID();
  const placed: string[][] = [[], []];
  let aheadMs = 0;
  let before = "";
  const watch: Watch = {
    bank,
    trouble: null,
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

  /** A process of ours does something; a Refusal is an answer like any other. @returns whether it got to its end */
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
    const reference = new URL(watch.webhookUrls.get(code.providerId)!).searchParams.get("charge");
    const body = newsBody(provider, code, says);
    const header = newsHeader(provider, body);
    const told = await ours({ dies: harm.dies ?? null }, () =>
      takeWebhook({ provider, hookToken, reference, body, header }),
    );
    if (told && says === truthOf(code)) code.isUntold = false;
  }

  /** The worker's due looks: one that dies gives its charge back when its lease ends. */
  async function work(harm: Partial<Harm> = {}): Promise<void> {
    for (const due of await claimChecks(100))
      await ours({ dies: harm.dies ?? null, trouble: harm.trouble ?? null }, () => checkCharge(due));
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

  async function isUnbooked({ providerId, isShown }: Code): Promise<boolean> {
    const [row] = await sql`select paid_cents from charges where provider_id = ${providerId}`;
    return isShown && row?.paid_cents === null;
  }

  async function at<T>(found: T | null | undefined, what: (found: T) => Promise<unknown>): Promise<void> {
    if (found) await what(found);
  }

  /** Whether nothing stands in the way of a refund: not the sale, not another refund, not the gate, not the provider. */
  async function mayGoBack(chargeId: string, code: Code, wanted: number | null): Promise<boolean> {
    const [row] = await sql<{ left: number; isWaiting: boolean; isFine: boolean }[]>`
      select (c.paid_cents - coalesce((select sum(r.amount_cents) from refunds r where r.charge_id = c.id and r.status = 'done'), 0))::int as left,
        exists (select from refunds r where r.charge_id = c.id and r.status = 'pending') as "isWaiting",
        (s.status = 'completed' or c.surplus_at is not null or c.status = 'mispaid') as "isFine"
      from charges c inner join sales s on s.id = c.sale_id where c.id = ${chargeId} and c.paid_cents is not null`;
    if (!row?.isFine || row.isWaiting || code.acceptedCents > 0 || code.isContested || provider !== "segundo")
      return false;
    return row.left > 0 && row.left === code.paidCents - code.backCents && (wanted ?? 0) <= row.left;
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
                document: provider === "segundo" ? "52998224725" : null,
              },
              placer: { client: `${run}/${step.buyer}`, browser: "test", placed: before },
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
          if ((await askAboutSale(saleId)).api !== "completed") await startPix(saleId);
        });
        const { buyer } = (await showPix(saleId))!.standing;
        const isStuck = made && ["making", "over", "failed", "closed"].includes(buyer);
        return isStuck ? [`the buyer got a code, and the page says ${buyer}`] : [];
      }
      case "pay":
        await at(bank.shown(step.code), async (code) => {
          if (bank.pay(code, step.amount)) await tellProvider(sandbox, code, "paid", code.paidCents);
        });
        return [];
      case "end":
        await at(bank.shown(step.code), async (code) => {
          if (bank.end(code, step.how)) await tellProvider(sandbox, code, "ended");
        });
        return [];
      case "return":
        await at(bank.shown(step.code), async (code) => {
          const left = code.paidCents - code.backCents;
          const cents = step.part && provider === "segundo" ? Math.ceil(left / 3) : left;
          if (bank.giveBack(code, cents)) await tellProvider(sandbox, code, "returned", cents);
        });
        return [];
      case "confirm":
        for (const code of bank.codes) {
          const cents = code.acceptedCents;
          if (cents > 0 && bank.giveBack(code, cents)) {
            code.acceptedCents = 0;
            await tellProvider(sandbox, code, "returned", cents);
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
          if (charge) await ours(step, () => checkPix(charge.id, { ask: true }));
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
        await at(await chargeOf(bank.shown(step.code)), async ({ id, cents }) => {
          const code = bank.shown(step.code)!;
          const wanted = step.part ? Math.ceil(cents / 3) : null;
          const mustGoOut = !step.trouble && step.dies === null && (await mayGoBack(id, code, wanted));
          const before = code.backCents + code.acceptedCents;
          watch.later = step.later;
          await ours(step, () => requestRefund(seller.id, id, wanted));
          watch.later = false;
          if (mustGoOut && code.backCents + code.acceptedCents === before)
            wrong.push("a refund that could be asked for was not");
        });
        return wrong;
      case "record":
        await at(await saleIdOf(step.sale), (saleId) => ours(step, () => recordRefund(seller.id, saleId)));
        return [];
      case "record-extra":
        await at(await chargeOf(bank.shown(step.code)), ({ id }) =>
          ours(step, () => recordSurplusRefund(seller.id, id)),
        );
        return [];
      case "dispute":
        await at(bank.shown(step.code), async (code) => {
          const isDone = step.how === "contest" ? bank.contest(code) : bank.decide(code, step.how);
          if (isDone) await tellProvider(sandbox, code, step.how);
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
    recorded,
    take,
    async look() {
      const looked = await lookAt(seller.id, before);
      const { seen } = looked;
      before = looked.before;
      for (const { providerId, refunds } of seen.sales.flatMap((sale) => sale.charges)) {
        const code = bank.find(providerId ?? "");
        if (code) code.isShown = true;
        if (code && refunds.some((one) => "origin" in one && one.origin === "recorded"))
          recorded.add(code.providerId);
      }
      return seen;
    },
    async rest() {
      // While we still ask by ourselves, a payment is found without any news.
      const isYoung = aheadMs < 12 * HOUR;
      for (const [n, seconds] of PAUSES.entries()) {
        await pass(seconds);
        await sweepCharges.handle({}, ATTEMPT);
        await work();
        await closeOrders.handle({}, ATTEMPT);
        if (n !== NEWS_COME_AFTER) continue;
        for (const code of bank.codes)
          if (code.isUntold && !(isYoung && (await isUnbooked(code)))) await tell(code, truthOf(code));
        await work();
      }
      // Who gave up asking leaves a hand to the seller: pressing for each code ends it.
      for (const code of bank.codes.keys())
        for (const { id } of await salesOf()) if (code < MOST_PRESSES) await checkSale(seller.id, id);
      await pass(86_400);
      await closeOrders.handle({}, ATTEMPT);
    },
    async close() {
      watchCallsOf(null);
      await sql`delete from graphile_worker._private_jobs`;
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
    accepted_at = accepted_at - make_interval(secs => seconds), ended_at = ended_at - make_interval(secs => seconds)
  where charge_id in (select c.id from charges c inner join sales s on s.id = c.sale_id where s.seller_id = who);
  update charges set created_at = created_at - make_interval(secs => seconds), expires_at = expires_at - make_interval(secs => seconds),
    creating_until = creating_until - make_interval(secs => seconds), paid_at = paid_at - make_interval(secs => seconds),
    surplus_at = surplus_at - make_interval(secs => seconds), last_checked_at = last_checked_at - make_interval(secs => seconds),
    next_check_at = next_check_at - make_interval(secs => seconds)
  where sale_id in (select id from sales where seller_id = who);
  update sales set created_at = created_at - make_interval(secs => seconds), completed_at = completed_at - make_interval(secs => seconds),
    refunded_at = refunded_at - make_interval(secs => seconds) where seller_id = who;
  update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => seconds);
$$`;
