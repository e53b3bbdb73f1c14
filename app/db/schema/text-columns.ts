/**
 * The class of each text and JSON column, except ids and our own codes. `exit`: it decides where the data of buyers go, or
 * opens the way (`domain/identity/access/data-exits`); `secret`: a credential, so it is encrypted or hashed; `personal`: it
 * is about a person; `other`: none of these. A test compares this list with the schema, so that a new column is classified
 * here first.
 */
export type TextClass = "exit" | "secret" | "personal" | "other";

const other = (...columns: string[]) => of("other", columns);
const personal = (...columns: string[]) => of("personal", columns);
const secret = (...columns: string[]) => of("secret", columns);
const exit = (...columns: string[]) => of("exit", columns);

function of(kind: TextClass, columns: string[]): Record<string, TextClass> {
  return Object.fromEntries(columns.map((column) => [column, kind]));
}

export const TEXT_COLUMNS: Record<string, Record<string, TextClass>> = {
  api_keys: { ...exit("keyHash", "scopes"), ...other("name", "preview") },
  buyer_sessions: { ...personal("email"), ...secret("linkHash", "tokenHash") },
  charge_events: personal("data"),
  charges: other("provider", "reference", "providerId", "pixCode", "failureDetail", "requestedBy"),
  checkout_customizations: other("settings"),
  content_items: other("name", "url", "html"),
  destinations: {
    kind: "other",
    ...exit("settings", "tokenSealed"),
    ...secret("secretSealed", "previousSecretSealed"),
    ...other("name", "events"),
  },
  disputes: { ...personal("note"), ...other("providerId") },
  downloads: secret("ticket"),
  email_domains: {
    ...exit("domainName"),
    ...other("providerId", "records", "spfRecord", "dkimRecord", "dmarcRecord"),
  },
  email_templates: { ...exit("senderEmail"), ...other("senderName", "subject", "htmlContent", "simple") },
  email_tokens: { ...personal("email"), ...secret("tokenHash") },
  erasures: { ...personal("email"), ...other("requestId") },
  files: other("name", "contentType", "uploadRef", "parts"),
  freed_slugs: other("slug"),
  funnel_orders: other("campaign"),
  funnel_views: other("campaign"),
  gateway_accounts: {
    ...exit("publicKeySealed"),
    ...secret("webhookSecretSealed"),
    ...other("provider", "hookToken", "spareFailure"),
  },
  gateway_keys: { ...exit("apiKeySealed"), ...other("provider") },
  held_forms: { ...secret("tokenHash", "fieldsSealed"), ...other("change", "address") },
  idempotency_keys: secret("key", "body"),
  mail_events: other("svixId", "type"),
  mail_hooks: { ...secret("keyHash", "secretSealed"), ...other("hookToken", "providerId", "failure") },
  mail_paces: secret("account"),
  mail_account_pauses: secret("account"),
  mail_settings: exit("resendKeySealed"),
  mails: {
    ...personal("recipient", "subject", "error"),
    ...other("kind", "idempotencyKey", "providerId"),
  },
  offer_uses: personal("emailHash", "documentHash"),
  offers: other("name", "slug"),
  order_bumps: other(
    "name",
    "description",
    "imageUrl",
    "fileUrl",
    "lastFileUrl",
    "promotionText",
    "urgencyText",
  ),
  deliveries: {
    ...personal("aboutEmailSealed", "responseBody", "bodySealed"),
    ...other("reason", "attemptLog", "requestId"),
  },
  paced_checks: other("provider"),
  payment_webhooks: other("provider", "dedupeKey", "providerId", "providerStatus"),
  pictures: other("key", "variants"),
  products: other(
    ...[
      "name",
      "description",
      "imageUrl",
      "fileUrl",
      "lastFileUrl",
      "redirectUrl",
      "promotionText",
      "urgencyText",
    ],
    ...["bannerImageUrl", "bannerLinkUrl", "checkoutSlug"],
  ),
  queue_workers: other("workerId"),
  queued_mails: { ...personal("data"), ...secret("account", "bodySealed"), ...other("requestId") },
  refund_requests: personal("reason", "answerText", "failure"),
  refunds: other("providerId", "failureDetail"),
  reminder_opt_outs: personal("emailHash"),
  reminders: other("requestId"),
  report_buyers: personal("email"),
  report_days: other("key"),
  report_marks: personal("email"),
  sale_events: personal("data"),
  coupon_uses: personal("emailHash", "documentHash"),
  checkout_slugs: other("slug"),
  coupons: other("code"),
  sale_lines: other("name", "fileUrl"),
  sales: {
    ...personal("customerName", "customerEmail", "customerPhone", "customerDocumentSealed", "customerIp"),
    ...personal("utmTerm", "utmContent", "campaign", "adIds", "orderKey", "submissionKey", "clientKey"),
    ...other(
      "paymentMethod",
      "utmSource",
      "utmMedium",
      "utmCampaign",
      "anonymizedAs",
      "couponCode",
      "offerName",
    ),
  },
  sellers: {
    ...exit("email"),
    ...secret("passwordHash", "oauthSubject"),
    ...personal("name", "company", "phone", "pictureUrl"),
  },
  sessions: { ...secret("tokenHash"), ...personal("ip", "userAgent") },
  statements: other("provider", "taskId"),
  statement_lines: other("sourceId"),
  stamped_copies: personal("textKey"),
  store_details: personal(
    ...["legalName", "taxId", "street", "number", "complement", "district", "city", "state", "postalCode"],
    ...["email", "phone"],
  ),
  thank_you_customizations: other("settings"),
  throttles: secret("key"),
  webhook_tests: other("provider", "reference", "providerId", "failureDetail", "cancelFailure"),
  upsells: other("name", "description", "imageUrl", "fileUrl", "lastFileUrl", "videoUrl", "benefits"),
};
