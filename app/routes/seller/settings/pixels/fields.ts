import type { DeliveryEvent, PixelKind } from "#app/db/schema/lists.ts";

/** The pixel form's fields as the page holds them. */
export type PixelFormFields = {
  kind: PixelKind;
  name: string;
  pixel_id: string;
  token: string;
  events: string[];
  counts_pix: boolean;
  scope: "all" | "some";
  products: string[];
};

/** Each service's names for its two fields, where to find them, and how it uses events. */
export const SERVICES: Record<
  PixelKind,
  { id: string; token: string; where: string; text: string; code: string | null }
> = {
  meta: {
    id: "ID do pixel (conjunto de dados)",
    token: "Token da API de Conversões",
    where: "No Gerenciador de Eventos da Meta: Configurações, API de Conversões, Gerar token de acesso.",
    text: "API de Conversões, para anúncios do Facebook e do Instagram.",
    code: "Código de teste (TEST12345)",
  },
  ga4: {
    id: "ID da métrica",
    token: "Chave secreta da API",
    where: "No Google Analytics: Administrador, Fluxos de dados, o seu site, Chaves secretas da API.",
    text: "Measurement Protocol. Para o Google Ads, importe lá a conversão purchase do GA4.",
    code: null,
  },
  tiktok: {
    id: "Código do pixel",
    token: "Token de acesso",
    where:
      "No TikTok Ads: Ativos, Eventos, Eventos da Web, o seu pixel, Configurações, Gerar token de acesso.",
    text: "Events API, para anúncios do TikTok.",
    code: "Código de teste",
  },
  kwai: {
    id: "ID do pixel",
    token: "Token de acesso",
    where: "No Kwai for Business: Ativos, Eventos, o seu pixel, Token de acesso.",
    text: "Só conta vendas de quem clicou num anúncio do Kwai.",
    code: "Click id de teste",
  },
};

/** Explanations of events whose names are not enough. */
export const EVENT_HINTS: Partial<Record<DeliveryEvent, string>> = {
  "checkout.started": "O comprador enviou o formulário do checkout.",
  "pix.generated": "O código está na tela do comprador.",
  "sale.paid": "O pagamento foi confirmado: é a compra, com o valor pago.",
  "sale.partially_refunded": "Uma parte do valor voltou ao comprador: só ela é descontada.",
  "sale.refunded": "Todo o valor voltou ao comprador: a compra é descontada.",
  "sale.chargedback": "A contestação (MED) foi aceita: a compra é descontada.",
};

/** Each service's names for the events. */
export const EVENT_NAMES: Record<PixelKind, Partial<Record<DeliveryEvent, string>>> = {
  meta: {
    "checkout.started": "InitiateCheckout",
    "pix.generated": "AddPaymentInfo",
    "sale.paid": "Purchase",
  },
  ga4: {
    "checkout.started": "begin_checkout",
    "pix.generated": "add_payment_info",
    "sale.paid": "purchase",
    "sale.partially_refunded": "refund",
    "sale.refunded": "refund",
    "sale.chargedback": "refund",
  },
  tiktok: {
    "checkout.started": "InitiateCheckout",
    "pix.generated": "AddPaymentInfo",
    "sale.paid": "CompletePayment",
  },
  kwai: { "checkout.started": "EVENT_INITIATED_CHECKOUT", "sale.paid": "EVENT_PURCHASE" },
};
