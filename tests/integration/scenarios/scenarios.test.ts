import { afterAll, expect, test } from "vitest";
import { statusLabel } from "#app/domain/reports/labels.ts";
import { formatMoney } from "#app/kit/money.ts";
import { COUPON } from "#tests/integration/scenarios/coupon.ts";
import { DISPUTES } from "#tests/integration/scenarios/disputes.ts";
import { PAID } from "#tests/integration/scenarios/paid.ts";
import { REFUND_REQUESTS } from "#tests/integration/scenarios/refund-requests.ts";
import { refundSentencesOf } from "#tests/integration/scenarios/refund-sentences.ts";
import { REFUNDS } from "#tests/integration/scenarios/refunds.ts";
import type { Cell, RefundStage, Scenario } from "#tests/integration/scenarios/scenario.ts";
import { openStages } from "#tests/integration/scenarios/stage.ts";
import { UNDONE_REFUNDS } from "#tests/integration/scenarios/undone-refunds.ts";
import { UNPAID } from "#tests/integration/scenarios/unpaid.ts";
import { BUYER_VIEWS, PEOPLE_READ, readViews, type Seen, VIEWS } from "#tests/integration/scenarios/views.ts";
import { everyNth } from "#tests/support/run/ways.ts";

const openStage = await openStages();
let checked = 0;

/** Each failure names the view and its text: one run reports all failures. */
function check(failures: string[], isRight: boolean, view: string, what: string, state: string): void {
  checked++;
  if (isRight) return;
  const isFirst = !failures.some((one) => one.startsWith(`${view}: `));
  failures.push(`${view}: ${what}${isFirst ? `\n    it says: ${state.slice(0, 12000)}` : ""}`);
}

const scenarios: Record<string, Scenario> = {
  ...UNPAID,
  ...PAID,
  ...UNDONE_REFUNDS,
  ...REFUNDS,
  ...REFUND_REQUESTS,
  ...DISPUTES,
  ...COUPON,
};

const played = everyNth(6, Object.entries(scenarios));

for (const [name, scenario] of played)
  test(`${name}: all views agree, and state only what is true`, async () => {
    const stage = await openStage(scenario.provider ?? "pushinpay", scenario);
    await scenario.play(stage);
    const seen = await readViews(stage);
    const failures: string[] = [];
    for (const view of VIEWS) checkCell(failures, view, scenario.views[view], seen[view]);
    checkMoney(failures, scenario, seen);
    checkSentences(failures, scenario, seen);
    checkRefundSentences(failures, scenario, seen);
    expect(failures, failures.join("\n")).toEqual([]);
  });

afterAll(() => {
  console.info(`${checked} statements of ${played.length} scenarios checked`);
});

function checkCell(failures: string[], view: string, cell: Cell, state: string): void {
  if ("lines" in cell) {
    const lines = state === "" ? [] : state.split("\n");
    const isSame = JSON.stringify(lines) === JSON.stringify(cell.lines);
    check(failures, isSame, view, `has to be exactly ${JSON.stringify(cell.lines)}`, state);
    return;
  }
  if ("shows" in cell)
    for (const words of cell.shows) check(failures, has(state, words), view, `has to show ${words}`, state);
  for (const words of cell.hides ?? [])
    check(failures, !has(state, words), view, `must not show ${words}`, state);
}

const has = (text: string, words: string | RegExp) =>
  typeof words === "string" ? text.includes(words) : words.test(text);

