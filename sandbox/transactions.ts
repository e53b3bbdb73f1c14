import { randomUUID } from "node:crypto";
import { dynamicBrCode, endToEndId } from "./br-code.ts";
import type { CardPayment } from "./mercadopago/cards/payment.ts";
import { confirmedCents, leftCents } from "./refunds.ts";
import { DAY, MINUTE, type Time } from "./time.ts";

export type Status = "created" | "paid" | "canceled" | "expired" | "refunded";

/** The payment providers that the sandbox simulates. */
export const PROVIDERS = ["pushinpay", "woovi", "mercadopago"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Money that goes back to the payer, all of it or a part. `reference` is the shop's own id of it. */
export interface Refund {
  reference: string;
  cents: number;
  status: "processing" | "confirmed" | "rejected";
  requestedAt: number;
  endToEndId: string;
}

/** A charge as the sandbox stores it. Money in cents, times in milliseconds. */
export interface Transaction {
  id: string;
  provider: Provider;
  /** The token that created it: no other account can see it. */
  token: string;
  /** The shop's own reference of it, where the provider keeps one. */
  reference: string | null;
  value: number;
  status: Status;
  webhookUrl: string | null;
  splitRules: unknown[];
  /** Empty for a card. */
  qrCode: string;
  expiresAt: number;
  createdAt: number;
  updatedAt: number;
  paidAt: number | null;
  fee: number | null;
  endToEndId: string | null;
  payerName: string | null;
  payerDocument: string | null;
  refundRequestedAt: number | null;
  refunds: Refund[];
  /** Since when the payer's bank has contested it (MED), while undecided. */
  contestedAt: number | null;
  lastQueryAt: number | null;
  /** Null for a PIX. */
  card: CardPayment | null;
}

/** An expected refusal by a provider's rule, returned with 422 (or 409 by the controls). */
export class NotAllowed extends Error {}

export interface Transactions {
  /** `id`: a new one unless the provider's is the shop's own. */
  create(fields: {
    provider: Provider;
    id?: string;
    token: string;
    reference?: string | null;
    value: number;
    webhookUrl: string | null;
    splitRules: unknown[];
    lifetime: number;
    receiver: { name: string; city: string };
    card?: CardPayment;
  }): Transaction;
  /** Ignores the letter case of `id`. */
  find(id: string): Transaction | undefined;
  list(): Transaction[];
  change(transaction: Transaction, fields: Partial<Transaction>): void;
  /** A PIX can be paid after it expired or was cancelled, never after it was refunded; paid again, its amount is corrected. */
  pay(transaction: Transaction, value?: number): void;
  /** The payment as a webhook would report it, without changing the transaction. */
  imaginePaid(transaction: Transaction): Transaction;
  /** `evenPaid`: also a paid one, which the enum of states allows without explanation. */
  end(transaction: Transaction, status: "canceled" | "expired", evenPaid?: boolean): void;
  /** `cents`: all that is left unless given. */
  requestRefund(transaction: Transaction, reference?: string, cents?: number): Refund;
  /** Ends a requested refund. */
  endRefund(transaction: Transaction, refund: Refund, status: "confirmed" | "rejected"): void;
  /** Gives all that is left back. */
  refund(transaction: Transaction): void;
  /** The payer's bank contests a payment (MED); it then takes the money back, or drops the case. */
  contest(transaction: Transaction): void;
  decide(transaction: Transaction, decision: "accept" | "reject"): void;
  /** Records that it was just queried. */
  queried(transaction: Transaction): void;
  load(transactions: Transaction[]): void;
  reset(): void;
}

/** The provider's fee for each paid PIX. */
const FEE_CENTS = 35;
/** A card's, as a share of the price. */
const CARD_FEE = 0.0498;
const REFUND_DAYS = { pix: 90, card: 180 };
/** Of a code stored before codes had a lifetime. */
const LIFETIME = 30 * MINUTE;
/** How long a payer may contest. */
const CONTEST_WINDOW = 80 * DAY;

export function createTransactions(time: Time, changed: () => void): Transactions {
  const byId = new Map<string, Transaction>();

  function move(transaction: Transaction, fields: Partial<Transaction>) {
    Object.assign(transaction, fields, { updatedAt: time.now() });
    changed();
  }

  function giveRestBack(transaction: Transaction) {
    const at = time.now();
    for (const refund of transaction.refunds) if (refund.status === "processing") refund.status = "confirmed";
    const cents = transaction.value - confirmedCents(transaction);
    const rest: Refund = {
      ...{ reference: randomUUID(), cents, status: "confirmed", requestedAt: at },
      endToEndId: endToEndId(at).replace("E", "D"),
    };
    move(transaction, {
      status: "refunded",
      refundRequestedAt: transaction.refundRequestedAt ?? at,
      refunds: cents > 0 ? [...transaction.refunds, rest] : transaction.refunds,
    });
  }

  function payment(transaction: Transaction) {
    const { card } = transaction;
    const common = { status: "paid" as const, paidAt: time.now() };
    if (card) return { ...common, fee: Math.round(transaction.value * CARD_FEE), payerName: card.holderName };
    return {
      ...common,
      fee: FEE_CENTS,
      endToEndId: transaction.endToEndId ?? endToEndId(time.now()),
      payerName: "Maria da Silva",
      payerDocument: "***.982.247-**",
    };
  }

  return {
    create({ id = randomUUID(), reference = null, lifetime, receiver, card, ...fields }) {
      const transaction: Transaction = {
        ...{ id, reference },
        ...fields,
        status: "created",
        card: card ?? null,
        qrCode: card
          ? ""
          : dynamicBrCode({
              url: `pix.sandbox.local/qr/v3/at/${id}`.slice(0, 77),
              cents: fields.value,
              ...receiver,
            }),
        expiresAt: time.now() + lifetime,
        createdAt: time.now(),
        updatedAt: time.now(),
        paidAt: null,
        fee: null,
        endToEndId: null,
        payerName: null,
        payerDocument: null,
        refundRequestedAt: null,
        refunds: [],
        contestedAt: null,
        lastQueryAt: null,
      };
      byId.set(id.toLowerCase(), transaction);
      changed();
      return transaction;
    },
    find: (id) => byId.get(id.toLowerCase()),
    list: () => [...byId.values()],
    change: move,
    pay(transaction, value) {
      if (transaction.status === "refunded") throw new NotAllowed("Este PIX já foi devolvido.");
      if (transaction.status === "paid") {
        if (value && !transaction.card) move(transaction, { value });
        return;
      }
      if (transaction.card && transaction.status !== "created")
        throw new NotAllowed("Este pagamento já terminou.");
      move(transaction, { ...payment(transaction), value: value ?? transaction.value });
    },
    imaginePaid: (transaction) => ({ ...transaction, ...payment(transaction) }),
    end(transaction, status, evenPaid = false) {
      if ((transaction.status === "paid" && !evenPaid) || transaction.status === "refunded")
        throw new NotAllowed("Este PIX já foi pago.");
      move(transaction, { status });
    },
    requestRefund(transaction, reference = randomUUID(), cents = leftCents(transaction)) {
      if (transaction.status === "refunded" || leftCents(transaction) === 0)
        throw new NotAllowed("Já existe uma devolução para esta transação.");
      if (transaction.status !== "paid")
        throw new NotAllowed("Somente transações pagas podem ser devolvidas.");
      if (cents > leftCents(transaction))
        throw new NotAllowed("O valor é maior do que o que resta desta transação.");
      const days = REFUND_DAYS[transaction.card ? "card" : "pix"];
      if (time.now() - (transaction.paidAt ?? 0) > days * DAY)
        throw new NotAllowed(`O prazo de ${days} dias para devolução terminou.`);
      const refund: Refund = {
        ...{ reference, cents, status: "processing", requestedAt: time.now() },
        endToEndId: endToEndId(time.now()).replace("E", "D"),
      };
      move(transaction, { refundRequestedAt: time.now(), refunds: [...transaction.refunds, refund] });
      return refund;
    },
    endRefund(transaction, refund, status) {
      refund.status = status;
      const isAllBack = confirmedCents(transaction) >= transaction.value;
      move(transaction, isAllBack ? { status: "refunded" } : {});
    },
    refund(transaction) {
      if (transaction.status === "refunded") return;
      if (transaction.status !== "paid")
        throw new NotAllowed("Somente transações pagas podem ser devolvidas.");
      giveRestBack(transaction);
    },
    contest(transaction) {
      if (transaction.status !== "paid" || transaction.card)
        throw new NotAllowed("Só um PIX pago pode ser contestado.");
      if (transaction.contestedAt !== null) throw new NotAllowed("Este PIX já está contestado.");
      if (time.now() - (transaction.paidAt ?? 0) > CONTEST_WINDOW)
        throw new NotAllowed("O prazo de 80 dias para contestar terminou.");
      move(transaction, { contestedAt: time.now() });
    },
    decide(transaction, decision) {
      if (transaction.contestedAt === null) throw new NotAllowed("Este PIX não está contestado.");
      move(transaction, { contestedAt: null });
      if (decision === "accept" && transaction.status === "paid") giveRestBack(transaction);
    },
    queried(transaction) {
      transaction.lastQueryAt = time.now();
      changed();
    },
    load(transactions) {
      for (const transaction of transactions) {
        const { createdAt, contestedAt = null, card = null } = transaction;
        const later = {
          provider: "pushinpay",
          reference: null,
          refunds: [],
          expiresAt: createdAt + LIFETIME,
        } as const;
        Object.assign(transaction, { contestedAt, card: card && Object.assign({ chargeback: null }, card) });
        byId.set(transaction.id.toLowerCase(), { ...later, ...transaction });
      }
    },
    reset() {
      byId.clear();
      changed();
    },
  };
}
