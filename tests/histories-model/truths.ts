import type { SaleStatus } from "#app/domain/sale/states.ts";
import type { Bank, Code } from "#tests/histories-model/bank.ts";
import { expectedOf, leftOf, PAID } from "#tests/histories-model/expected-views.ts";
import type { ReportedState, Seen, SeenCharge, SeenSale } from "#tests/histories-model/seen.ts";

/** A sale's transitions, written a second time: event, from, to. */
const SALE_MOVES: Record<string, { from: string[]; to: SaleStatus }> = {
  completed: { from: ["pending", "failed", "cancelled"], to: "completed" },
  failed: { from: ["pending"], to: "failed" },
  reopened: { from: ["failed", "cancelled"], to: "pending" },
  cancelled: { from: ["pending"], to: "cancelled" },
  disputed: { from: ["completed"], to: "disputed" },
  dispute_won: { from: ["disputed"], to: "completed" },
  refunded: { from: ["completed", "disputed"], to: "refunded" },
  chargedback: { from: ["completed", "disputed"], to: "chargedback" },
};
const UNPAID = ["creating", "open", "in_review", "declined", "failed", "expired", "cancelled"];
const CHARGE_MOVES: Record<string, { from: string[]; to: string }> = {
  requested: { from: ["none"], to: "creating" },
  made: { from: ["creating", "failed"], to: "open" },
  failed: { from: ["creating"], to: "failed" },
  in_review: { from: ["creating", "failed"], to: "in_review" },
  declined: { from: ["creating", "unknown", "failed", "in_review"], to: "declined" },
  expired: { from: ["creating", "open", "in_review", "failed"], to: "expired" },
  cancelled: { from: ["creating", "open", "in_review", "failed", "expired"], to: "cancelled" },
  paid: { from: [...UNPAID, "mispaid"], to: "paid" },
  surplus: { from: [...UNPAID, "mispaid"], to: "paid" },
  mispaid: { from: UNPAID, to: "mispaid" },
};
const REFUND_ENDS = {
  refund_done: "done",
  refund_refused: "refused",
  refund_unconfirmed: "unconfirmed",
} as const;

/** What is wrong with the books at any moment, also in the middle of a step; empty if nothing is. */
export function wrongNow({ now, sales, sold }: Seen, bank: Bank): string[] {
  const wrong = [...bank.tooSoon];
  for (const sale of sales) {
    const say = (what: string) => wrong.push(`sale ${sale.id.slice(0, 8)}: ${what}`);
    follow(sale.events, SALE_MOVES, "pending", sale.status).forEach(say);
    for (const charge of sale.charges) {
      follow(charge.events, CHARGE_MOVES, "none", charge.status).forEach(say);
      eventsOfRefunds(charge).forEach(say);
      const truth = bank.find(charge.providerId ?? "");
      const firstCents = truth?.firstCents ?? null;
      const paidCents = charge.paidCents ?? 0;
      // What the seller marked as refunded before the amount was corrected may be more than that.
      if (paidCents - leftOf(charge) > Math.max(paidCents, firstCents ?? 0))
        say(`more went back than came in: ${leftOf(charge)}`);
      const isBehind = charge.status === "mispaid" && charge.paidCents === firstCents;
      if (charge.paidCents !== null && charge.paidCents !== truth?.paidCents && !isBehind)
        say(`booked ${charge.paidCents} of a payment of ${truth?.paidCents ?? 0}`);
    }
    const counting = sale.charges.filter((c) => c.status === "paid" && !c.overpaidAt);
    const isPaid = PAID.includes(sale.status);
    if (counting.length !== (isPaid ? 1 : 0))
      say(`${counting.length} payments count for a sale that is ${sale.status}`);
    const approved = sale.charges.filter((c) => c.method === "card" && c.status === "paid");
    if (approved.length > 1) say(`${approved.length} cards were charged`);
    const completed = sale.events.filter((event) => event === "completed").length;
    if (completed !== counting.length) say(`completed ${completed} times`);
    const must: Partial<ReportedState> = expectedOf(sale, now);
    for (const { view, says } of sale.claims)
      for (const [what, value] of Object.entries(says))
        if (what in must && value !== must[what as keyof ReportedState])
          say(`${view} says ${what} ${value}, the books say ${must[what as keyof ReportedState]}`);
    const buyers = new Set(sale.claims.flatMap(({ says }) => says.buyer ?? []));
    if (buyers.size > 1) say(`buyers are told ${[...buyers].join(" and ")}`);
  }
  const done = sales.filter(({ status }) => status === "completed");
  const cents = done.reduce((sum, sale) => sum + sale.amountCents, 0);
  const net = done.reduce((sum, sale) => sum + (expectedOf(sale, now).netCents ?? 0), 0);
  for (const report of sold)
    if (report.count !== done.length || report.cents !== cents)
      wrong.push(
        `${report.view} counts ${report.count} sales of ${report.cents}, there are ${done.length} of ${cents}`,
      );
    else if (report.netCents !== null && report.netCents !== net)
      wrong.push(`${report.view} keeps ${report.netCents} of the sales, there remain ${net}`);
  return wrong;
}

/**
 * What is wrong once everything was delivered and checked, and days have passed. `recorded`: what went back of a code when
 * the seller last marked it as refunded, by the provider's id; `refundsAll`: overpayments are refunded automatically,
 * whatever caused them.
 */