/** The same amounts in every view that has them, and they add up. */
function checkMoney(failures: string[], { status, money }: Scenario, seen: Seen): void {
  // An account that is closed shows none of this.
  if (seen["sale API"] === "" || !seen["sale API"].startsWith('{"sale"')) return;
  const { received, refunded, fee } = money;
  const net = received === 0 ? null : received - refunded - (fee ?? 0);
  const api = JSON.parse(seen["sale API"]);
  const reais = (cents: number | null) => (cents === null ? null : cents / 100);
  const equal = (view: keyof Seen, what: string, is: unknown, must: unknown) =>
    check(
      failures,
      JSON.stringify(is) === JSON.stringify(must),
      view,
      `${what} has to be ${must}, is ${is}`,
      seen[view],
    );
  equal("sale API", "status", api.sale.status, status);
  equal("sale API", "received_amount", api.sale.received_amount, reais(received));
  equal("sale API", "refunded_amount", api.sale.refunded_amount, reais(refunded));
  equal("sale API", "fee_amount", api.sale.fee_amount, reais(fee));
  equal("sale API", "net_amount", api.sale.net_amount, reais(net));
  const payments: { received: number; refunded: number; fee: number | null; net: number }[] =
    api.sale.payments;
  const sum = (of: (payment: (typeof payments)[number]) => number) =>
    Math.round(payments.reduce((all, one) => all + of(one), 0) * 100);
  equal(
    "sale API",
    "sum of payments",
    [sum((p) => p.received), sum((p) => p.refunded), sum((p) => p.net)],
    [received, refunded, net ?? 0],
  );
  const csv = seen.CSV.split(";").map((field) => field.replace(/^'/, ""));
  const field = (cents: number | null) =>
    cents === null
      ? ""
      : formatMoney(cents)
          .replace(/[^\d,.-]/g, "")
          .replace(".", "");
  equal("CSV", "status", csv[5], statusLabel(status));
  equal("CSV", "refunded, fee and net", csv.slice(7, 10), [field(refunded), field(fee), field(net)]);
  const rows = (label: string) => amountsOf(seen["sale details"], label);
  if (received > 0 && (fee !== null || refunded > 0)) {
    const [sumOfIn, sumOfBack, sumOfFees] = [
      rows("Recebido"),
      rows("Devolvido|Contestado"),
      rows("Taxa do provedor"),
    ];
    equal("sale details", "received", sumOfIn, received);
    equal("sale details", "refunded", -sumOfBack, refunded);
    equal("sale details", "fee", -sumOfFees, fee ?? 0);
    equal("sale details", "net", rows("Líquido|Saldo desta venda"), net);
  }
  equal("sales list", "status", has(seen["sales list"], statusLabel(status)), true);
  // A disputed sale counts again once it is won.
  const isSold = status === "completed";
  equal("reports", "sales counted", JSON.parse(seen.reports).total_sales, isSold ? 1 : 0);
  if (isSold) equal("reports", "net", JSON.parse(seen.reports).net_revenue, reais(net));
}

/** The sum of the amounts after a label in the money lines at the head of a sale's details. */
function amountsOf(details: string, label: string): number {
  const head = details.slice(details.indexOf("Informações da Venda"), details.indexOf("Método de pagamento"));
  const found = head.matchAll(
    new RegExp(`(?:${label})(?: em [\\d/]+ [\\d:]+)?(?: \\([^)]*\\))? (-?)R\\$\\s?([\\d.]+,\\d\\d)`, "g"),
  );
  return [...found].reduce(
    (sum, [, sign, amount]) =>
      sum + (sign ? -1 : 1) * Math.round(Number(amount!.replace(".", "").replace(",", ".")) * 100),
    0,
  );
}

/**
 * Sentences that claim more than a stage of a refund allows. Conditions and offers ('quando for devolvido',
 * 'Reembolsar') do not count.
 */
const TOO_MUCH: Record<RefundStage, RegExp[]> = {
  none: [/está a caminho/i, /foi devolvid[oa]/i, /reembolso (foi )?feito/i],
  requested: [/está a caminho/i, /foi devolvid[oa]/i, /provedor aceitou/i, /reembolso (foi )?feito/i],
  accepted: [/foi devolvid[oa]/i, /reembolso (foi )?feito/i],
  refused: [/está a caminho/i, /foi devolvid[oa]/i, /reembolso (foi )?feito/i],
  unconfirmed: [/está a caminho/i, /foi devolvid[oa]/i, /reembolso (foi )?feito/i],
  done: [],
};

/** The same of the refund, on each page of a buyer who has access. */
function checkRefundSentences(failures: string[], { status, buyerReads, views }: Scenario, seen: Seen): void {
  if (status !== "completed") return;
  const pages = (["receipt", "buyer portal", "thank-you page"] as const).filter(
    (view) => !("cannot" in views[view]),
  );
  const expected = buyerReads ?? refundSentencesOf(seen.receipt);
  for (const view of pages) {
    const found = refundSentencesOf(seen[view]);
    check(
      failures,
      JSON.stringify(found) === JSON.stringify(expected),
      view,
      `has to say ${JSON.stringify(expected)} of the refund, says ${JSON.stringify(found)}`,
      seen[view],
    );
  }
}

function checkSentences(failures: string[], { money, refund = "none" }: Scenario, seen: Seen): void {
  const fee = money.fee === null ? null : formatMoney(money.fee);
  const net = formatMoney(money.received - money.refunded - (money.fee ?? 0));
  for (const view of PEOPLE_READ) {
    const state = seen[view];
    check(
      failures,
      !/undefined|\bNaN\b|\[object|\bnull\b/.test(state),
      view,
      "must not show a program's words",
      state,
    );
    for (const words of TOO_MUCH[money.refunded > 0 ? "done" : refund])
      check(failures, !words.test(state), view, `must not say ${words} of a refund that is ${refund}`, state);
    if (money.received > 0)
      check(failures, !/nada foi cobrado/i.test(state), view, "must not say that nothing was charged", state);
  }
  for (const view of BUYER_VIEWS) {
    check(failures, !/\btaxa\b|líquido/i.test(seen[view]), view, "must not speak of fee or net", seen[view]);
    if (fee)
      check(
        failures,
        !seen[view].includes(fee) && (money.refunded > 0 || !seen[view].includes(net)),
        view,
        "must not show fee or net",
        seen[view],
      );
  }
}
