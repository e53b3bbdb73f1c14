import { Bank } from "#tests/histories-model/bank.ts";
import type { Seen } from "#tests/histories-model/seen.ts";
import { describeStep } from "#tests/histories-model/step-texts.ts";
import type { History, Step } from "#tests/histories-model/steps.ts";
import { wrongInTheEnd, wrongNow } from "#tests/histories-model/truths.ts";

/** Books that a history is played on: those in memory, or the app's own on Postgres. */
export type Books = {
  /** @returns what else is wrong with it */
  take(step: Step): Promise<string[]>;
  read(): Promise<Seen>;
  /** Days pass without new actions, webhooks arrive at last, and the scheduled jobs run. */
  rest(): Promise<void>;
  /** Whether they are the app's: those in memory send no automatic refunds. */
  isReal: boolean;
  /** What went back in all when the seller last marked a code as refunded at the bank, by the provider's id. In cents. */
  recorded: Map<string, number>;
  close(): Promise<void>;
};

export type OpenBooks = (bank: Bank, history: History) => Promise<Books>;

/**
 * Plays a history and compares the books with the truth after each step and at the end.
 * @throws Error that contains the story
 */
export async function play(history: History, open: OpenBooks): Promise<void> {
  const { provider, spare = false, cards = false, refunds = false } = history;
  const bank = new Bank(provider === "segundo");
  const books = await open(bank, history);
  const story: string[] = [
    `the seller has ${provider}${spare ? ", and the other one as a spare" : ""}${cards ? ", and takes cards" : ""}${refunds ? "; overpayments are refunded automatically" : ""}`,
  ];
  try {
    for (const step of history.steps) {
      story.push(describeStep(step));
      const wrong = await books.take(step);
      const seen = await books.read();
      expectNothing(story, wrong, seen, bank);
      expectNothing(story, wrongNow(seen, bank), seen, bank);
    }
    story.push("days pass");
    await books.rest();
    const seen = await books.read();
    const wrong = [
      ...wrongNow(seen, bank),
      ...wrongInTheEnd(seen, bank, books.recorded, refunds && books.isReal),
    ];
    expectNothing(story, wrong, seen, bank);
  } catch (error) {
    if (error instanceof WrongBooks) throw error;
    throw new Error(`${story.join("\n")}\n${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await books.close();
  }
}

class WrongBooks extends Error {}

function expectNothing(story: string[], wrong: string[], seen: Seen, bank: Bank): void {
  if (wrong.length > 0) throw new WrongBooks(report(story, wrong, seen, bank));
}

/** The story in plain text, what is wrong, and all sums: the bank's, the books' and the views'. */
function report(story: string[], wrong: string[], { sales, sold }: Seen, bank: Bank): string {
  const money = bank.codes.map(
    (code) =>
      `  ${code.providerId}: asked ${code.askedCents}, came ${code.paidCents}${code.firstCents === null ? "" : ` (first ${code.firstCents})`}, back ${code.backCents}, ${code.state}${code.isContested ? ", contested" : ""}${code.isChargedBack ? ", taken by the payer's bank" : ""}`,
  );
  const books = sales.flatMap((sale) => [
    `  sale ${sale.id} ${sale.status} ${sale.amountCents}: ${sale.events.join(", ")}`,
    ...sale.charges.map(
      (c) =>
        `    code ${c.providerId} ${c.status}${c.overpaidAt ? " (surplus)" : ""} ${c.paidCents ?? "-"}: ${c.events.join(", ")}; refunds ${c.refunds.map((r) => `${r.amountCents} ${r.status}`).join(", ") || "none"}`,
    ),
    ...sale.claims.map(({ view, says }) => `    ${view}: ${JSON.stringify(says)}`),
  ]);
  return [
    "What happened:",
    ...story.map((line, n) => `  ${n}. ${line}`),
    "What is wrong:",
    ...wrong.map((line) => `  ${line}`),
    "At the bank:",
    ...money,
    "In the books and in each view:",
    ...books,
    ...sold.map(({ view, count, cents }) => `  ${view}: ${count} sales of ${cents}`),
  ].join("\n");
}