export function wrongInTheEnd(
  { sales }: Seen,
  bank: Bank,
  recorded: Map<string, number>,
  refundsAll: boolean,
): string[] {
  const wrong: string[] = [];
  const charges = sales.flatMap((sale) => sale.charges);
  for (const code of bank.codes) {
    const charge = charges.find(({ providerId }) => providerId === code.providerId);
    // A code that nobody was shown cannot be paid, a card can.
    if (!charge && (code.isVisible || (code.isCard && code.paidCents > 0)))
      wrong.push(`code ${code.providerId} is in no book`);
    if (!charge) continue;
    const { came, back: returned } = moneyOf(code, charge);
    const back = Math.max(returned, recorded.get(code.providerId) ?? 0);
    const booked = (charge.paidCents ?? 0) - leftOf(charge);
    if ((charge.paidCents ?? 0) !== came || booked !== back)
      wrong.push(
        `code ${code.providerId}: ${came} came and ${back} went back, the books have ${charge.paidCents} and ${booked}`,
      );
    if (charge.status === "creating") wrong.push(`code ${code.providerId} is being made for ever`);
  }
  for (const sale of sales) {
    const say = (what: string) => wrong.push(`sale ${sale.id.slice(0, 8)}: ${what}`);
    const rights = sale.charges.filter((c) => {
      const code = bank.find(c.providerId ?? "");
      return code && moneyOf(code, c).came === c.amountCents;
    });
    const counting = rights.find((c) => c.status === "paid" && !c.overpaidAt);
    if (rights.length > 0 && !counting) say(`is ${sale.status}, and was paid`);
    if (counting) {
      const isBack = leftOf(counting) <= 0;
      const code = bank.find(counting.providerId ?? "");
      const must = mustBeInTheEnd(sale, isBack, code?.reportsDisputes ? code : null);
      if (sale.status !== must) say(`is ${sale.status}, and should be ${must}`);
    } else if (sale.status !== "failed" && sale.status !== "cancelled") say(`waits for ever: ${sale.status}`);
    for (const charge of sale.charges) {
      const isAutomatic = charge.overpaidAt && (refundsAll || isFailedOver(charge, counting));
      // While it is disputed its bank decides, which may return it itself.
      if (isAutomatic && !charge.isDisputed && charge.refunds.length === 0)
        say("an overpayment was not refunded automatically");
      if (charge.status === "creating") say("a code is being made for ever");
      if (charge.status === "unknown" || charge.status === "in_review") say("a card is waited for for ever");
      if (charge.refunds.some(({ status }) => status === "pending")) say("a refund is waited for for ever");
      if (charge.announcedAt && charge.status !== "paid" && charge.status !== "mispaid")
        say("news of a payment wait for ever");
    }
  }
  return wrong;
}

/**
 * What came of a code and went back, as its charge has to say. A corrected amount is booked while the provider calls the payment
 * paid: one that has gone back by then, or is contested, keeps the first amount.
 */
function moneyOf(code: Code, { status }: SeenCharge): { came: number; back: number } {
  const { paidCents: came, backCents: back, firstCents } = code;
  const isPaid = code.state === "paid" && !(code.isContested && code.reportsDisputes);
  if (firstCents === null || status !== "mispaid" || isPaid) return { came, back };
  // Of a payment that went back, the other provider says no amount.
  return { came: firstCents, back: code.reportsDisputes ? Math.min(back, firstCents) : firstCents };
}

/**
 * What a paid sale has to be. If the provider reports disputes, only the provider opens and ends them; otherwise the
 * seller does.
 * @param truth of the payment that counts, if its provider reports disputes
 */
function mustBeInTheEnd({ status }: SeenSale, isBack: boolean, truth: Code | null | undefined): SaleStatus {
  if (status === "chargedback" && (!truth || truth.isChargedBack)) return "chargedback";
  if (isBack) return "refunded";
  return (truth ? truth.isContested : status === "disputed") ? "disputed" : "completed";
}

/** Whether the payments of two codes came through two providers. */
function isFailedOver(charge: SeenCharge, counting: SeenCharge | undefined): boolean {
  const isSecond = (one: SeenCharge) => one.providerId?.startsWith("seg-");
  return charge.method === "pix" && counting?.method === "pix" && isSecond(charge) !== isSecond(counting);
}

/** Follows events through a table of transitions to the resulting state: each change has recorded exactly one event. */
function follow(
  events: string[],
  moves: Record<string, { from: string[]; to: string }>,
  first: string,
  last: string,
): string[] {
  let at = first;
  for (const event of events) {
    const move = moves[event];
    if (!move) continue;
    if (!move.from.includes(at)) return [`${event} although it was ${at}: ${events.join(", ")}`];
    at = move.to;
  }
  // A card whose answer is missing: its event is one of a check, too.
  const isUnknown = last === "unknown" && at === "creating";
  return at === last || isUnknown
    ? []
    : [`its facts lead to ${at}, its state is ${last}: ${events.join(", ")}`];
}

function eventsOfRefunds({ refunds, events }: SeenCharge): string[] {
  const count = (of: string[], what: string) => of.filter((one) => one === what).length;
  const states = refunds.map(({ status }) => status as string);
  const wrong: string[] = [];
  // A refused or abandoned refund may have been done after all, so there may be more of those.
  for (const [event, state] of Object.entries(REFUND_ENDS)) {
    const [counted, are] = [count(events, event), count(states, state)];
    if (event === "refund_done" ? counted !== are : counted < are)
      wrong.push(`${counted} facts ${event} for ${are} refunds that are ${state}`);
  }
  return wrong;
}
