import type { GuardedChange } from "#app/domain/identity/access/guarded-changes.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import type { SecurityChange } from "#app/domain/mail/queue/security-texts.ts";

/** One way by which the data of buyers leave the system. */
type DataExit = {
  /** `table.column` of each text that sets the target or gives access, as listed in `TEXT_COLUMNS`. */
  columns: string[];
  /**
   * The scope an API key needs to change it; `session`: no key may, whatever its scopes; null: the API has no method
   * for it.
   */
  scope: Scope | "session" | null;
  /** The change that requires a recent sign-in, on its page and in the API. */
  stepUp: GuardedChange;
  /** The security mail and log entry after a change. */
  change: SecurityChange;
};

/**
 * Every way by which the data of buyers leave the system because of a seller's settings. A test compares the columns
 * with the schema and tries each page and API method: an old session and a key without the scope change nothing.
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
  // Notification mails about sales and the account go there.
  "account-email": { columns: ["sellers.email"], scope: null, stepUp: "email", change: "email" },
} as const satisfies Record<string, DataExit>;

/**
 * Pages that return the data of several buyers, or unmasked data, to a signed-in user without sending anything. All
 * else is set by the operator's environment: where files are stored, the platform's mail account, backups.
 */
export const EXPORTS = ["/reports/export", "/settings/close/dados.json", "/api/sales/:saleId/document"];
