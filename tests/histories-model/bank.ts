/** The true state of one code, or one card payment, at the bank, whatever our books say. Money in cents. */
export type Code = {
  providerId: string;
  askedCents: number;
  state: "open" | "expired" | "cancelled" | "paid" | "refunded" | "in_review" | "declined";
  /** A card: it is paid once it is approved, and nobody else can pay it. */
  isCard: boolean;
  paidCents: number;
  /** What its provider called paid before it corrected that; null where it did not. */
  firstCents: number | null;
  /** Went back at the provider. */
  backCents: number;
  /** Refund accepted by the provider, not done yet. */
  acceptedCents: number;
  /** The payer's bank has not decided the dispute yet. */
  isContested: boolean;
  /** The bank took back the whole remaining amount. */
  isChargedBack: boolean;
  /** The code's id is in our books, so a buyer may have seen it. */
  isVisible: boolean;
  /** The state changed, and the provider has not sent a webhook yet. */
  isUntold: boolean;
  /** Whether its provider reports disputes. */
  reportsDisputes: boolean;
  /** When it was last checked, in the history's time. */
  checkedAt: number;
};

/** The world's side of a history: the truth that our books are held against. */
export class Bank {
  readonly codes: Code[] = [];
  /** @param reportsDisputes whether the first provider reports disputes */
  constructor(reportsDisputes = false) {
    this.reportsDisputes = reportsDisputes;
  }

  /** Questions that came sooner than the provider allows. */
  readonly tooSoon: string[] = [];
  readonly reportsDisputes: boolean;

  add(providerId: string, requestedCents: number, reportsDisputes = this.reportsDisputes): Code {
    const code: Code = {
      providerId,
      askedCents: requestedCents,
      state: "open",
      isCard: false,
      paidCents: 0,
      firstCents: null,
      backCents: 0,
      acceptedCents: 0,
      isContested: false,
      isChargedBack: false,
      isVisible: false,
      isUntold: false,
      reportsDisputes,
      checkedAt: Number.NEGATIVE_INFINITY,
    };
    this.codes.push(code);
    return code;
  }

  find(providerId: string): Code | undefined {
    return this.codes.find((code) => code.providerId === providerId);
  }

  /** The n-th code that a buyer may have seen, counted around. */
  visible(n: number): Code | undefined {
    const visible = this.codes.filter((code) => code.isVisible);
    return visible[n % visible.length];
  }

  /** A code can be paid late, but only once. */
  pay(code: Code, amount: "right" | "less" | "more"): boolean {
    if (code.isCard || code.state === "paid" || code.state === "refunded") return false;
    code.paidCents = code.askedCents + { right: 0, less: -1000, more: 500 }[amount];
    code.state = "paid";
    code.isUntold = true;
    return true;
  }

  /**
   * Its provider called another amount paid, and corrects that to the amount asked, unless more than that went back.
   * @param refundsParts whether it refunds parts; one that does not corrects no payment that went back
   */
  correct(code: Code, refundsParts: boolean): boolean {
    if (code.paidCents === 0 || code.paidCents === code.askedCents || code.isChargedBack) return false;
    if (code.backCents > code.askedCents) return false;
    if (!refundsParts && code.backCents + code.acceptedCents > 0) return false;
    code.firstCents = code.paidCents;
    code.paidCents = code.askedCents;
    code.acceptedCents = Math.min(code.acceptedCents, code.paidCents - code.backCents);
    code.state = code.backCents === code.paidCents ? "refunded" : "paid";
    code.isUntold = true;
    return true;
  }

  /** A card is answered at once, or after a review. */
  answerCard(code: Code, how: "approved" | "declined" | "reviewed"): boolean {
    if (code.isCard && code.state !== "in_review") return false;
    code.isCard = true;
    code.state = how === "approved" ? "paid" : how === "declined" ? "declined" : "in_review";
    code.paidCents = how === "approved" ? code.askedCents : 0;
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

  /** The payer's bank opens a dispute, and accepts or rejects it. */
  decide(code: Code, how: "accept" | "reject"): boolean {
    if (!code.isContested) return false;
    code.isContested = false;
    code.isUntold = true;
    if (how === "reject") return true;
    code.isChargedBack = true;
    code.state = "refunded";
    code.backCents = code.paidCents;
    code.acceptedCents = 0;
    return true;
  }

  noteAsked(code: Code, now: number, atMostEvery: number): void {
    const rest = now - code.checkedAt;
    if (rest < atMostEvery) this.tooSoon.push(`${code.providerId} asked about after ${rest} ms`);
    code.checkedAt = now;
  }
}
