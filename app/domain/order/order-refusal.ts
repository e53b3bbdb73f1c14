import { Refusal, type RefusalKind } from "#app/kit/refusal.ts";

/** The rules of an order and the kind of refusal of each, whatever the source of the order. */
const KINDS = {
  "not-for-sale": "not-found",
  "timer-over": "invalid",
  "offer-over": "conflict",
  fields: "invalid",
  "pix-off": "unavailable",
  "no-gateway": "unavailable",
  amount: "conflict",
  "already-bought": "conflict",
  "bump-gone": "conflict",
  price: "conflict",
  guarantee: "conflict",
  "too-many": "too-many",
} as const satisfies Record<string, RefusalKind>;

export type OrderRule = keyof typeof KINDS;
export const ORDER_RULES = Object.keys(KINDS) as OrderRule[];

/** Messages by field, in the order the form shows them. */
export type FieldErrors = Partial<Record<string, string>>;

/** The refusal of an order by one rule. Programs know the rule by `code`. */
export class OrderRefusal extends Refusal {
  readonly rule: OrderRule;
  /** Every mistake in the form, by field; empty for the other rules. */
  readonly errors: FieldErrors;

  constructor(
    rule: OrderRule,
    message: string,
    { field, retryAfter, errors = {} }: { field?: string; retryAfter?: number; errors?: FieldErrors } = {},
  ) {
    super(KINDS[rule], message, field, retryAfter, rule);
    this.name = "OrderRefusal";
    this.rule = rule;
    this.errors = errors;
  }
}

/** No product is for sale at this address or id. */
export function productGone(): OrderRefusal {
  return new OrderRefusal(
    "not-for-sale",
    "O produto que você está procurando não existe ou não está mais disponível.",
  );
}
