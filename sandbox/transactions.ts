import { randomUUID } from "node:crypto";
import { dynamicBrCode, endToEndId } from "./br-code.ts";
import { DAY, type Time } from "./time.ts";

export type Status = "created" | "paid" | "canceled" | "expired" | "refunded";

/** A PIX charge as the sandbox stores it. Money in cents, times in milliseconds, `id` lowercase. */
export interface Transaction {
  id: string;
  /** The bearer token that created it: no other account can see it. */
  token: string;
  value: number;
  status: Status;
  webhookUrl: string | null;
  splitRules: unknown[];
  qrCode: string;
  createdAt: number;
  updatedAt: number;
  paidAt: number | null;
  fee: number | null;
  endToEndId: string | null;
  payerName: string | null;
  payerDocument: string | null;
  refundRequestedAt: number | null;
  /** Since when the payer's bank has contested it (MED), while undecided. */
  contestedAt: number | null;
  lastQueryAt: number | null;
}

/** An expected refusal by a provider's rule, returned with 422 (or 409 by the controls). */
export class NotAllowed extends Error {}

export interface Transactions {
  create(fields: {
    token: string;
    value: number;
    webhookUrl: string | null;
    splitRules: unknown[];
  }): Transaction;
  /** Ignores the letter case of `id`. */
  find(id: string): Transaction | undefined;
  list(): Transaction[];
  /** A PIX can be paid after it expired or was cancelled, never after it was refunded. */
  pay(transaction: Transaction, value?: number): void;
  /** The payment as a webhook would report it, without changing the transaction. */
  imaginePaid(transaction: Transaction): Transaction;
  /** `evenPaid`: also a paid one, which the enum of states allows without explanation (contracts 1.6). */
  end(transaction: Transaction, status: "canceled" | "expired", evenPaid?: boolean): void;
  requestRefund(transaction: Transaction): void;
  refund(transaction: Transaction): void;
  /** The payer's bank contests a payment (MED); it then takes the money back, or drops the case. */
  contest(transaction: Transaction): void;
  decide(transaction: Transaction, decision: "accept" | "reject"): void;
  /** Records that it was just queried. */
  queried(transaction: Transaction): void;
  load(transactions: Transaction[]): void;
  reset(): void;
}

/** The provider's fee for each paid PIX (contracts 1.6). */
const FEE_CENTS = 35;
const REFUND_WINDOW = 90 * DAY;
/** How long a payer may contest (contracts 7.6). */
const CONTEST_WINDOW = 80 * DAY;

export function createTransactions(time: Time, changed: () => void): Transactions {
  const byId = new Map<string, Transaction>();

  function move(transaction: Transaction, fields: Partial<Transaction>) {
    Object.assign(transaction, fields, { updatedAt: time.now() });
    changed();
  }

  function payment(transaction: Transaction) {
    return {
      status: "paid" as const,
      paidAt: time.now(),
      fee: FEE_CENTS,
      endToEndId: transaction.endToEndId ?? endToEndId(time.now()),
      payerName: "Maria da Silva",
      payerDocument: "***.982.247-**",
    };
  }

  return {
    create(fields) {
      const id = randomUUID();
      const transaction: Transaction = {
        id,
        ...fields,
        status: "created",
        qrCode: dynamicBrCode({
          url: `pix.sandbox.local/qr/v3/at/${id}`,
          cents: fields.value,
          name: "PUSHIN PAY LTDA",
          city: "LIMEIRA",
        }),
        createdAt: time.now(),
        updatedAt: time.now(),
        paidAt: null,
        fee: null,
        endToEndId: null,
        payerName: null,
        payerDocument: null,
        refundRequestedAt: null,
        contestedAt: null,
        lastQueryAt: null,
      };
      byId.set(id, transaction);
      changed();
      return transaction;
    },
    find: (id) => byId.get(id.toLowerCase()),
    list: () => [...byId.values()],
    pay(transaction, value) {
      if (transaction.status === "refunded") throw new NotAllowed("Este PIX já foi devolvido.");
      if (transaction.status === "paid") return;
      move(transaction, { ...payment(transaction), value: value ?? transaction.value });
    },
    imaginePaid: (transaction) => ({ ...transaction, ...payment(transaction) }),
    end(transaction, status, evenPaid = false) {
      if ((transaction.status === "paid" && !evenPaid) || transaction.status === "refunded")
        throw new NotAllowed("Este PIX já foi pago.");
      move(transaction, { status });
    },
    requestRefund(transaction) {
      if (transaction.status === "refunded" || transaction.refundRequestedAt !== null)
        throw new NotAllowed("Já existe uma devolução para esta transação.");
      if (transaction.status !== "paid")
        throw new NotAllowed("Somente transações pagas podem ser devolvidas.");
      if (time.now() - (transaction.paidAt ?? 0) > REFUND_WINDOW)
        throw new NotAllowed("O prazo de 90 dias para devolução terminou.");
      move(transaction, { refundRequestedAt: time.now() });
    },
    refund(transaction) {
      if (transaction.status === "refunded") return;
      if (transaction.status !== "paid")
        throw new NotAllowed("Somente transações pagas podem ser devolvidas.");
      move(transaction, {
        status: "refunded",
        refundRequestedAt: transaction.refundRequestedAt ?? time.now(),
      });
    },
    contest(transaction) {
      if (transaction.status !== "paid") throw new NotAllowed("Só um PIX pago pode ser contestado.");
      if (transaction.contestedAt !== null) throw new NotAllowed("Este PIX já está contestado.");
      if (time.now() - (transaction.paidAt ?? 0) > CONTEST_WINDOW)
        throw new NotAllowed("O prazo de 80 dias para contestar terminou.");
      move(transaction, { contestedAt: time.now() });
    },
    decide(transaction, decision) {
      if (transaction.contestedAt === null) throw new NotAllowed("Este PIX não está contestado.");
      const isReversed = decision === "accept" && transaction.status === "paid";
      move(transaction, { contestedAt: null, ...(isReversed ? { status: "refunded" } : {}) });
    },
    queried(transaction) {
      transaction.lastQueryAt = time.now();
      changed();
    },
    load(transactions) {
      for (const { contestedAt = null, ...transaction } of transactions)
        byId.set(transaction.id, { ...transaction, contestedAt });
    },
    reset() {
      byId.clear();
      changed();
    },
  };
}
