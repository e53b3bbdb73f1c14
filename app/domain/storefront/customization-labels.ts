import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";

/** Names of the checkout settings on the screen and in messages. */
export const CHECKOUT_LABELS: Record<keyof CheckoutSettings, string> = {
  brand_name: "Nome da marca",
  brand_logo_url: "Endereço do logo",
  terms_url: "Link dos termos de uso",
  privacy_url: "Link da política de privacidade",
  custom_header: "Cabeçalho personalizado",
  custom_footer: "Rodapé personalizado",
  custom_css: "CSS customizado",
  primary_color: "Cor principal",
  secondary_color: "Cor secundária",
  background_color: "Cor de fundo",
  discount_badge_color: "Cor do selo de desconto",
  promotion_text_color: "Cor do texto promocional",
  require_name: "Pedir nome",
  require_email: "Pedir e-mail",
  require_email_confirmation: "Pedir confirmação do e-mail",
  require_document: "Pedir CPF",
  require_phone: "Pedir WhatsApp",
  enable_pix: "Aceitar PIX",
  enable_card: "Aceitar cartão",
  pix_discount_percent: "Desconto no PIX (%)",
  order_bump_title: "Título das ofertas",
  order_bump_subtitle: "Subtítulo das ofertas",
  order_bump_style: "Estilo das ofertas",
  total_section_style: "Estilo do total",
  button_text: "Texto do botão",
  button_style: "Estilo do botão",
  button_color: "Cor do botão",
  trust_badges_enabled: "Mostrar selos de confiança",
  urgency_timer_enabled: "Mostrar timer de urgência",
  urgency_timer_minutes: "Minutos do timer",
  guarantee_days: "Dias de garantia",
  price_grace_minutes: "Tolerância na virada de preço",
  support_contact: "Contato de atendimento",
};

/** The same for the thank-you page. */
export const THANK_YOU_LABELS: Record<keyof ThankYouSettings, string> = {
  enabled: "Usar a minha página de obrigado",
  title: "Título",
  subtitle: "Subtítulo",
  background_color: "Cor de fundo",
  primary_color: "Cor principal",
  logo_url: "Endereço do logo",
  custom_message: "Mensagem personalizada",
  show_download_button: "Mostrar botão de download",
  download_button_text: "Texto do botão de download",
  redirect_url: "Endereço para continuar",
  auto_redirect_seconds: "Redirecionamento automático",
};
