import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";

/**
 * What becomes of what a seller keeps once the closed account is emptied: whole tables are `deleted`; of those that the
 * books lean on, each text and all JSON is `emptied`, or says why it stays. A test holds this list against the schema.
 */
export const SELLER_COLUMNS: Record<string, "deleted" | Record<string, string>> = {
  sellers: {
    email: "emptied",
    name: "emptied",
    company: "emptied",
    phone: "emptied",
    pictureUrl: "emptied",
    passwordHash: "emptied",
    oauthSubject: "emptied",
  },
  sessions: "deleted",
  email_tokens: "deleted",
  api_keys: "deleted",
  held_forms: "deleted",
  products: {
    name: "what was sold, as the books say it",
    description: "emptied",
    imageUrl: "emptied",
    fileUrl: "emptied",
    redirectUrl: "emptied",
    promotionText: "emptied",
    urgencyText: "emptied",
    bannerImageUrl: "emptied",
    bannerLinkUrl: "emptied",
    checkoutSlug: "emptied",
  },
  order_bumps: "deleted",
  upsell_offers: "deleted",
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
  gateway_keys: {
    provider: "who paid the seller",
    apiKeySealed: "deleted once no charge of 180 days may need it, by clean-up",
  },
  gateway_accounts: {
    provider: "who paid the seller",
    publicKeySealed: "emptied",
    webhookSecretSealed: "emptied",
    hookToken: "drawn by lot; late news of a payment come by it",
  },
  destinations: {
    name: "emptied",
    events: "words of ours; deleted with its log within days, by clean-up",
    settings: "emptied",
    secretSealed: "emptied",
    previousSecretSealed: "emptied",
    tokenSealed: "emptied",
  },
};

/** Empties a shop and its seller; its sales are emptied before. Their books stay: amounts, days and numbers. */
export async function emptyShop(tx: Tx, sellerId: string): Promise<void> {
  for (const statement of statements(sql`${sellerId}::uuid`)) await tx.execute(statement);
}

function statements(id: SQL): SQL[] {
  const products = sql`(select id from products where seller_id = ${id})`;
  const all = (table: string) => sql`delete from ${sql.identifier(table)} where seller_id = ${id}`;
  return [
    // Nobody opens it, or takes it back, while it is emptied.
    sql`select from sellers where id = ${id} for update`,
    ...["sessions", "email_tokens", "api_keys", "held_forms"].map(all),
    ...["checkout_customizations", "thank_you_customizations", "store_details"].map(all),
    ...["mail_settings", "email_templates", "email_domains", "mail_hooks"].map(all),
    ...["reminder_opt_outs", "stamps"].map(all),
    sql`delete from content_items where content_id in (select id from contents where seller_id = ${id})`,
    sql`update destinations set deleted_at = coalesce(deleted_at, now()), stopped_at = coalesce(stopped_at, now()), name = '',
      settings = '{}', secret_sealed = null, previous_secret_sealed = null, token_sealed = null where seller_id = ${id}`,
    sql`delete from order_bumps where product_id in ${products}`,
    sql`delete from upsell_offers where product_id in ${products}`,
    sql`update products set description = null, image_url = null, file_url = null, redirect_url = null, promotion_text = null,
      urgency_text = null, banner_image_url = null, banner_link_url = null, checkout_slug = null,
      archived_at = coalesce(archived_at, now()) where seller_id = ${id}`,
    // A key that a charge may still need goes by its age, once no account names it.
    sql`update gateway_accounts set enabled_at = null, key_id = null, public_key_sealed = null, webhook_secret_sealed = null
      where seller_id = ${id}`,
    sql`update sellers set email = 'encerrada-' || id || '@conta.invalid', name = 'Conta encerrada', company = null, phone = null,
      picture_url = null, password_hash = null, oauth_subject = null, email_verified_at = null, notify_new_sale = false,
      notify_failed_payment = false, notify_weekly_report = false, notify_monthly_report = false, emptied_at = now()
      where id = ${id}`,
  ];
}
