import type { WantedCard, WantedOrder } from "../read-order.ts";
import type { MercadoPagoSettings } from "../settings.ts";
import { type PayerCost, payerCosts } from "./installments.ts";
import type { CardToken, CardTokens } from "./tokens.ts";

/** What happens to a card's payment; `declineReason` only if it is declined. */
export interface Judgement {
  outcome: "approved" | "review" | "challenge" | "declined";
  declineReason: string | null;
  cost: PayerCost;
  token: CardToken | null;
}

/** What the holder's name decides; any other name is approved. Source: Mercado Pago's test cards. */
const OUTCOMES = new Map([
  ["APRO", "approved"],
  ["CONT", "review"],
  ["OTHE", "rejected_by_issuer"],
  ["CALL", "required_call_for_authorize"],
  ["FUND", "insufficient_amount"],
  ["SECU", "bad_filled_card_data"],
  ["EXPI", "bad_filled_card_data"],
  ["FORM", "bad_filled_card_data"],
]);

/** Names with an outcome of their own. */
export const HOLDER_NAMES = [...OUTCOMES.keys()];

/** Decides what happens to a payment with this token, as `CardTokens.use` answered. */
export function judgeCard(
  { cents, isIdentified }: WantedOrder,
  wanted: WantedCard,
  used: ReturnType<CardTokens["use"]>,
  settings: MercadoPagoSettings,
): Judgement {
  const { installments } = wanted;
  const token = typeof used === "string" ? null : used;
  const offered = payerCosts(cents, settings.interestFree).find((one) => one.installments === installments);
  const cost = offered ?? { installments, rate: 0, installmentCents: cents, totalCents: cents };
  const outcome = outcomeOf();
  const isDeclined = !["approved", "review", "challenge"].includes(outcome);
  return {
    ...{ cost, token, declineReason: isDeclined ? outcome : null },
    outcome: isDeclined ? "declined" : (outcome as Judgement["outcome"]),
  };

  /** `approved`, `review`, `challenge`, or why it is declined. */
  function outcomeOf(): string {
    if (used === "unknown") return "card_token_not_found";
    if (used === "invalid") return "invalid_card_token";
    if (settings.declines) return "rejected_by_issuer";
    if (used.brand?.id !== wanted.brand) return "bad_filled_card_data";
    if (used.brand.type === "debit_card") return "cc_rejected_card_type_not_allowed";
    if (!offered) return "invalid_installments";
    if (!isIdentified) return "high_risk";
    const decided = decidedBy(settings.cardOutcome ?? used.holderName);
    if (settings.threeDs === "demanded" && !wanted.mustChallenge) return "cc_rejected_3ds_mandatory";
    const isChallenged =
      settings.threeDs === "demanded" || (settings.threeDs === "on_risk" && wanted.mayChallenge);
    return decided === "approved" && isChallenged ? "challenge" : decided;
  }
}

/** The outcome of a name, or the reason that a setting gives instead: only a reason has an underscore. */
function decidedBy(name: string): string {
  return OUTCOMES.get(name.toUpperCase()) ?? (name.includes("_") ? name : "approved");
}
