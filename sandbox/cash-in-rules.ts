/** Limits of an account; changed by `POST /control/pushinpay`. `maxValue` in cents. */
export interface AccountLimits {
  maxValue: number | null;
}

export interface CashIn {
  value: number;
  webhookUrl: string | null;
  splitRules: { value: number; account_id: string }[];
}

/** Laravel's 422: `message` is the first reason, `errors` all of them by field. */
export interface Invalid {
  message: string;
  errors: Record<string, string[]>;
}

const MINIMUM_CENTS = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UNKNOWN_ACCOUNT = "00000000-0000-0000-0000-000000000000";

/**
 * Parses the body of `POST /pix/cashIn`: `value` in integer cents, from 50 up; `webhook_url` and `split_rules` optional.
 * Unknown fields are ignored, as by the real service.
 */
export function readCashIn(body: unknown, limits: AccountLimits): CashIn | Invalid {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const { value, webhook_url: webhookUrl = null } = fields;

  if (value === undefined || value === null) return invalid("value", "O campo value é obrigatório.");
  if (!Number.isInteger(value)) return invalid("value", "O campo value deve ser um número inteiro.");
  const cents = value as number;
  if (cents < MINIMUM_CENTS) return invalid("value", `O campo value deve ser no mínimo ${MINIMUM_CENTS}.`);
  if (limits.maxValue !== null && cents > limits.maxValue)
    return invalid("value", `O valor máximo por transação desta conta é ${limits.maxValue}.`);
  if (webhookUrl !== null && !(typeof webhookUrl === "string" && URL.canParse(webhookUrl)))
    return invalid("webhook_url", "O campo webhook_url deve ser uma URL válida.");

  const splitRules = readSplitRules(fields.split_rules ?? [], cents);
  return Array.isArray(splitRules) ? { value: cents, webhookUrl, splitRules } : splitRules;
}

/** At most half of the charge may go to splits, each to an account that exists. */
function readSplitRules(rules: unknown, cents: number): CashIn["splitRules"] | Invalid {
  if (!Array.isArray(rules)) return invalid("split_rules", "O campo split_rules deve ser uma lista.");
  for (const rule of rules) {
    if (!Number.isInteger(rule?.value) || rule.value <= 0)
      return invalid("split_rules", "O valor de cada divisão deve ser um número inteiro.");
    if (
      typeof rule.account_id !== "string" ||
      !UUID.test(rule.account_id) ||
      rule.account_id === UNKNOWN_ACCOUNT
    )
      return invalid("split_rules", "A conta informada na divisão não existe.");
  }
  const total = rules.reduce((sum, rule) => sum + rule.value, 0);
  if (total > cents / 2)
    return invalid("split_rules", "O total das divisões não pode passar de 50% do valor.");
  return rules;
}

function invalid(field: string, message: string): Invalid {
  return { message, errors: { [field]: [message] } };
}
