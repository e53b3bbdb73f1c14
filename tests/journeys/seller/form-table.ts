import type { Page } from "playwright";
import type { EMAIL_ACTIONS } from "#app/routes/seller/settings/email/actions.server.ts";
import type { SETTINGS_ACTIONS } from "#app/routes/seller/settings/intents.server.ts";
import type { Seller } from "#tests/support/make.ts";
import { connectUtmify } from "#tests/support/rows/make-tracking.ts";

/** The objects that the forms edit. */
export type Shop = { seller: Seller; productId: number; saleId: string };

/** A form of the dashboard with typed fields, and how it is saved. */
export type SellerForm = {
  address: (shop: Shop) => string;
  /** SQL about the seller `$1` that the form needs to be there. */
  given?: string;
  /** Changes it and leaves it open. */
  type: (page: Page) => Promise<void>;
  /** The typed value as it is shown. */
  typed: (page: Page) => Promise<string | boolean>;
  /** The button that saves. */
  save: string;
  /** The message without a network. */
  offline: RegExp;
  /** SQL with the seller as `$1` that simulates a concurrent save; left out if nothing is replaced. */
  elsewhere?: string;
  /** The message of a save. */
  saved?: RegExp;
};

const text = (label: string, value: string) => ({
  type: async (page: Page) => page.getByLabel(label, { exact: true }).fill(value),
  typed: async (page: Page) => page.getByLabel(label, { exact: true }).inputValue(),
});
const toggle = (label: string) => ({
  type: async (page: Page) => page.getByLabel(label, { exact: true }).click(),
  typed: async (page: Page) => page.getByLabel(label, { exact: true }).isChecked(),
});
const SAVED = /Configurações salvas com sucesso!/;
const NOT_SAVED = /Erro ao salvar configurações/;
const KEY = "insert into mail_settings (seller_id, resend_key_sealed) values ($1, '{sealed}')";

const WEBHOOK = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e01";
const ITEM = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e03";
const AREA = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e04";
const COUPON = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e05";
const OFFER = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e06";
const PIXEL = "7d1f5c6a-0c6e-4a55-9d3e-0b5f4a7c1e02";

/** The settings' buttons: a form, or why nothing is typed there that could be lost. */
const settings: Record<keyof typeof SETTINGS_ACTIONS, SellerForm | string> = {
  profile: {
    address: () => "/settings",
    ...text("Nome", "Vera Lúcia"),
    save: "Salvar perfil",
    offline: NOT_SAVED,
    elsewhere: "update sellers set company = 'Outra Ltda.' where id = $1",
    saved: SAVED,
  },
  notifications: {
    address: () => "/settings?tab=notificacoes",
    ...toggle("Relatório semanal"),
    save: "Salvar notificações",
    offline: NOT_SAVED,
    elsewhere: "update sellers set notify_monthly_report = not notify_monthly_report where id = $1",
    saved: SAVED,
  },
  "create-key": {
    address: () => "/settings?tab=seguranca",
    ...text("Nome da chave", "Planilha"),
    save: "Gerar Nova API Key",
    offline: /Erro interno/,
  },
  password: {
    address: () => "/settings?tab=seguranca",
    ...text("Nova senha", "uma senha comprida"),
    save: "Criar senha",
    offline: /Erro interno/,
  },
  gateways: {
    address: () => "/settings?tab=gateways",
    ...text("API Key", "9|sandbox-outra"),
    save: "Salvar configurações",
    offline: NOT_SAVED,
    elsewhere: connectUtmify({ isEnabled: true }),
    saved: SAVED,
  },
  "resend-key": {
    address: () => "/settings?tab=gateways",
    ...text("Chave do Resend", "re_uma-nova"),
    save: "Salvar chave",
    offline: NOT_SAVED,
    elsewhere: KEY,
    saved: SAVED,
  },
  "cancel-email-change": "one press",
  "revoke-key": "one press",
  "end-session": "one press",
  disputes: "one press",
  overpayments: "one press",
  "test-webhook": "saves nothing",
  "test-email": "saves nothing",
};

