import { summarizePayments } from "#app/domain/sale/payment-summary.ts";
import { computeUnrefundedCents, findDecisiveRefund } from "#app/domain/sale/payments.ts";
import { mayMoveCharge, mayMoveSale } from "#app/domain/sale/states.ts";
import { judgePayment } from "#app/domain/settlement/plan-settlement.server.ts";
import { DAY, MINUTE } from "#app/kit/duration.ts";
import type { Bank, Code } from "#tests/histories-model/bank.ts";
import {
  type MemoryCharge,
  type MemorySale,
  moveCharge,
  moveRefund,
  moveSale,
  openRefund,
} from "#tests/histories-model/memory-ledger.ts";
import type { Books } from "#tests/histories-model/run.ts";
import { claimOf, type Seen } from "#tests/histories-model/seen.ts";
import type { Harm, History, Step } from "#tests/histories-model/steps.ts";

const PRICE = 9700;
const CODE_LIVES = 30 * MINUTE;
const REFUND_WAIT = 3 * DAY;
/** Moments in memory begin here: any will do. */
const BEGINNING = Date.UTC(2026, 0, 1);

/**
 * Books in memory, kept with the app's own tables, judge and reader, in the order the app uses. A process that dies
 * here has called the provider and written nothing of the answer.
 */
