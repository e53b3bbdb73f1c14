import { randomUUID } from "node:crypto";
import type { CardProvider } from "#app/domain/gateway/providers/card-port.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import {
  type Provider,
  ProviderError,
  type ProviderTransaction,
} from "#app/domain/gateway/providers/port.ts";
import type { Bank, Code } from "#tests/histories-model/bank.ts";
import { mayDie } from "#tests/histories-model/dying.ts";
import type { CARD_ANSWERS, History, Trouble } from "#tests/histories-model/steps.ts";
import {
  type Payment,
  SECOND_SECRET,
  SIGNATURE_HEADER,
  secondBank,
  signSecondWebhook,
} from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import type { SandboxControl } from "#tests/support/clients/sandbox.ts";
import { setForFile } from "#tests/support/run/after-file.ts";

/** How the current history changes calls. */
export type Watch = {
  bank: Bank;
  trouble: Trouble | null;
  /** The provider that has troubles with creating codes; null: each. */
  troubled: string | null;
  /** How the next card is answered. */
  cardAnswer: (typeof CARD_ANSWERS)[number];
  /** A refund is accepted now and done at the next `confirm`. */
  later: boolean;
  now: () => number;
  /** What other processes do before the process that makes the next code gets the provider's answer. */
  meanwhile: (() => Promise<unknown>) | null;
  /** The webhook address of each code, by the provider's id. */
  webhookUrls: Map<string, string>;
};

let watch: Watch | null = null;

/** Sets the history that the following calls belong to. */
export function watchCallsOf(history: Watch | null): void {
  watch = history;
}

/** Puts both providers in the app's list: as they are, with our eyes and troubles around them. Once a file. */
export function registerWatched(sandbox: SandboxControl): void {
  for (const real of [providers.pushinpay!, secondProvider])
    setForFile(
      providers,
      real.name,
      watched(real, (id) => finishRefund(sandbox, real.name, id)),
    );
}

function watched(real: Provider, finish: (providerId: string) => Promise<unknown>): Provider {
  return {
    ...real,
    async createCharge(by, charge) {
      const { bank, webhookUrls } = watch!;
      return call(async () => {
        const made = await real.createCharge(by, charge);
        // Where creating is idempotent the same code may come again.
        if (!bank.find(made.providerId)) bank.add(made.providerId, charge.amountCents, real.reportsDisputes);
        webhookUrls.set(made.providerId, charge.webhookUrl);
        const meanwhile = watch!.meanwhile;
        watch!.meanwhile = null;
        await meanwhile?.();
        return made;
      }, creatingTrouble(real));
    },
    findByReference:
      real.findByReference &&
      ((by, reference) => call(() => real.findByReference!(by, reference), creatingTrouble(real))),
    async findTransaction(by, providerId) {
      const { bank, now } = watch!;
      return call(async () => {
        const code = bank.find(providerId);
        if (code) bank.noteAsked(code, now(), real.minCheckIntervalMs);
        const found = await real.findTransaction(by, providerId);
        if (found && code?.isCard) return cardTransaction(found);
        // The sandbox corrects no amount.
        return found && code && code.firstCents !== null ? { ...found, amountCents: code.paidCents } : found;
      });
    },
    cards: real.cards && watchedCards(real, real.cards),
    async refund(by, providerId, wanted) {
      const { bank, later } = watch!;
      return call(async () => {
        const code = bank.find(providerId)!;
        const left = code.paidCents - code.backCents;
        const cents = wanted.amountCents ?? left;
        if (code.state !== "paid" || code.isContested || code.acceptedCents > 0 || cents > left)
          throw new ProviderError("refused", "nada a devolver");
        if (later) {
          code.acceptedCents = cents;
          return;
        }
        await real.refund(by, providerId, wanted);
        await finish(providerId);
        bank.giveBack(code, cents);
      });
    },
  };
}

/** Cards at the second provider's bank. A token pays once, and a reference is one payment. */
function watchedCards(real: Provider, cards: CardProvider): CardProvider {
  return {
    ...cards,
    pay(by, { amountCents, reference }) {
      const { bank, cardAnswer } = watch!;
      return call(async () => {
        const providerId = `seg-${randomUUID()}`;
        const code = bank.add(providerId, amountCents, real.reportsDisputes);
        bank.answerCard(code, cardAnswer);
        secondBank.set(providerId, {
          ...{ cents: amountCents, refundedCents: 0, state: stateAtSecond(code), reference },
          ...{ webhookUrl: "", document: "", pixCode: "", expiresAt: new Date() },
        });
        return cardTransaction((await real.findTransaction(by, providerId))!);
      });
    },
    findPayment(by, reference) {
      const { bank, now } = watch!;
      return call(async () => {
        const [id] = [...secondBank].find(([, payment]) => payment.reference === reference) ?? [];
        const code = bank.find(id ?? "");
        if (code) bank.noteAsked(code, now(), real.minCheckIntervalMs);
        return id ? cardTransaction((await real.findTransaction(by, id))!) : null;
      });
    },
  };
}

