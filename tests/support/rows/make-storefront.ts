import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { saveCheckoutSettings, saveThankYouSettings } from "#app/domain/storefront/save-settings.server.ts";
import { mergeThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import { sql } from "#tests/support/database.ts";

/** A seller's checkout settings: the defaults with `fields` over them. */
export async function makeCheckoutSettings(
  seller: { id: string },
  fields: Partial<CheckoutSettings>,
): Promise<void> {
  await saveCheckoutSettings(seller.id, { update: () => mergeCheckoutSettings(fields) });
}

/** A seller's thank-you settings: the defaults with `fields` over them. */
export async function makeThankYouSettings(
  seller: { id: string },
  fields: Partial<ThankYouSettings>,
): Promise<void> {
  await saveThankYouSettings(seller.id, { update: () => mergeThankYouSettings(fields) });
}

/** Every setting of the checkout switched on, nothing left at its default. */
export const EVERYTHING_ON: Partial<CheckoutSettings> = {
  brand_name: "Estúdio Aurora",
  brand_logo_url: "https://imagens.exemplo.com.br/logo.png",
  terms_url: "https://exemplo.com.br/termos",
  privacy_url: "https://exemplo.com.br/privacidade",
  custom_header: '<p style="text-align:center;font-weight:bold">Turma de novembro</p>',
  custom_footer: "<p>Estúdio Aurora LTDA, CNPJ 12.ABC.345/01DE-35</p>",
  custom_css:
    ".ck-brand{letter-spacing:0.02em} .nota{color:#7c3aed} body{background:linear-gradient(#fdf4ff,#fff)}",
  primary_color: "#7C3AED",
  secondary_color: "#4C1D95",
  background_color: "#FDF4FF",
  discount_badge_color: "#BE123C",
  promotion_text_color: "#B45309",
  require_email_confirmation: true,
  order_bump_title: "Leve também",
  order_bump_subtitle: "Só nesta página",
  order_bump_style: "highlight",
  total_section_style: "gradient",
  button_text: "Quero começar agora",
  button_style: "glow",
  button_color: "#7C3AED",
  urgency_timer_enabled: true,
  urgency_timer_minutes: 15,
  guarantee_days: 15,
  support_contact: "ajuda@aurora.com.br",
};

/** A seller's store data. */
export async function makeStore(seller: { id: string }, fields: Record<string, string | null> = {}) {
  const row = {
    legal_name: "Ateliê da Vera Cursos Ltda.",
    tax_id: "11222333000181",
    street: "Rua das Flores",
    number: "10",
    complement: "Sala 2",
    district: "Centro",
    city: "Campinas",
    state: "SP",
    postal_code: "13010000",
    email: "atelie@exemplo.com.br",
    phone: null,
    ...fields,
  };
  await sql`insert into store_details ${sql({ seller_id: seller.id, ...row })}`;
  return row;
}