export async function openMemory(bank: Bank, { provider }: History): Promise<Books> {
  const sales: MemorySale[] = [];
  const recorded = new Map<string, number>();
  const atMostEvery = provider === "pushinpay" ? MINUTE : 0;
  let now = BEGINNING;
  let ids = 0;

  const charges = () => sales.flatMap((sale) => sale.charges);
  const saleOf = (charge: MemoryCharge) => sales.find(({ id }) => id === charge.saleId)!;
  const chargeOf = (code: Code | undefined) =>
    charges().find((c) => code && c.providerId === code.providerId);
  const announcedAt = ({ webhook }: MemoryCharge) => {
    const waiting = webhook.filter(({ says, isHandled }) => says === "paid" && !isHandled);
    return waiting.length > 0 ? new Date(Math.max(...waiting.map(({ at }) => at))) : null;
  };
  const known = (sale: MemorySale) => ({
    ...sale,
    // Without a payment that counts nothing is completed here.
    completedAt: null,
    charges: sale.charges.map((charge) => ({
      ...charge,
      refunds: charge.refunds.map((refund) => ({
        ...refund,
        origin: refund.isRecorded ? ("recorded" as const) : ("requested" as const),
        acceptedAt: null,
        endedAt: null,
        dismissedAt: null,
        requestedAt: new Date(refund.at),
      })),
      announcedAt: announcedAt(charge),
    })),
  });
  const summaryOf = (sale: MemorySale) => summarizePayments(known(sale), new Date(now));

  function startPix(sale: MemorySale, { trouble, dies }: Harm): void {
    if (sale.status !== "pending" && sale.status !== "failed" && sale.status !== "cancelled") return;
    const open = sale.charges.some((c) => c.status === "open" && c.expiresAt!.getTime() > now);
    if (open || ["announced", "mispaid"].includes(summaryOf(sale).buyer)) return;
    const charge: MemoryCharge = {
      id: `charge ${ids++}`,
      saleId: sale.id,
      method: "pix",
      status: "creating",
      providerId: null,
      amountCents: PRICE,
      paidCents: null,
      feeCents: null,
      createdAt: new Date(now + ids),
      expiresAt: null,
      paidAt: null,
      overpaidAt: null,
      events: ["requested"],
      refunds: [],
      webhook: [],
      checkedAt: Number.NEGATIVE_INFINITY,
      nextCheckAt: null,
    };
    sale.charges.push(charge);
    const isMade = trouble === null || trouble === "lost-after";
    const code = isMade ? bank.add(`code ${ids}`, PRICE) : null;
    if (dies !== null) return;
    if (!code || trouble) {
      moveCharge(charge, "failed");
      if (trouble === "refused" && sale.status === "pending") moveSale(sale, "failed");
      return;
    }
    moveCharge(charge, "open", "made");
    charge.providerId = code.providerId;
    charge.expiresAt = new Date(now + CODE_LIVES);
    charge.nextCheckAt = now + 1.5 * MINUTE;
    if (sale.status === "failed" || sale.status === "cancelled") moveSale(sale, "pending");
  }

  /** Books once what the provider reports of a code. */
  function checkCharge(charge: MemoryCharge, { trouble, dies }: Harm): void {
    const code = bank.find(charge.providerId ?? "");
    if (!code || now - charge.checkedAt < atMostEvery) return;
    charge.checkedAt = now;
    bank.noteAsked(code, now, atMostEvery);
    const last = findDecisiveRefund(charge.refunds);
    charge.nextCheckAt =
      last?.status === "pending" ? now + MINUTE : charge.paidCents === null ? now + MINUTE : null;
    if (trouble || dies !== null) return;
    book(charge, code);
    for (const webhook of charge.webhook) webhook.isHandled = true;
  }

  function book(charge: MemoryCharge, code: Code): void {
    if (isCorrected(charge, code)) bookPayment(saleOf(charge), charge, code);
    else if (charge.paidCents !== null) {
      bookDispute(charge, code);
      const isAllBack = code.state === "refunded" && provider === "pushinpay";
      bookBack(charge, isAllBack ? charge.paidCents : Math.min(code.backCents, charge.paidCents), code);
    } else if (code.state === "expired" || code.state === "cancelled")
      endCharge(saleOf(charge), charge, code.state);
    else if (code.state !== "open") bookPayment(saleOf(charge), charge, code);
  }

  /** Whether the amount was another one; not while the payment is contested, or a refund of it under way. */
  function isCorrected({ status, amountCents, refunds }: MemoryCharge, code: Code): boolean {
    if (status !== "mispaid" || code.paidCents !== amountCents || code.state !== "paid") return false;
    const isContested = code.isContested && bank.reportsDisputes;
    return !isContested && findDecisiveRefund(refunds)?.status !== "pending";
  }

  function bookPayment(sale: MemorySale, charge: MemoryCharge, code: Code): void {
    const judgement = judgePayment(charge, sale, code.paidCents);
    if (judgement === "already") return;
    moveCharge(
      charge,
      judgement === "amount-mismatch" ? "mispaid" : "paid",
      judgement === "amount-mismatch" ? "mispaid" : judgement === "overpayment" ? "surplus" : "paid",
    );
    charge.paidCents = code.paidCents;
    charge.paidAt = new Date(now);
    charge.feeCents = 35;
    charge.nextCheckAt = null;
    if (judgement === "overpayment") charge.overpaidAt = new Date(now);
    if (judgement === "counts") {
      moveSale(sale, "completed");
      sale.feeCents = charge.feeCents;
    }
    bookBack(charge, code.backCents, code);
    if (judgement === "counts") giveBack(charge);
    bookDispute(charge, code);
  }

  /** The second provider reports that a payment is disputed, or no longer is. */
  function bookDispute(charge: MemoryCharge, code: Code): void {
    const sale = saleOf(charge);
    if (!bank.reportsDisputes || charge.status !== "paid" || charge.overpaidAt || code.isChargedBack) return;
    if (code.isContested && sale.status === "completed") moveSale(sale, "disputed");
    if (code.state === "paid" && !code.isContested && sale.status === "disputed") moveSale(sale, "completed");
  }

  function endCharge(sale: MemorySale, charge: MemoryCharge, to: "expired" | "cancelled"): void {
    if (!mayMoveCharge(charge.status, to)) return;
    moveCharge(charge, to);
    const hasOther = sale.charges.some(
      (other) =>
        other !== charge &&
        (other.status === "creating" || (other.status === "open" && other.expiresAt!.getTime() > now)),
    );
    if (to === "cancelled" && !hasOther && sale.status === "pending") moveSale(sale, "failed");
  }

  function bookBack(charge: MemoryCharge, totalCents: number, code: Code): void {
    const booked = charge.paidCents! - computeUnrefundedCents(charge);
    const last = findDecisiveRefund(charge.refunds);
    if (totalCents > booked) {
      const missing = totalCents - booked;
      const sale = saleOf(charge);
      const counts = charge.status === "paid" && !charge.overpaidAt;
      // If the provider does not report disputes, what no refund that may still be made returns counts as taken by the
      // bank while it is disputed.
      const isUnreported = counts && sale.status === "disputed" && !bank.reportsDisputes;
      const request = charge.refunds.findLast(
        ({ status, amountCents }) =>
          status !== "done" && !(isUnreported && status === "refused") && amountCents <= missing,
      );
      if (request) moveRefund(charge, request, "done");
      const rest = missing - (request?.amountCents ?? 0);
      if (rest > 0) openRefund(charge, { status: "done", amountCents: rest, at: now, isRecorded: false });
      const isChargedBack = isUnreported && rest > 0 && computeUnrefundedCents(charge) === 0;
      if (isChargedBack || (counts && bank.reportsDisputes && code.isChargedBack)) chargeBack(sale);
      else giveBack(charge);
    } else if (last?.status === "pending" && now - last.at > REFUND_WAIT)
      moveRefund(charge, last, "unconfirmed");
  }

  function chargeBack(sale: MemorySale): void {
    if (!mayMoveSale(sale.status, "chargedback")) return;
    moveSale(sale, "chargedback");
    sale.refundedCents = sale.amountCents;
  }

  function giveBack(charge: MemoryCharge): void {
    const sale = saleOf(charge);
    if (charge.status !== "paid" || charge.overpaidAt || sale.status === "chargedback") return;
    sale.refundedCents = charge.paidCents! - computeUnrefundedCents(charge);
    if (computeUnrefundedCents(charge) <= 0 && mayMoveSale(sale.status, "refunded"))
      moveSale(sale, "refunded");
  }

  function requestRefund(charge: MemoryCharge, part: boolean, later: boolean, { trouble, dies }: Harm): void {
    const code = bank.find(charge.providerId!)!;
    if (findDecisiveRefund(charge.refunds)?.status === "unconfirmed") checkCharge(charge, { trouble, dies });
    const last = findDecisiveRefund(charge.refunds);
    const left = computeUnrefundedCents(charge);
    const counts = charge.status === "paid" && !charge.overpaidAt;
    if (charge.paidCents === null || left <= 0 || last?.status === "pending") return;
    if (counts && saleOf(charge).status !== "completed") return;
    const cents = part ? Math.ceil(charge.paidCents / 3) : left;
    if (cents > left || (cents < charge.paidCents && provider === "pushinpay")) return;
    const refund = openRefund(charge, { status: "pending", amountCents: cents, at: now, isRecorded: false });
    charge.nextCheckAt = now + MINUTE;
    const isRefused =
      code.state !== "paid" ||
      code.isContested ||
      code.acceptedCents > 0 ||
      cents > code.paidCents - code.backCents;
    if (trouble === "lost-before") return;
    if (isRefused || trouble === "refused" || trouble === "credentials" || trouble === "busy") {
      if (dies === null) moveRefund(charge, refund, "refused");
      return;
    }
    if (later) code.acceptedCents = cents;
    else bank.giveBack(code, cents);
    if (dies === null && !trouble) charge.events.push("refund_accepted");
  }

  function record(charge: MemoryCharge | undefined, counts: boolean): void {
    if (charge?.paidCents == null || findDecisiveRefund(charge.refunds)?.status === "pending") return;
    const left = computeUnrefundedCents(charge);
    const isCounting = charge.status === "paid" && !charge.overpaidAt;
    if (left <= 0 || isCounting !== counts || (counts && !isOpen(saleOf(charge)))) return;
    openRefund(charge, { status: "done", amountCents: left, at: now, isRecorded: true });
    recorded.set(charge.providerId!, charge.paidCents);
    charge.nextCheckAt = null;
    giveBack(charge);
  }

  function isOpen({ status }: MemorySale): boolean {
    return status === "completed" || status === "disputed";
  }

  function sweep(): void {
    for (const charge of charges()) {
      if (charge.status === "creating" && now - charge.createdAt.getTime() > 2 * MINUTE)
        moveCharge(charge, "failed");
      const last = findDecisiveRefund(charge.refunds);
      if (last?.status === "pending" && now - last.at > REFUND_WAIT) moveRefund(charge, last, "unconfirmed");
    }
  }

  function work(harm: Harm): void {
    for (const charge of charges())
      if (
        (charge.nextCheckAt !== null && charge.nextCheckAt <= now) ||
        charge.webhook.some(({ isHandled }) => !isHandled)
      )
        checkCharge(charge, harm);
  }

  function close(): void {
    for (const sale of sales) {
      const isRecent = sale.charges.some((c) => (c.expiresAt ?? c.createdAt).getTime() > now - DAY);
      const isAnnounced = summaryOf(sale).buyer === "announced";
      if (sale.status === "pending" && now - sale.createdAt > 3 * DAY && !isRecent && !isAnnounced)
        moveSale(sale, "cancelled");
    }
  }

  function checkSale(sale: MemorySale | undefined, harm: Harm): void {
    for (const charge of sale?.charges ?? []) if (charge.paidCents === null) checkCharge(charge, harm);
  }

  const unharmed: Harm = { trouble: null, dies: null };
  const saleAt = (n: number) => sales[n % sales.length];

  function act(step: Step): void {
    const code = "code" in step ? bank.visible(step.code) : undefined;
    const charge = chargeOf(code);
    switch (step.do) {
      case "order": {
        let sale = sales.find(
          ({ buyer, status }) => buyer === step.buyer && (status === "pending" || status === "failed"),
        );
        if (!sale) {
          sale = {
            id: `sale ${ids++}`,
            buyer: step.buyer,
            status: "pending",
            createdAt: now,
            amountCents: PRICE,
            feeCents: null,
            refundedCents: 0,
            events: ["placed"],
            charges: [],
          };
          sales.push(sale);
        }
        startPix(sale, step);
        break;
      }
      case "code": {
        const sale = saleAt(step.sale)!;
        checkSale(sale, step);
        startPix(sale, step);
        break;
      }
      case "freeze": {
        // Nothing sleeps in memory: only the second process checks.
        const trouble = step.meanwhile === "refused" ? "refused" : null;
        startPix(saleAt(step.sale)!, { trouble, dies: null });
        break;
      }
      case "pay":
        if (code) bank.pay(code, step.amount);
        break;
      case "correct":
        if (code) bank.correct(code, provider === "segundo");
        break;
      case "end":
        if (code) bank.end(code, step.how);
        break;
      case "return":
        if (code) {
          const left = code.paidCents - code.backCents;
          bank.giveBack(code, step.part && provider === "segundo" ? Math.ceil(left / 3) : left);
        }
        break;
      case "confirm":
        for (const one of bank.codes) if (bank.giveBack(one, one.acceptedCents)) one.acceptedCents = 0;
        break;
      case "news": {
        if (!charge || !code) break;
        const isContested = code.isContested && bank.reportsDisputes;
        const says = step.says !== "truth" ? step.says : isContested ? "disputed" : truthIn(code);
        // As the app decides: a paid charge's `paid` says nothing, unless its sale is disputed.
        const isKnown = charge.status === "paid" && says === "paid" && saleOf(charge).status !== "disputed";
        if (step.dies === null && !isKnown) charge.webhook.push({ says, at: now, isHandled: false });
        if (step.dies === null && step.says === "truth") code.isUntold = false;
        break;
      }
      case "press":
      case "remind":
        checkSale(saleAt(step.sale), step);
        break;
      case "look":
        for (const one of saleAt(step.sale)?.charges ?? []) checkCharge(one, step);
        break;
      case "work":
        work(step);
        break;
      case "sweep":
        sweep();
        break;
      case "close":
        close();
        break;
      case "refund":
        if (charge) requestRefund(charge, step.part, step.later, step);
        break;
      case "record":
        record(
          saleAt(step.sale)?.charges.find((c) => c.status === "paid" && !c.overpaidAt),
          true,
        );
        break;
      case "record-extra":
        record(charge, false);
        break;
      case "dispute":
        if (code && step.how === "contest") bank.contest(code);
        else if (code && step.how !== "contest") bank.decide(code, step.how);
        break;
      case "record-dispute": {
        const sale = saleAt(step.sale);
        // The second provider reports disputes itself.
        if (!sale || bank.reportsDisputes) break;
        if (step.what === "open" && sale.status === "completed") moveSale(sale, "disputed");
        if (step.what === "won" && sale.status === "disputed") moveSale(sale, "completed");
        if (step.what === "lost" && isOpen(sale)) chargeBack(sale);
        break;
      }
      case "wait":
        now += step.seconds * 1000;
        break;
      case "card":
      case "review":
      // Nobody takes cards here.
    }
  }

  function readSeen(): Seen {
    for (const { providerId } of charges()) {
      const code = bank.find(providerId ?? "");
      if (code) code.isVisible = true;
    }
    const done = sales.filter(({ status }) => status === "completed");
    const cents = done.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return {
      now: new Date(now),
      sales: sales.map((sale) => {
        return { ...known(sale), claims: [claimOf("standing", summaryOf(sale))] };
      }),
      sold: [{ view: "books", count: done.length, cents, netCents: null }],
    };
  }

  return {
    isReal: false,
    recorded,
    take: async (step) => {
      act(step);
      return [];
    },
    read: async () => readSeen(),
    async rest() {
      for (const code of bank.codes)
        if (code.isUntold) chargeOf(code)?.webhook.push({ says: truthIn(code), at: now, isHandled: false });
      for (let day = 0; day < 10; day++) {
        now += DAY;
        sweep();
        work(unharmed);
        for (const charge of charges()) if (charge.paidCents !== null) checkCharge(charge, unharmed);
        close();
      }
    },
    close: async () => {},
  };
}

function truthIn(code: Code): string {
  return code.state === "paid" && code.backCents > 0 ? "partly returned" : code.state;
}