/** The same of the e-mail settings. */
const email: Record<keyof typeof EMAIL_ACTIONS, SellerForm | string> = {
  save: {
    address: () => "/settings/email",
    ...text("Assunto", "Chegou: {product_name}"),
    save: "Salvar",
    offline: /Erro ao salvar template/,
    elsewhere:
      "insert into email_templates (seller_id, sender_name, sender_email, subject, html_content) values ($1, 'Outro', '', 'Outro assunto', '<p>Outro</p>')",
    saved: /Configurações de email salvas com sucesso!/,
  },
  "add-access": "saves as save does",
  reminders: {
    address: () => "/settings/email",
    type: async (page) => {
      await page.getByLabel("1º lembrete").selectOption("");
    },
    typed: async (page) => page.getByLabel("1º lembrete").inputValue(),
    save: "Salvar lembretes",
    offline: /Erro ao salvar lembretes/,
    elsewhere:
      "insert into mail_settings (seller_id, reminder_minutes) values ($1, '{1440}') on conflict (seller_id) do update set reminder_minutes = '{1440}'",
    saved: /Lembretes salvos com sucesso!/,
  },
  "save-domain": {
    address: () => "/settings/email?tab=domain",
    ...text("Domínio", "minha.exemplo.com.br"),
    save: "Salvar domínio",
    offline: /Erro ao salvar domínio/,
    elsewhere:
      "insert into email_domains (seller_id, domain_name, status) values ($1, 'outro.exemplo.com.br', 'manual')",
    saved: /Configurações de domínio salvas com sucesso!/,
  },
  "create-domain": {
    address: () => "/settings/email?tab=domain",
    given: KEY,
    type: async (page) => page.getByLabel("Domínio", { exact: true }).first().fill("nova.exemplo.com.br"),
    typed: async (page) => page.getByLabel("Domínio", { exact: true }).first().inputValue(),
    save: "Criar domínio no Resend",
    offline: /Erro ao salvar domínio/,
  },
  "hook-secret": {
    address: () => "/settings/email?tab=domain",
    given: KEY,
    ...text("Segredo do webhook", "whsec_0123456789abcdef0123"),
    save: "Salvar segredo",
    offline: /Erro ao salvar segredo/,
  },
  preview: "saves nothing",
  test: "saves nothing",
  reset: "one press",
  "remove-key": "one press",
  "verify-domain": "one press",
  "remove-domain": "one press",
};

const customization = (
  address: string,
  tab: string,
  label: RegExp,
  table: string,
  save = "Salvar Configurações",
) => ({
  address: () => address,
  type: async (page: Page) => {
    await page.getByText(tab, { exact: true }).first().click();
    await page.getByLabel(label).fill("Escrito agora");
  },
  typed: async (page: Page) => page.getByLabel(label).inputValue(),
  save,
  offline: NOT_SAVED,
  elsewhere: `insert into ${table} (seller_id, version, settings) values ($1, 7, '{}')`,
  saved: SAVED,
});

/** The form of a new link or text of a content. */
const added = (what: string, label: string, value: string): SellerForm => ({
  address: ({ productId }) => `/products/${productId}/content`,
  type: async (page) => {
    await page.getByText(`Incluir ${what}`).first().click();
    await page.getByLabel(label, { exact: true }).fill(value);
  },
  typed: async (page) => page.getByLabel(label, { exact: true }).inputValue(),
  save: `Incluir ${what}`,
  offline: /Sem conexão: nada foi salvo/,
});