/** What differs in a card's transaction: the buyer pays interest, and our reference names the payment. */
function cardTransaction(found: ProviderTransaction): ProviderTransaction {
  const decline = { reason: "limit", detail: "saldo" } as const;
  return {
    ...found,
    ...{ webhookUrl: null, reference: secondBank.get(found.providerId)!.reference },
    ...{
      buyerCents: Math.ceil(found.amountCents * 1.1),
      decline: found.state === "declined" ? decline : null,
    },
  };
}

function creatingTrouble({ name }: Provider): Trouble | null {
  const { trouble, troubled } = watch!;
  return troubled === null || troubled === name ? trouble : null;
}

/** A call: we may die before it leaves and when it has come back. */
async function call<T>(act: () => Promise<T>, trouble = watch!.trouble): Promise<T> {
  mayDie();
  if (trouble === "refused" || trouble === "credentials" || trouble === "busy")
    throw new ProviderError(trouble, `422: ${trouble}`);
  if (trouble === "lost-before") throw new ProviderError("no-answer", "timeout");
  const result = await act();
  mayDie();
  if (trouble === "lost-after") throw new ProviderError("no-answer", "timeout");
  if (trouble === "nonsense") throw new ProviderError("nonsense", "<html>");
  return result;
}

/** PushinPay does it a second later; here at once, so that no history hangs on the time of day. */
async function finishRefund(sandbox: SandboxControl, provider: string, providerId: string): Promise<void> {
  if (provider === "pushinpay") await sandbox.refund(providerId);
}

/** Applies what happened to a code at the bank to the provider itself. `cents`: what was just paid or refunded. */
export async function syncProvider(
  sandbox: SandboxControl,
  code: Code,
  what: "paid" | "corrected" | "ended" | "answered" | "returned" | "contest" | "accept" | "reject",
  cents = 0,
): Promise<void> {
  const payment = secondBank.get(code.providerId);
  if (payment) {
    payment.state = stateAtSecond(code);
    if (what === "paid" || what === "corrected") payment.cents = cents;
    if (what === "returned") payment.refundedCents += cents;
    if (what === "accept") payment.refundedCents = payment.cents;
  } else if (what === "corrected") return;
  else if (what === "paid") await sandbox.pay(code.providerId, { value: cents });
  else if (what === "returned") await sandbox.refund(code.providerId);
  else if (what !== "ended" && what !== "answered")
    await sandbox.post(`/transactions/${code.providerId}/${what}`);
  else if (code.state === "expired") await sandbox.expire(code.providerId);
  else await sandbox.cancel(code.providerId);
}

/** The provider that created a code. */
export function providerOf(code: Code): History["provider"] {
  return secondBank.has(code.providerId) ? "segundo" : "pushinpay";
}

/** A provider's webhook body as it is posted. */
export function webhookBody(provider: string, code: Code, says: string): string {
  if (provider === "segundo") return JSON.stringify({ pix: { ref: code.providerId, what: says } });
  const text: Record<string, string> = { open: "created", cancelled: "canceled" };
  const status = text[says] ?? says;
  const body = new URLSearchParams({ id: code.providerId.toUpperCase(), status });
  if (says === "paid") body.set("end_to_end_id", `E${code.providerId}`);
  return body.toString();
}

/** Reads the headers that authenticate a provider's webhook. */
export function webhookHeader(provider: string, body: string): (name: string) => string | null {
  const isSigned = provider === "segundo";
  return (name) => (isSigned && name === SIGNATURE_HEADER ? signSecondWebhook(SECOND_SECRET, body) : null);
}

/** The second provider reports disputes; PushinPay reports a disputed payment as paid, and a chargeback as refunded. */
function stateAtSecond({ state, isContested, isChargedBack }: Code): Payment["state"] {
  if (isContested) return "disputed";
  return isChargedBack ? "chargedback" : state;
}

/** What a provider reports of a code in its current state. */
export function truthOf(code: Code): string {
  if (secondBank.has(code.providerId) && (code.isContested || code.isChargedBack)) return stateAtSecond(code);
  return code.state === "paid" && code.backCents > 0 ? "devolvido" : code.state;
}
