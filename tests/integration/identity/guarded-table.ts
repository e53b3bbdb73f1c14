import type { GuardedChange } from "#app/domain/identity/access/guarded-changes.ts";
import type { SecurityChange } from "#app/domain/mail/queue/security-texts.ts";
import type { EMAIL_ACTIONS } from "#app/routes/seller/settings/email/actions.server.ts";
import type { SETTINGS_ACTIONS } from "#app/routes/seller/settings/intents.server.ts";

/** A change that needs a recent sign-in: how it is posted, and the mail to the seller once it is made. */
export type Guarded = {
  change: GuardedChange;
  fields: Record<string, string>;
  mail: SecurityChange;
  /** SQL about the seller `$1` that makes it a change. */
  given?: string;
};

const template = { sender_name: "Loja", subject: "Sua compra", html_content: "<p>{product_file_url}</p>" };
const withSender = `insert into email_templates (seller_id, sender_name, sender_email, subject, html_content)
  values ($1, 'Loja', 'loja@exemplo.com.br', 'S', 'H')`;
const withKey = `insert into mail_settings (seller_id, resend_key_sealed) values ($1, null)`;
const withDomain = `insert into email_domains (seller_id, domain_name, status) values ($1, 'exemplo.com.br', 'manual')`;

/** By the button's name: what it needs, or why it needs nothing. */
export const settingsButtons: Record<keyof typeof SETTINGS_ACTIONS, Guarded | string> = {
  profile: {
    change: "email",
    fields: { name: "Vera", email: "outra@exemplo.com.br" },
    mail: "email",
  },
  "cancel-email-change": "takes away what would change the account, and opens nothing",
  notifications: "turns off news, and opens nothing",
  "create-key": { change: "api-key", fields: { name: "Nova", scopes: "sales" }, mail: "api-key" },
  "revoke-key": "takes access away: who sees a strange key may end it at once",
  "end-session": "takes access away",
  password:
    "asks for the current one in the same form; for an account's first one see the test of the provider",
  gateways: {
    change: "payment-keys",
    fields: { pushinpay_enabled: "on", pushinpay_api_key: "7|sandbox-nova" },
    mail: "payment-keys",
  },
  disputes: "decides whether buyers keep what they paid for meanwhile; no money moves",
  overpayments:
    "decides whether a second payment goes back to whoever paid it by itself; no other money moves",
  "test-webhook": "asks the provider and changes nothing",
  "resend-key": { change: "mail-key", fields: { resend_api_key: "re_chave-nova" }, mail: "mail-key" },
  "test-email": "sends a mail and changes nothing",
};

/** The same of the e-mail settings. */
export const emailButtons: Record<string, Guarded | string> = {
  save: {
    change: "mail-sender",
    fields: { ...template, sender_email: "nova@exemplo.com.br", resend_api_key: "" },
    mail: "mail-sender",
  },
  "add-access": {
    change: "mail-sender",
    fields: { ...template, sender_email: "nova@exemplo.com.br", resend_api_key: "" },
    mail: "mail-sender",
  },
  preview: "draws and changes nothing",
  reset: { change: "mail-sender", fields: {}, mail: "mail-sender", given: withSender },
  "remove-key": { change: "mail-key", fields: {}, mail: "mail-key", given: withKey },
  reminders: "says when buyers are reminded",
  test: "sends a mail and changes nothing",
  "create-domain": "asks as save-domain does; it needs a key that Resend takes, and the journey has one",
  "verify-domain": "asks Resend to look again and changes nothing",
  "save-domain": {
    change: "mail-domain",
    fields: { domain_name: "loja.exemplo.com.br" },
    mail: "mail-domain",
  },
  "remove-domain": { change: "mail-domain", fields: {}, mail: "mail-domain", given: withDomain },
  "hook-secret": {
    change: "mail-hook",
    fields: { hook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
    mail: "mail-hook",
  },
} satisfies Record<keyof typeof EMAIL_ACTIONS, Guarded | string>;

/** Every other page of the dashboard with a form, and why it needs no recent sign-in. `guarded` is tested below. */
export const pages: Record<string, string> = {
  "/settings": "guarded",
  "/settings/email": "guarded",
  "/settings/access": "guarded",
  "/settings/close": "asks: tests/integration/erasure/seller.test.ts",
  "/settings/email/preview": "draws and changes nothing",
  "/settings/gateways/:provider/webhook": "asks: tests/integration/webhook-setup/page.test.ts",
  "/settings/store": "names the seller to buyers: no money moves by it, and it opens nothing",
  "/settings/utmfy": "asks where the address or the token is another: data-exits.test.ts",
  "/settings/utmfy/debug": "reports a sale once more",
  "/settings/pixels/new": "asks: tests/integration/deliveries/pixel-settings.test.ts",
  "/settings/pixels/:pixelId":
    "asks where a code or a token is at stake: tests/integration/deliveries/pixel-settings.test.ts",
  "/settings/member-areas/new": "asks: tests/integration/deliveries/member-settings.test.ts",
  "/settings/member-areas/:areaId":
    "asks where an area or a key is at stake: tests/integration/deliveries/member-settings.test.ts",
  "/settings/webhooks/new": "asks: tests/integration/deliveries/settings.test.ts",
  "/settings/webhooks/:webhookId":
    "asks where an address or a secret is at stake: tests/integration/deliveries/settings.test.ts",
  "/products": "what is sold, not who is paid",
  "/products/create": "what is sold, not who is paid",
  "/products/:productId/edit": "what is sold, not who is paid",
  "/products/:productId/content": "what is sold, not who is paid",
  "/products/:productId/offers": "what products cost, not who is paid",
  "/products/:productId/offers/create": "what products cost, not who is paid",
  "/products/:productId/offers/:offerId/edit": "what products cost, not who is paid",
  "/coupons": "what products cost, not who is paid",
  "/coupons/create": "what products cost, not who is paid",
  "/coupons/:couponId/edit": "what products cost, not who is paid",
  "/reports/sales/:saleId/downloads": "lets a buyer have again what they paid for",
  "/reports": "sends a mail once more to the address it went to",
  "/reports/import": "has charges checked at their provider, and books nothing",
  "/reports/conciliacao": "has payments checked at their provider, and books nothing",
  "/reports/sales/:saleId": "corrects a buyer",
  "/reports/sales/:saleId/refund":
    "gives money back to who paid it, and nowhere else; a dispute entered by hand moves no money at all, and like a refund recorded by hand it opens nothing to anybody: it is told in the sale's history",
  "/products/:productId/preview": "draws, and places no order",
  "/checkout-customization": "how pages look",
  "/checkout-customization/preview": "draws and changes nothing",
  "/thank-you-customization": "how pages look",
  "/thank-you-customization/preview": "draws and changes nothing",
};

/** The same for the API: what it accepts only from a session with a recent sign-in. */
export const apiBodies: Record<string, { body: object; mail: SecurityChange }> = {
  "/api/settings/gateways": { body: { pushinpay_api_key: "8|sandbox-api" }, mail: "payment-keys" },
  "/api/email/domain": { body: { domain_name: "api.exemplo.com.br" }, mail: "mail-domain" },
  "/api/email/template": { body: { ...template, sender_email: "api@exemplo.com.br" }, mail: "mail-sender" },
};