/** The pages of the dashboard with a POST, by their files: their forms, or why nothing typed can be lost there. */
export const SELLER_FORMS: Record<string, Record<string, SellerForm | string> | string> = {
  "routes/seller/settings/settings.tsx": settings,
  "routes/seller/settings/email/email.tsx": email,
  "routes/seller/settings/webhook-setup/webhook-setup.tsx": {
    "webhook-secret": {
      address: () => "/settings/gateways/mercadopago/webhook",
      ...text("Assinatura secreta do webhook", "assinatura-nova"),
      save: "Salvar assinatura",
      offline: NOT_SAVED,
      elsewhere: connectUtmify({ isEnabled: true }),
      saved: /Assinatura secreta salva/,
    },
    "start-test": "saves nothing",
  },
  "routes/seller/products/create.tsx": {
    create: {
      address: () => "/products/create",
      ...text("Nome do produto", "Curso novo"),
      save: "Criar Produto",
      offline: /Erro ao criar produto/,
    },
  },
  "routes/seller/products/edit.tsx": {
    edit: {
      address: ({ productId }) => `/products/${productId}/edit`,
      ...text("Nome do produto", "Curso mudado"),
      save: "Atualizar Produto",
      offline: /Erro ao atualizar produto/,
      elsewhere: `insert into order_bumps (product_id, seller_id, position, name, price_cents, file_url)
        select id, seller_id, 0, 'Apostila de outra aba', 900, 'https://exemplo.com.br/a' from products where seller_id = $1`,
      saved: /atualizado/,
    },
  },
  "routes/seller/offers/create.tsx": {
    "create-offer": {
      address: ({ productId }) => `/products/${productId}/offers/create`,
      ...text("Nome", "Primeiro lote"),
      save: "Criar Oferta",
      offline: /Erro ao criar oferta/,
    },
  },
  "routes/seller/offers/edit.tsx": {
    "edit-offer": {
      address: ({ productId }) => `/products/${productId}/offers/${OFFER}/edit`,
      given: `insert into offers (id, seller_id, product_id, kind, name, price_cents, slug)
        select '${OFFER}', seller_id, id, 'link', 'Lançamento', 4700, 'lancamento-' || id from products where seller_id = $1`,
      ...text("Nome", "Primeiro lote"),
      save: "Salvar Oferta",
      offline: /Erro ao atualizar oferta/,
      elsewhere: "update offers set max_units = 50 where seller_id = $1",
      saved: /Oferta "Primeiro lote" atualizada/,
    },
  },
  "routes/seller/offers/offers.tsx": "one press",
  "routes/seller/coupons/create.tsx": {
    "create-coupon": {
      address: () => "/coupons/create",
      ...text("Código", "LANCAMENTO"),
      save: "Criar Cupom",
      offline: /Erro ao criar cupom/,
    },
  },
  "routes/seller/coupons/edit.tsx": {
    "edit-coupon": {
      address: () => `/coupons/${COUPON}/edit`,
      given: `insert into coupons (id, seller_id, code, percent) values ('${COUPON}', $1, 'MENOS10', 10)`,
      ...text("Código", "MENOS20"),
      save: "Salvar Cupom",
      offline: /Erro ao atualizar cupom/,
      elsewhere: "update coupons set max_uses = 50 where seller_id = $1",
      saved: /Cupom MENOS20 atualizado/,
    },
  },
  "routes/seller/coupons/coupons.tsx": "one press",
  "routes/seller/customization/checkout.tsx": {
    checkout: customization(
      "/checkout-customization",
      "Marca",
      /^Nome da marca/,
      "checkout_customizations",
      "Salvar",
    ),
  },
  "routes/seller/customization/thank-you.tsx": {
    "thank-you": customization("/thank-you-customization", "Conteúdo", /^Título/, "thank_you_customizations"),
  },
  "routes/seller/settings/store/store.tsx": {
    store: {
      address: () => "/settings/store",
      given: `insert into store_details (seller_id, legal_name, tax_id, street, number, district, city, state, postal_code, email)
        values ($1, 'Loja Ltda.', '11222333000181', 'Rua A', '1', 'Centro', 'Campinas', 'SP', '13010000', 'loja@exemplo.com.br')`,
      ...text("Bairro", "Cambuí"),
      save: "Salvar dados da loja",
      offline: NOT_SAVED,
      elsewhere: "update store_details set number = '22' where seller_id = $1",
      saved: /Dados da loja salvos/,
    },
  },
  "routes/seller/settings/utmfy/utmfy.tsx": {
    tracking: {
      address: () => "/settings/utmfy",
      ...text("ID da origem", "minha-origem"),
      save: "Salvar configurações",
      offline: NOT_SAVED,
      elsewhere: connectUtmify({ isEnabled: true }),
      saved: /Configurações UTMfy salvas com sucesso!/,
    },
  },
  "routes/seller/settings/destinations/new.tsx": {
    "new-webhook": {
      address: () => "/settings/webhooks/new",
      ...text("Nome", "Área de membros"),
      save: "Criar webhook",
      offline: /Erro ao criar webhook/,
    },
    "new-pixel": {
      address: () => "/settings/pixels/new?kind=meta",
      ...text("Nome", "Conta principal"),
      save: "Criar pixel",
      offline: /Erro ao criar pixel/,
    },
    "new-member-area": {
      address: () => "/settings/member-areas/new?kind=cademi",
      ...text("Endereço da área", "minha-escola"),
      save: "Conectar área",
      offline: /Erro ao conectar área de membros/,
    },
  },
  "routes/seller/settings/destinations/destination.tsx": {
    webhook: {
      address: () => `/settings/webhooks/${WEBHOOK}?tab=configuracao`,
      given: `insert into destinations (id, seller_id, kind, name, events, settings) values ('${WEBHOOK}', $1, 'webhook',
        'CRM', '{sale.paid}', '{"url": "https://example.com/vendas", "form": "standard", "withDocument": false}')`,
      ...text("Nome", "Área de membros"),
      save: "Salvar webhook",
      offline: /Erro ao salvar webhook/,
      elsewhere: "update destinations set events = '{sale.paid,pix.generated}' where seller_id = $1",
      saved: /Webhook salvo com sucesso!/,
    },
    pixel: {
      address: () => `/settings/pixels/${PIXEL}?tab=configuracao`,
      given: `insert into destinations (id, seller_id, kind, name, events, settings, token_sealed) values ('${PIXEL}', $1, 'meta',
        'Conta', '{sale.paid}', '{"pixelId": "1234567890", "countsPixSince": null, "testCode": ""}', '{sealed}')`,
      ...text("Nome", "Conta principal"),
      save: "Salvar pixel",
      offline: /Erro ao salvar pixel/,
      elsewhere: "update destinations set events = '{sale.paid,pix.generated}' where seller_id = $1",
      saved: /Pixel salvo com sucesso!/,
    },
    "member-area": {
      address: () => `/settings/member-areas/${AREA}?tab=configuracao`,
      given: `insert into destinations (id, seller_id, kind, name, events, settings, token_sealed) values ('${AREA}', $1, 'memberkit',
        'Escola', '{access.granted}', '{"area": "", "withDocument": false, "classes": [], "known": [],
        "test": {"email": "", "item": "", "name": ""}}', '{sealed}')`,
      ...text("Nome", "Escola principal"),
      save: "Salvar área",
      offline: /Erro ao salvar área de membros/,
      elsewhere: "update destinations set events = '{access.granted,access.revoked}' where seller_id = $1",
      saved: /Área de membros salva com sucesso!/,
    },
  },
  "routes/seller/sale/sale.tsx": {
    customer: {
      address: ({ saleId }) => `/reports/sales/${saleId}?edit=customer`,
      ...text("Email", "certa@exemplo.com.br"),
      save: "Salvar",
      offline: /Erro ao atualizar dados do cliente/,
      elsewhere: "update sales set customer_name = 'Outra Ana' where seller_id = $1",
      saved: /Dados do cliente atualizados com sucesso!/,
    },
    decline: {
      address: ({ saleId }) => `/reports/sales/${saleId}`,
      given: `insert into refund_requests (sale_id, seller_id, kind, reason)
        select id, seller_id, 'question', 'Não abre' from sales where seller_id = $1`,
      ...text("Ou recuse, com uma explicação", "Respondemos no chat: já abre."),
      save: "Recusar e responder",
      offline: /a resposta não foi enviada/,
      saved: /Resposta enviada ao comprador/,
    },
  },
  "routes/seller/products/products.tsx": "one press",
  "routes/seller/products/preview.tsx": "saves nothing",
  "routes/seller/reports/reports.tsx": "one press",
  "routes/seller/reports/reconciliation/reconciliation.tsx": "one press",
  "routes/seller/reports/import/import.tsx": "saves nothing: a file is chosen, and its columns are assigned",
  "routes/seller/sale/allow-downloads.ts": "one press",
  "routes/seller/content/content.tsx": {
    item: {
      address: ({ productId }) => `/products/${productId}/content?edit=${ITEM}`,
      given: `with made as (insert into contents (seller_id, product_id) select seller_id, id from products where
        seller_id = $1 returning id, seller_id) insert into content_items (id, content_id, seller_id, kind, name, html) select '${ITEM}', id, seller_id,
        'text', 'Comece por aqui', '<p>Oi</p>' from made`,
      type: async (page) => page.getByLabel("Nome para quem compra").first().fill("Leia antes"),
      typed: async (page) => page.getByLabel("Nome para quem compra").first().inputValue(),
      save: "Salvar",
      offline: /Sem conexão: nada foi salvo/,
      elsewhere: `update content_items set html = '<p>De outra aba</p>' where id = '${ITEM}' and exists
        (select from contents where id = content_id and seller_id = $1)`,
      saved: /Item salvo/,
    },
    "add-link": added("link", "Endereço", "https://chat.exemplo.com.br/grupo"),
    "add-text": added("texto", "Texto", "Bem-vinda."),
    activate: "one press",
    up: "one press, which moves nothing in another order than was seen",
    down: "as up",
    send: "one press",
    remove: "one press",
    cancel: "one press",
  },
  "routes/seller/sale/refund.ts": "one press, or an amount in a dialog that asks before money moves",
  "routes/seller/settings/access.tsx": "one press",
  "routes/seller/settings/closing.tsx": "a tick and a press",
  "routes/seller/settings/utmfy/debug.tsx": "one press",
  "routes/seller/settings/email/preview.ts": "saves nothing",
  "routes/seller/customization/checkout-preview.tsx": "saves nothing",
  "routes/seller/customization/thank-you-preview.tsx": "saves nothing",
};
