/** What really happened to one code, whatever our books say. Money in cents. */
export type Code = {
  providerId: string;
  askedCents: number;
  state: "open" | "expired" | "cancelled" | "paid" | "refunded";
  paidCents: number;
  /** Went back at the provider. */
  backCents: number;
  /** Accepted to be given back, not done yet. */
  acceptedCents: number;
  /** The payer's bank has not decided yet whether it takes the payment back. */
  isContested: boolean;
  /** It did, and took all that was left. */
  isTaken: boolean;
  /** Our books know its id, so a buyer may have seen it. */
  isShown: boolean;
  /** The state changed and the provider has not told it. */
  isUntold: boolean;
  /** When it was asked about last, in the history's time. */
  askedAt: number;
};

/** The world's side of a history: the truth that our books are held against. */
export class Bank {
  readonly codes: Code[] = [];
  /** @param reportsDisputes whether the provider says what the payer's bank does */
  constructor(reportsDisputes = false) {
    this.reportsDisputes = reportsDisputes;
  }

  /** Questions that came sooner than the provider allows. */
  readonly tooSoon: string[] = [];
  readonly reportsDisputes: boolean;

  add(providerId: string, askedCents: number): Code {
    const code: Code = {
      providerId,
      askedCents,
      state: "open",
      paidCents: 0,
      backCents: 0,
      acceptedCents: 0,
      isContested: false,
      isTaken: false,
      isShown: false,
      isUntold: false,
      askedAt: Number.NEGATIVE_INFINITY,
    };
    this.codes.push(code);
    return code;
  }

  find(providerId: string): Code | undefined {
    return this.codes.find((code) => code.providerId === providerId);
  }

  /** The n-th code that a buyer may have seen, counted around. */
  shown(n: number): Code | undefined {
    const shown = this.codes.filter((code) => code.isShown);
    return shown[n % shown.length];
  }

  /** A code can be paid late, but only once. */
  pay(code: Code, amount: "right" | "less" | "more"): boolean {
    if (code.state === "paid" || code.state === "refunded") return false;
    code.paidCents = code.askedCents + { right: 0, less: -1000, more: 500 }[amount];
    code.state = "paid";
    code.isUntold = true;
    return true;
  }

  end(code: Code, how: "expired" | "cancelled"): boolean {
    if (code.state !== "open") return false;
    code.state = how;
    code.isUntold = true;
    return true;
  }

  giveBack(code: Code, cents: number): boolean {
    if (code.state !== "paid" || code.isContested || cents <= 0 || cents > code.paidCents - code.backCents)
      return false;
    code.backCents += cents;
    code.acceptedCents = Math.min(code.acceptedCents, code.paidCents - code.backCents);
    if (code.backCents === code.paidCents) code.state = "refunded";
    code.isUntold = true;
    return true;
  }

  contest(code: Code): boolean {
    if (code.state !== "paid" || code.isContested) return false;
    code.isContested = true;
    code.isUntold = true;
    return true;
  }

  /** The payer's bank accepts that the payment is contested, and takes it back, or rejects it. */
  decide(code: Code, how: "accept" | "reject"): boolean {
    if (!code.isContested) return false;
    code.isContested = false;
    code.isUntold = true;
    if (how === "reject") return true;
    code.isTaken = true;
    code.state = "refunded";
    code.backCents = code.paidCents;
    code.acceptedCents = 0;
    return true;
  }

  noteAsked(code: Code, now: number, atMostEvery: number): void {
    const rest = now - code.askedAt;
    if (rest < atMostEvery) this.tooSoon.push(`${code.providerId} asked about after ${rest} ms`);
    code.askedAt = now;
  }
}
