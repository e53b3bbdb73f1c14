import { Bank } from "#tests/histories-model/bank.ts";
import type { Seen } from "#tests/histories-model/seen.ts";
import { type History, inWords, type Step } from "#tests/histories-model/steps.ts";
import { wrongInTheEnd, wrongNow } from "#tests/histories-model/truths.ts";

/** Books that a history is played on: those in memory, or the app's own on Postgres. */
export type Books = {
  /** @returns what else was found to be wrong in it */
  take(step: Step): Promise<string[]>;
  look(): Promise<Seen>;
  /** Days pass in which nobody does anything new, news come at last, and the clock's jobs run. */
  rest(): Promise<void>;
  /** The codes that the seller said went back at the bank, by the provider's id. */
  recorded: Set<string>;
  close(): Promise<void>;
};

/** Plays a history and holds the books against the truth after each step and in the end. @throws Error that tells the story */
export async function play(
  history: History,
  open: (bank: Bank, provider: History["provider"]) => Promise<Books>,
): Promise<void> {
  const bank = new Bank(history.provider === "segundo");
  const books = await open(bank, history.provider);
  const told: string[] = [`the seller has ${history.provider}`];
  try {
    for (const step of history.steps) {
      told.push(inWords(step));
      const wrong = await books.take(step);
      const seen = await books.look();
      expectNothing(told, wrong, seen, bank);
      expectNothing(told, wrongNow(seen, bank), seen, bank);
    }
    told.push("days pass");
    await books.rest();
    const seen = await books.look();
    const wrong = [...wrongNow(seen, bank), ...wrongInTheEnd(seen, bank, books.recorded)];
    expectNothing(told, wrong, seen, bank);
  } catch (error) {
    if (error instanceof WrongBooks) throw error;
    throw new Error(`${told.join("\n")}\n${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await books.close();
  }
}

class WrongBooks extends Error {}

function expectNothing(told: string[], wrong: string[], seen: Seen, bank: Bank): void {
  if (wrong.length > 0) throw new WrongBooks(report(told, wrong, seen, bank));
}

/** The story in plain words, what is wrong, and all sums: the bank's, the books' and the views'. */
function report(told: string[], wrong: string[], { sales, sold }: Seen, bank: Bank): string {
  const money = bank.codes.map(
    (code) =>
      `  ${code.providerId}: asked ${code.askedCents}, came ${code.paidCents}, back ${code.backCents}, ${code.state}${code.isContested ? ", contested" : ""}${code.isTaken ? ", taken by the payer's bank" : ""}`,
  );
  const books = sales.flatMap((sale) => [
    `  sale ${sale.id} ${sale.status} ${sale.amountCents}: ${sale.facts.join(", ")}`,
    ...sale.charges.map(
      (c) =>
        `    code ${c.providerId} ${c.status}${c.surplusAt ? " (surplus)" : ""} ${c.paidCents ?? "-"}: ${c.facts.join(", ")}; refunds ${c.refunds.map((r) => `${r.amountCents} ${r.status}`).join(", ") || "none"}`,
    ),
    ...sale.claims.map(({ view, says }) => `    ${view}: ${JSON.stringify(says)}`),
  ]);
  return [
    "What happened:",
    ...told.map((line, n) => `  ${n}. ${line}`),
    "What is wrong:",
    ...wrong.map((line) => `  ${line}`),
    "At the bank:",
    ...money,
    "In the books and in each view:",
    ...books,
    ...sold.map(({ view, count, cents }) => `  ${view}: ${count} sales of ${cents}`),
  ].join("\n");
}
