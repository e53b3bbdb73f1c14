import type { GuardedChange } from "#app/domain/identity/access/guarded-changes.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import type { SecurityChange } from "#app/domain/mail/queue/security-words.ts";

/** One way by which the data of buyers leave the system. */
type DataExit = {
  /** `table.column` of each text that says where they go or opens the way, in the words of `TEXT_COLUMNS`. */
  columns: string[];
  /** What an API key needs to change it; `session`: no key may, whatever its scopes; null: the API has no method for it. */
  scope: Scope | "session" | null;
  /** What asks for a recent sign-in on its page and for a session of the API. */
  stepUp: GuardedChange;
  /** What the seller is told by mail, and the log by a line, once it is changed. */
  change: SecurityChange;
};

/**
 * Every way by which the data of buyers leave the system because a seller says so. A test holds the columns against the
 * schema and walks each way through its page and the API: an old session and a key without the scope change nothing.
 */
export const DATA_EXITS = {
  utmify: {
    columns: ["destinations.settings", "destinations.tokenSealed"],
    scope: "webhooks",
    stepUp: "tracking",
    change: "tracking",
  },
  webhook: { columns: ["destinations.settings"], scope: "webhooks", stepUp: "webhook", change: "webhook" },
  pixel: {
    columns: ["destinations.settings", "destinations.tokenSealed"],
    scope: null,
    stepUp: "pixel",
    change: "pixel",
  },
  "member-area": {
    columns: ["destinations.settings", "destinations.tokenSealed"],
    scope: null,
    stepUp: "members",
    change: "members",
  },
  "mail-account": {
    columns: ["mail_settings.resendKeySealed"],
    scope: "session",
    stepUp: "mail-key",
    change: "mail-key",
  },
  "mail-sender": {
    columns: ["email_templates.senderEmail"],
    scope: "session",
    stepUp: "mail-sender",
    change: "mail-sender",
  },
  "mail-domain": {
    columns: ["email_domains.domainName"],
    scope: "session",
    stepUp: "mail-domain",
    change: "mail-domain",
  },
  provider: {
    columns: ["gateway_keys.apiKeySealed", "gateway_accounts.publicKeySealed"],
    scope: "session",
    stepUp: "payment-keys",
    change: "payment-keys",
  },
  "api-key": {
    columns: ["api_keys.keyHash", "api_keys.scopes"],
    scope: null,
    stepUp: "api-key",
    change: "api-key",
  },
  // News of sales and the account itself go there.
  "account-email": { columns: ["sellers.email"], scope: null, stepUp: "email", change: "email" },
} as const satisfies Record<string, DataExit>;

/**
 * What hands out the data of several buyers, or what is masked elsewhere, to whoever is let in: it sends nothing by itself.
 * What is left is the operator's, set by the environment: where files are stored, the platform's mail account, backups.
 */
export const EXPORTS = ["/reports/export", "/settings/close/dados.json", "/api/sales/:saleId/document"];
