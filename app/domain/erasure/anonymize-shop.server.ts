import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { CLOSED_DOMAIN } from "#app/domain/mail/queue/closed-address.ts";

/**
 * What happens to a seller's tables when the closed account is anonymized: whole tables are `deleted`; in those that the
 * books depend on, each text and JSON column is `anonymized`, or has a reason why it stays. A test checks this list against
 * the schema.
 */
export const SELLER_COLUMNS: Record<string, "deleted" | Record<string, string>> = {
  sellers: {
    email: "anonymized",
    name: "anonymized",
    company: "anonymized",
    phone: "anonymized",
    pictureUrl: "anonymized",
    passwordHash: "anonymized",
    oauthSubject: "anonymized",
  },
  sessions: "deleted",
  email_tokens: "deleted",
  api_keys: "deleted",
  held_forms: "deleted",
  products: {
    name: "what was sold, part of the books",
    description: "anonymized",
    imageUrl: "anonymized",
    fileUrl: "anonymized",
    lastFileUrl: "anonymized",
    redirectUrl: "anonymized",
    promotionText: "anonymized",
    urgencyText: "anonymized",
    bannerImageUrl: "anonymized",
    bannerLinkUrl: "anonymized",
    checkoutSlug: "anonymized",
  },
  offers: { name: "what was sold, part of the books", slug: "anonymized" },
  checkout_slugs: "deleted",
  freed_slugs: { slug: "reserved for months, so that nobody gets the shop's visitors; deleted by clean-up" },
  coupons: { code: "what was sold with it, part of the books" },
  order_bumps: "deleted",
  upsells: "deleted",
  contents: {},
  content_items: "deleted",
  files: {
    name: "deleted with its bytes within a day, by clean-files",
    contentType: "deleted with its bytes within a day, by clean-files",
    uploadRef: "deleted with its bytes within a day, by clean-files",
    parts: "deleted with its bytes within a day, by clean-files",
  },
  pictures: {
    key: "deleted within days, by clean-files",
    variants: "deleted within days, by clean-files",
  },
  checkout_customizations: "deleted",
  thank_you_customizations: "deleted",
  store_details: "deleted",
  mail_settings: "deleted",
  email_templates: "deleted",
  email_domains: "deleted",
  mail_hooks: "deleted",
  webhook_tests: "deleted",
  gateway_keys: {
    provider: "the provider of the payments",
    apiKeySealed: "deleted once no charge of 180 days may need it, by clean-up",
  },
  gateway_accounts: {
    provider: "the provider of the payments",
    publicKeySealed: "anonymized",
    webhookSecretSealed: "anonymized",
    spareFailure: "anonymized",
    hookToken: "random; late webhooks of a payment carry it",
  },
  destinations: {
    kind: "its service",
    name: "anonymized",
    events: "our own values; deleted with its log within days, by clean-up",
    settings: "anonymized",
    secretSealed: "anonymized",
    previousSecretSealed: "anonymized",
    tokenSealed: "anonymized",
  },
};

/**
 * Anonymizes a shop and its seller, whose row the caller has locked; its sales must be anonymized already. Amounts, days and
 * numbers stay.
 */
export async function anonymizeShop(tx: Tx, sellerId: string): Promise<void> {
  for (const statement of listStatements(sql`${sellerId}::uuid`)) await tx.execute(statement);
}

function listStatements(id: SQL): SQL[] {
  const deleteAll = (table: string) => sql`delete from ${sql.identifier(table)} where seller_id = ${id}`;
  return [
    ...["sessions", "email_tokens", "api_keys", "held_forms"].map(deleteAll),
    ...["checkout_customizations", "thank_you_customizations", "store_details"].map(deleteAll),
    ...["mail_settings", "email_templates", "email_domains", "mail_hooks"].map(deleteAll),
    ...["reminder_opt_outs", "stamped_copies", "webhook_tests"].map(deleteAll),
    sql`delete from content_items where content_id in (select id from contents where seller_id = ${id})`,
    sql`update destinations set deleted_at = coalesce(deleted_at, now()), stopped_at = coalesce(stopped_at, now()), name = '',
      settings = '{}', secret_sealed = null, previous_secret_sealed = null, token_sealed = null where seller_id = ${id}`,
    sql`update offers set archived_at = coalesce(archived_at, now()), slug = null where seller_id = ${id}`,
    sql`update coupons set archived_at = coalesce(archived_at, now()) where seller_id = ${id}`,
    ...["order_bumps", "upsells"].map(deleteAll),
    sql`update products set description = null, image_url = null, file_url = null, last_file_url = null, redirect_url = null,
      promotion_text = null, urgency_text = null, banner_image_url = null, banner_link_url = null, checkout_slug = null,
      archived_at = coalesce(archived_at, now()) where seller_id = ${id}`,
    // A key that a charge may still need is deleted by its age, once no account refers to it.
    sql`update gateway_accounts set enabled_at = null, key_id = null, public_key_sealed = null, webhook_secret_sealed = null,
      next_spare_test_at = null, spare_failure = null where seller_id = ${id}`,
    sql`update sellers set email = 'encerrada-' || id || ${`@${CLOSED_DOMAIN}`}::text, name = 'Conta encerrada', company = null, phone = null,
      picture_url = null, password_hash = null, oauth_subject = null, email_verified_at = null, notify_new_sale = false,
      notify_failed_payment = false, notify_weekly_report = false, notify_monthly_report = false, anonymized_at = now()
      where id = ${id}`,
  ];
}
